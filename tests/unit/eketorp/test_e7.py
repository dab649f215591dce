"""E7: the score."""

from __future__ import annotations

from typing import Any

from tests.unit.marks import cases

from .table import Table

EIGHTEEN = ["ggg", "ggg", "ggg", "www", "www", "ccs"]
"""9 grass, 6 wood, 2 clay and 1 stone, as six walls."""


def walls_of(*stacks: str) -> dict[int, str]:
    return dict(enumerate(stacks, start=1))


@cases(
    "setup, score",
    {
        "E7-example-39-points": ({"walls": {0: walls_of(*EIGHTEEN)}, "amulets": {0: 3}}, 39),
        "E7-one-stone-fewer-no-bonus": ({"walls": {0: walls_of(*EIGHTEEN[:5], "cc")}, "amulets": {0: 3}}, 30),
        "E7-grass-is-1": ({"walls": {0: {1: "g"}}}, 1),
        "E7-wood-is-2": ({"walls": {0: {1: "w"}}}, 2),
        "E7-clay-is-3": ({"walls": {0: {1: "c"}}}, 3),
        "E7-stone-is-4": ({"walls": {0: {1: "s"}}}, 4),
        "E7-amulets-are-1": ({"amulets": {0: 5}}, 5),
        "E7-nothing": ({}, 0),
        "E7-stones-beyond-18-count": ({"walls": {0: walls_of(*EIGHTEEN)}, "aside": {0: "wc"}}, 36 + 2 + 3),
        "E7-bonus-of-5-for-18": ({"walls": {0: walls_of(*["ggg"] * 6)}}, 18 + 5),
        "E7-no-bonus-for-17": ({"walls": {0: walls_of(*["ggg"] * 5, "gg")}}, 17),
        "E7-one-bonus-for-19": ({"walls": {0: walls_of(*["ggg"] * 6)}, "aside": {0: "g"}}, 19 + 5),
        "E7-cards-and-vikings-are-worth-nothing": ({"hands": {0: [6, 6, 6, 6]}, "hospital": {1: {"0": 8}}}, 0),
    },
)
def test_score(setup: dict[str, Any], score: int) -> None:
    table = Table(3, round=10, **setup)
    table.march({})
    assert table.over.scores == (score, 0, 0)


@cases(
    "walls, ranking",
    {
        "E7-most-wins": ({0: {1: "g"}, 1: {1: "s"}, 2: {1: "w"}}, ((1,), (2,), (0,))),
        "E7-last-seat-wins": ({0: {1: "w"}, 1: {1: "g"}, 2: {1: "ws"}}, ((2,), (0,), (1,))),
    },
)
def test_ranking(walls: dict[int, dict[int, str]], ranking: tuple[tuple[int, ...], ...]) -> None:
    table = Table(3, round=10, walls=walls)
    table.march({})
    assert table.over.ranking == ranking
    assert table.told("game_ended")[-1]["scores"] == list(table.over.scores)
