"""Golden playthroughs: whole seeded games as readable text, one folder a game. `rewrite` makes them anew."""

from pathlib import Path

FOLDER = Path(__file__).parent
