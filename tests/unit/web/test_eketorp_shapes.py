"""What the web table draws beside Eketorp's board looks as on the board."""

from __future__ import annotations

import json
from importlib.resources import files

from holmgang.games.eketorp.rules import board, pieces, village

SOURCE = (files("holmgang.games.eketorp") / "web" / "shapes.js").read_text(encoding="utf-8")


def test_stones_cards_vikings_and_amulets_look_as_in_the_picture() -> None:
    sizes = (pieces.LOOSE, (village.WIDE, village.TALL))
    ways = [way for kind in board.KINDS for size in sizes for way in pieces.forms(kind, *size)]
    ways += [*pieces.EMBLEMS.values(), pieces.HORNS, pieces.HELMET, pieces.HAMMER]
    assert [way for way in ways if json.dumps(way) not in SOURCE] == []
    assert SOURCE.count('"') == 2 * len(ways), "nothing else is drawn"
