"""K3 and K4: moving, jumping, catching, the chase, and castles in the place of caught ones."""

from __future__ import annotations

import msgspec

from tests.unit.marks import cases, rule

from .boards import board
from .playing import RULES, Game


@rule("K3-one-piece-moves-a-turn")
def test_one_move() -> None:
    game = Game(board(2, {0: ["a1", "d6"], 1: ["h3"]}))
    game.move("a1", "b1")
    assert game.pieces(0) == {"b1", "d6"}
    assert game.seat == 1


@cases(
    "pieces, castles, start, ends",
    {
        "K3.1-steps-to-free-neighbours": ({0: ["b2"], 1: ["h5"]}, {}, "b2", {"a2", "c2", "b1", "b3"}),
        "K3.1-not-off-the-island": ({0: ["a1"], 1: ["h5"]}, {}, "a1", {"b1", "a2"}),
        "K3.1-jumps-over-any-colour": ({0: ["a1", "b1"], 1: ["a2", "h5"]}, {}, "a1", {"c1", "a3"}),
        "K3.1-jumps-over-castles": ({0: ["a1"], 1: ["h5"]}, {"b1": 1, "d1": 0}, "a1", {"c1", "e1", "a2"}),
        "K3.1-not-over-two": ({0: ["a1", "b1", "c1"], 1: ["h5"]}, {}, "a1", {"a2"}),
        "K3.1-not-over-a-gap": ({0: ["a1", "c1"], 1: ["h5"]}, {}, "a1", {"b1", "a2"}),
        "K3.1-chains-turn": ({0: ["a1"], 1: ["b1", "c2", "h5"]}, {}, "a1", {"c1", "c3", "a2"}),
        "K3.1-no-step-after-a-jump": ({0: ["a1"], 1: ["b1", "h5"]}, {}, "a1", {"c1", "a2"}),
    },
)
def test_ends(pieces: dict[int, list[str]], castles: dict[str, int], start: str, ends: set[str]) -> None:
    assert Game(board(2, pieces, castles)).ends(start) == ends


@cases(
    "path, legal",
    {
        "K3.1-any-valid-path": (["a1", "c1", "c3"], True),
        "K3.1-a-longer-path-to-the-same-end": (["a1", "a3", "c3"], True),
        "K3.1-no-point-twice": (["a1", "c1", "c3", "a3", "a1"], False),
        "K3.1-another-seats-piece": (["b1", "b2"], False),
        "K3.1-diagonal": (["a1", "b2"], False),
        "K3.1-occupied-end": (["a1", "b1"], False),
    },
)
def test_paths(path: list[str], legal: bool) -> None:
    game = Game(board(2, {0: ["a1"], 1: ["b1", "c2", "b3", "a2", "h5"]}))
    assert game.refusal(type="move", path=path) == (None if legal else "K3.1")


@rule("K3.1-paths-with-the-same-ends-are-the-same")
def test_same_path() -> None:
    one = RULES.decode("move", {"type": "move", "path": ["a1", "c1", "c3"]})
    other = RULES.decode("move", {"type": "move", "path": ["a1", "a3", "c3"]})
    assert RULES.canonical(0, one) == RULES.canonical(0, other)


@rule("K3.1-jumping-catches-nothing")
def test_jumped_stays() -> None:
    game = Game(board(2, {0: ["a2", "h6"], 1: ["b2", "h3"]}))
    game.move("a2", "c2")
    assert "b2" in game.pieces(1)


@rule("K3.2-who-can-move-must")
def test_must_move() -> None:
    game = Game(board(2, {0: ["a1", "b5"], 1: ["h3"]}))
    assert all(m["type"] == "move" for m in game.moves())


@rule("K3.2-who-cannot-is-skipped-and-the-turn-counts")
def test_skipped() -> None:
    # Seat 1's only piece sits in the corner behind two rows that it cannot jump.
    game = Game(board(2, {0: ["b1", "c1", "a3", "f6"], 1: ["a1"]}, {"a2": 0}))
    game.move("f6", "f5")
    assert game.told("turn_skipped") == [{"type": "turn_skipped", "seat": 1}]
    assert game.state.turns[1] == 1
    assert game.seat == 0


def caught(game: Game) -> set[str]:
    return {e["point"] for e in game.told("caught")}


@cases(
    "players, pieces, castles, path, points",
    {
        "K4-between-two-of-mine": (2, {0: ["a2", "d2"], 1: ["c2", "h3"]}, {}, ["a2", "b2"], {"c2"}),
        "K4.1-closer-piece-of-mine": (2, {0: ["a2", "d2"], 1: ["c2", "h3"]}, {}, ["a2", "b2"], {"c2"}),
        "K4.1-closer-castle-of-mine": (2, {0: ["a2"], 1: ["c2", "h3"]}, {"d2": 0}, ["a2", "b2"], {"c2"}),
        "K4.1-edge-of-the-island": (2, {0: ["c1"], 1: ["a1", "h3"]}, {}, ["c1", "b1"], {"a1"}),
        "K4.1-notch-is-an-edge": (2, {0: ["e1"], 1: ["f2", "h5"]}, {}, ["e1", "e2"], {"f2"}),
        "K4.1-joint-is-no-edge": (2, {0: ["a2"], 1: ["c2", "h3"]}, {}, ["a2", "b2"], set()),
        "K4.1-own-castle-of-the-victim-closes-not": (2, {0: ["a2"], 1: ["c2", "h3"]}, {"d2": 1}, ["a2", "b2"], set()),
        "K4.1-castle-is-caught": (2, {0: ["a2", "d2"], 1: ["h3"]}, {"c2": 1}, ["a2", "b2"], {"c2"}),
        "K4.1-several-at-once": (2, {0: ["b3", "d2", "b4"], 1: ["c2", "a2", "h3"]}, {}, ["b3", "b2"], {"c2", "a2"}),
        "K4.1-with-three-another-enemy-closes": (3, {0: ["a2"], 1: ["c2"], 2: ["d2"]}, {}, ["a2", "b2"], {"c2"}),
        "K4.1-with-three-own-closes-not": (3, {0: ["a2"], 1: ["c2", "d2"], 2: ["h7"]}, {}, ["a2", "b2"], set()),
        "K4.1-partner-closes": (4, {0: ["a2"], 1: ["c2"], 2: ["d2"], 3: ["m6"]}, {}, ["a2", "b2"], {"c2"}),
        "K4.1-a-partner-closes-not": (4, {0: ["a2"], 1: ["c2"], 2: ["m5"], 3: ["d2"]}, {}, ["a2", "b2"], set()),
        "K4.1-partners-are-not-caught": (
            4,
            {0: ["a2", "d2"], 1: ["m6"], 2: ["c2"], 3: ["m5"]},
            {},
            ["a2", "b2"],
            set(),
        ),
        "K4.1-the-moved-piece-is-a-closer": (2, {0: ["b2", "d2", "a8"], 1: ["c2", "h3"]}, {}, ["a8", "a7"], set()),
        "K4.1-it-left-its-old-place": (2, {0: ["d2"], 1: ["c2", "h3"]}, {}, ["d2", "b2"], set()),
        "K4.2-moving-in-between-is-safe": (2, {0: ["b3"], 1: ["a2", "c2", "h3"]}, {}, ["b3", "b2"], {"a2"}),
    },
)
def test_catches(
    players: int,
    pieces: dict[int, list[str]],
    castles: dict[str, int],
    path: list[str],
    points: set[str],
) -> None:
    game = Game(board(players, pieces, castles))
    game.move(*path)
    assert caught(game) == points
    for seat in range(1, players):
        assert not points & game.pieces(seat)


@rule("K4.2-the-piece-between-two-enemies-stays")
def test_safe_between() -> None:
    game = Game(board(2, {0: ["b3"], 1: ["c2", "a2", "h3"]}, {"d2": 1}))
    game.move("b3", "b2")
    assert "b2" in game.pieces(0)


@rule("K4.2-a-castle-that-is-put-catches-nothing")
def test_castle_catches_not() -> None:
    game = Game(board(2, {0: ["a2", "e2"], 1: ["d2", "h3"]}, phase="claim"))
    game.claim(c2=0)
    assert game.told("caught") == []
    assert "d2" in game.pieces(1)


@rule("K4-every-catch-is-a-record")
def test_record() -> None:
    game = Game(board(2, {0: ["a2", "d2"], 1: ["c2", "b1", "h3"]}))
    game.move("a2", "b2")
    assert game.combats == [
        {
            "number": 1,
            "status": "resolved",
            "mover": 0,
            "start": "a2",
            "end": "b2",
            "victim": 1,
            "kind": "piece",
            "point": "c2",
            "closer": {"kind": "piece", "seat": 0, "point": "d2"},
        },
        {
            "number": 2,
            "status": "resolved",
            "mover": 0,
            "start": "a2",
            "end": "b2",
            "victim": 1,
            "kind": "piece",
            "point": "b1",
            "closer": {"kind": "edge"},
        },
    ]


def chasing() -> Game:
    """After a2 to b2 has caught c2, b2 to b3 would catch a3 at the edge."""
    game = Game(board(2, {0: ["a2", "d2"], 1: ["c2", "a3", "h3"]}))
    game.move("a2", "b2")
    return game


@rule("K4.3-the-same-piece-may-catch-on")
def test_chase() -> None:
    game = chasing()
    assert (game.kind, game.seat) == ("chase", 0)
    assert game.refusal(type="move", path=["b2", "c2"]) == "K4.3"
    assert game.refusal(type="move", path=["d2", "d3"]) == "K4.3"
    game.move("b2", "b3")
    assert caught(game) == {"c2", "a3"}
    assert game.seat == 1


@rule("K4.3-never-must")
def test_stop() -> None:
    game = chasing()
    game.play(type="stop")
    assert game.told("chase_ended") == [{"type": "chase_ended", "seat": 0}]
    assert "a3" in game.pieces(1)
    assert game.seat == 1


@rule("K4.3-no-turn-without-a-further-catch")
def test_no_chase() -> None:
    game = Game(board(2, {0: ["a2", "d2"], 1: ["c2", "h3"]}))
    game.move("a2", "b2")
    assert game.seat == 1


@rule("K4.3-castles-are-put-before-the-chase")
def test_castle_then_chase() -> None:
    game = Game(board(2, {0: ["a2", "d2"], 1: ["a3", "h3"]}, {"c2": 1}))
    game.move("a2", "b2")
    assert game.kind == "castle"
    game.play(type="castle", point="c4")
    assert game.kind == "chase"


@rule("K4.4-caught-pieces-leave-the-game")
def test_pieces_leave() -> None:
    game = Game(board(2, {0: ["a2", "d2"], 1: ["c2", "h3"]}))
    before = game.state.caught[1]
    game.move("a2", "b2")
    assert game.state.caught[1] == before + 1


@rule("K4.4-a-caught-castle-goes-back-and-one-of-mine-takes-its-territory")
def test_castle_caught() -> None:
    game = Game(board(2, {0: ["d3", "b2"], 1: ["a1", "h3"]}, {"c2": 1}))
    game.move("d3", "d2")
    assert (game.kind, game.seat) == ("castle", 0)
    assert game.told("castle_returned") == [{"type": "castle_returned", "owner": 1, "territory": 0, "point": "c2"}]
    assert game.refusal(type="castle", point="d1") == "K4.4"
    assert game.refusal(type="castle", point="a1") == "K4.4"
    game.play(type="castle", point="c2")
    assert game.castles() == {"c2": 0}


@rule("K4.4-with-fewer-in-hand-the-catcher-chooses-the-territory")
def test_fewer_castles() -> None:
    game = Game(board(2, {0: ["e3", "b3", "d5"], 1: ["h6"]}, {"c3": 1, "d4": 1, "b7": 0, "g5": 0}))
    game.move("e3", "d3")
    assert game.kind == "castle"
    assert {m["point"] for m in game.moves()} >= {"a1", "f1"}
    game.play(type="castle", point="f1")
    assert game.over.reason == "castles"


@rule("K4.1-the-default-move-is-the-first-that-catches-no-castle")
def test_default_move() -> None:
    game = Game(board(2, {0: ["b1", "a3"], 1: ["h3"]}, {"a2": 1}))
    assert msgspec.to_builtins(RULES.default(game.state, 0)) == {"type": "move", "path": ("b1", "c1")}
    game = Game(board(2, {0: ["b1", "a3"], 1: ["a2", "h3"]}))
    assert msgspec.to_builtins(RULES.default(game.state, 0)) == {"type": "move", "path": ("b1", "a1")}
