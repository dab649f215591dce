"""`python -m tests.playthroughs.rewrite`: write every golden playthrough anew. Read the difference then."""

from __future__ import annotations

from holmgang import registry
from holmgang.checking.goldens import playthroughs, tell

from . import FOLDER

if __name__ == "__main__":
    for game in registry.games():
        for each in playthroughs(game):
            path = FOLDER / game.name / f"{each.name}.txt"
            path.parent.mkdir(exist_ok=True)
            path.write_text(tell(game, each))
            print(path)
