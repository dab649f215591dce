"""K1 and K2: the island, layouts, placement, removal and the order of the game."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from holmgang.engine.errors import InvalidOption
from holmgang.games.claim.rules.island import PRESETS, island, layout_option, points_of
from tests.unit.marks import cases, rule

from .boards import board
from .playing import RULES, Game

PARTS = layout_option(PRESETS[2])


def refused(players: int, layout: Any) -> str:
    with pytest.raises(InvalidOption) as error:
        RULES.configure(players, {"layout": layout})
    assert error.value.pointer.startswith("/layout")
    return error.value.rule


def changed(number: int, /, **keys: Any) -> list[dict[str, Any]]:
    return [{**p, **(keys if n == number else {})} for n, p in enumerate(PARTS)]


@rule("K1-neighbours-are-orthogonal")
def test_neighbours() -> None:
    land = island(PRESETS[2])
    b2 = land.numbers["b2"]
    assert {land.names[p] for p in land.around[b2]} == {"a2", "c2", "b1", "b3"}


@cases(
    "players, territories, points",
    {"K1.1-two-players": (2, 5, 60), "K1.1-three-players": (3, 7, 84), "K1.1-four-players": (4, 9, 108)},
)
def test_size(players: int, territories: int, points: int) -> None:
    land = island(PRESETS[players])
    assert len(land.land) == territories
    assert len(land.names) == points


@cases(
    "players, layout",
    {
        "K1.1-number-of-parts": (3, PARTS),
        "K1.1-not-connected": (2, changed(2, x=9)),
        "K1.1-only-corners-touch": (2, changed(2, x=6, y=8)),
    },
)
def test_wrong_island(players: int, layout: Any) -> None:
    assert refused(players, layout) == "K1.1"


RING = [
    {"part": "double", "x": 0, "y": 0, "turn": 0},
    {"part": "double", "x": 6, "y": 0, "turn": 1},
    {"part": "double", "x": 4, "y": 6, "turn": 0},
    {"part": "double", "x": 0, "y": 4, "turn": 1},
    {"part": "single", "x": 4, "y": 10, "turn": 0},
]


@rule("K1.1-holes-are-refused-even-with-a-diagonal-gap")
def test_hole() -> None:
    closed = refused(4, RING)
    assert closed == "K1.1"


@rule("K1.2-territories-of-the-presets")
def test_presets() -> None:
    land = island(PRESETS[2])
    named = [[land.names[p] for p in points_of(ground)] for ground in land.land]
    assert named[0][0] == "a1"
    assert named[0][-1] == "c4"
    assert named[1][0] == "d1"
    assert named[2][0] == "a5"
    assert named[3][-1] == "f8"
    assert (named[4][0], named[4][-1]) == ("g3", "i6")
    assert all(len(points) == 12 for points in named)
    assert [r.rule for r in RULES.reconstructed] == ["K1.2"]


@cases(
    "layout",
    {
        "K1.3-overlap": changed(2, x=5),
        "K1.3-missing-key": [{k: v for k, v in PARTS[0].items() if k != "turn"}, *PARTS[1:]],
        "K1.3-unknown-key": [{**PARTS[0], "z": 1}, *PARTS[1:]],
        "K1.3-unknown-part": changed(0, part="triple"),
        "K1.3-turn-of-two": changed(0, turn=2),
        "K1.3-coordinate-is-text": changed(0, x="0"),
        "K1.3-coordinate-is-true": changed(0, x=True),
        "K1.3-no-list": {"part": "double"},
    },
)
def test_wrong_layout(layout: Any) -> None:
    assert refused(2, layout) == "K1.3"


@rule("K1.3-layouts-are-shifted-to-zero")
def test_shift() -> None:
    moved = [{**p, "x": p["x"] - 7, "y": p["y"] + 9} for p in PARTS]
    assert RULES.options(RULES.configure(2, {"layout": moved}))["layout"] == PARTS


@rule("K1.3-more-than-26-columns")
def test_wide() -> None:
    row = [{"part": "double", "x": 6 * n, "y": 0, "turn": 0} for n in range(4)]
    assert refused(4, [*row, {"part": "single", "x": 24, "y": 0, "turn": 0}]) == "K1.3"
    assert RULES.configure(4, {"layout": [*row, {"part": "single", "x": 23, "y": 4, "turn": 0}]})


@rule("K1.3-a-turned-double-has-its-upper-half-first")
def test_turned() -> None:
    layout = RULES.configure(
        2,
        {
            "layout": [
                {"part": "double", "x": 0, "y": 0, "turn": 1},
                {"part": "double", "x": 4, "y": 0, "turn": 1},
                {"part": "single", "x": 8, "y": 0, "turn": 1},
            ]
        },
    ).layout
    land = island(layout)
    assert land.territory[land.numbers["a1"]] == 0
    assert land.territory[land.numbers["d3"]] == 0
    assert land.territory[land.numbers["a4"]] == 1
    assert land.territory[land.numbers["l3"]] == 4
    assert "k4" not in land.numbers


@rule("K1.4-eighteen-pieces-and-three-castles")
def test_material() -> None:
    game = Game.new(2)
    seats = RULES.view(game.state, None).seats
    assert [(s.to_place, s.castles_in_hand) for s in seats] == [(18, 3)] * 2


@rule("K1.4-with-four-0-and-2-play-against-1-and-3")
def test_partners() -> None:
    assert RULES.teams(4) == ((0, 2), (1, 3))
    assert RULES.teams(3) == ((0,), (1,), (2,))


@rule("K2-placement-removal-claim-battle")
def test_course() -> None:
    game = Game.new(2)
    kinds = []
    while not game.told("battle_turn_started"):
        if game.kind not in kinds:
            kinds.append(game.kind)
        game.play(**_default(game))
    assert kinds[:2] == ["placement", "removal"]
    assert game.told("battle_turn_started")[0]["seat"] == 0


def _default(game: Game) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(RULES.default(game.state, game.seat))
    return found


@rule("K2.1-two-pieces-each-in-turn-until-all-are-out")
def test_placement() -> None:
    game = Game.new(3, first_player=2)
    order = []
    while game.kind == "placement":
        order.append(game.seat)
        game.play(**_default(game))
    assert order == [2, 0, 1] * 9
    assert [bits.bit_count() for bits in game.state.pieces] == [18] * 3


@cases(
    "points, rule_id",
    {
        "K2.1-free-points-only": (["a1", "b1"], "K2.1"),
        "K2.1-two-different-points": (["c1", "c1"], "K2.1"),
        "K1.1-points-of-the-island-only": (["z9", "b1"], "K1.1"),
        "K2.1-any-free-points": (["f8", "c1"], None),
    },
)
def test_placing(points: list[str], rule_id: str | None) -> None:
    game = Game.new(2)
    game.play(type="place", points=["b1", "a1"])
    assert game.refusal(type="place", points=points) == rule_id
    assert RULES.moves(game.state, 1).count() == 58 * 57 // 2


def removing(players: int) -> Game:
    game = Game.new(players)
    while game.kind == "placement":
        game.play(**_default(game))
    assert game.kind == "removal"
    return game


@rule("K2.2-two-players-take-four-of-the-other")
def test_removal_of_two() -> None:
    game = removing(2)
    theirs = sorted(game.pieces(1))
    assert game.refusal(type="remove", points=theirs[:3]) == "K2.2"
    assert game.refusal(type="remove", points=[*theirs[:3], sorted(game.pieces(0))[0]]) == "K2.2"
    assert game.refusal(type="remove", points=[*theirs[:3], theirs[0]]) == "K2.2"
    game.play(type="remove", points=theirs[:4])
    assert game.pieces(1) == set(theirs[4:])
    assert game.seat == 1
    assert RULES.moves(game.state, 1).count() == 3060


@rule("K2.2-three-players-take-two-of-each-enemy")
def test_removal_of_three() -> None:
    game = removing(3)
    one, two = sorted(game.pieces(1)), sorted(game.pieces(2))
    assert game.refusal(type="remove", points=[*one[:3], two[0]]) == "K2.2"
    assert RULES.moves(game.state, 0).count() == 153 * 153
    game.play(type="remove", points=[*one[:2], *two[:2]])
    for _ in range(2):
        game.play(**_default(game))
    assert game.state.removed == (4, 4, 4)


@rule("K2.2-four-players-spare-partners-and-keep-the-limit")
def test_removal_of_four() -> None:
    game = removing(4)
    one, two, three = (sorted(game.pieces(s)) for s in (1, 2, 3))
    assert RULES.moves(game.state, 0).count() == 58_905
    assert game.refusal(type="remove", points=[*one[:3], two[0]]) == "K2.2"
    game.play(type="remove", points=[*one[:3], three[0]])
    game.play(**_default(game))
    one, three = sorted(game.pieces(1)), sorted(game.pieces(3))
    assert game.seat == 2
    assert game.refusal(type="remove", points=[*one[:2], *three[:2]]) == "K2.2"
    assert game.refusal(type="remove", points=[one[0], *three[:3]]) is None
    game.play(type="remove", points=[one[0], *three[:3]])
    game.play(**_default(game))
    assert game.state.removed == (4, 4, 4, 4)


@rule("K2.3-each-may-claim-in-the-same-order-before-the-battle")
def test_first_claims() -> None:
    game = Game(
        board(
            2,
            {0: ["a1", "b1", "c1", "d1", "e1"], 1: ["g3", "d2", "h3", "i3", "g4"]},
            active=1,
            phase="removal",
            awaited=(1,),
            turns=(0, 0),
            removed=(0, 4),
            caught=(13, 9),
        )
    )
    game.play(type="remove", points=["b1", "c1", "d1", "e1"])
    assert (game.kind, game.seat) == ("claim", 0)
    game.claim(b2=0)
    assert (game.kind, game.seat) == ("claim", 1)
    game.claim(g5=4)
    assert game.castles() == {"b2": 0, "g5": 1}
    assert game.told("battle_turn_started")[0] == {
        "type": "battle_turn_started",
        "seat": 0,
        "number": 1,
        "repeats": 1,
    }


@cases("starts, seat", {"K2.4-first-player-begins": ("first", 0), "K2.4-or-the-second": ("second", 1)})
def test_battle_starts(starts: str, seat: int) -> None:
    game = Game.new(2, battle_starts=starts)
    game.set_up()
    while not game.told("battle_turn_started"):
        game.claim()
    assert game.told("battle_turn_started")[0]["seat"] == seat


@rule("K2.4-claim-then-move-then-the-next")
def test_battle_turn() -> None:
    game = Game(board(2, {0: ["a1", "d1"], 1: ["h3", "d4"]}))
    game.move("a1", "a2")
    assert (game.kind, game.seat) == ("claim", 1)
    game.claim()
    assert (game.kind, game.seat) == ("move", 1)
