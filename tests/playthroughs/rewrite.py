"""`python -m tests.playthroughs.rewrite`: write every golden playthrough anew. Read the difference then."""

from __future__ import annotations

from .telling import tell, wanted

if __name__ == "__main__":
    for playthrough in wanted():
        playthrough.path.parent.mkdir(exist_ok=True)
        playthrough.path.write_text(tell(playthrough))
        print(playthrough.path)
