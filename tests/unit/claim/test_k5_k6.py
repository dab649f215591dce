"""K5, K6 and what C5 to C7 mean for sides: claims and the end."""

from __future__ import annotations

from typing import Any

from tests.unit.marks import cases, rule

from .boards import board
from .playing import RULES, Game


def claiming(pieces: dict[int, list[str]], castles: dict[str, int] | None = None, players: int = 2) -> Game:
    """Seat 0 is asked for a claim at the beginning of its battle turn."""
    return Game(board(players, pieces, castles, phase="claim"))


def open_to(game: Game) -> set[int]:
    return set(map(int, RULES.context(RULES.view(game.state, 0))["claimable"]))


@cases(
    "pieces, castles, territories",
    {
        "K5-an-own-piece-and-no-enemy": ({0: ["a1", "d1"], 1: ["e1", "h3"]}, {}, {0}),
        "K5-several-at-once": ({0: ["a1", "d1", "a5"], 1: ["h3"]}, {}, {0, 1, 2}),
        "K5-an-enemy-castle-is-no-hindrance": ({0: ["a1", "d1"], 1: ["h3"]}, {"b2": 1}, {0, 1}),
        "K5-not-where-mine-stands": ({0: ["a1", "d1"], 1: ["h3"]}, {"b2": 0}, {1}),
    },
)
def test_claimable(pieces: dict[int, list[str]], castles: dict[str, int], territories: set[int]) -> None:
    assert open_to(claiming(pieces, castles)) == territories


@rule("K5-partners-pieces-do-not-hinder-but-their-castles-do")
def test_partners() -> None:
    game = claiming({0: ["a1", "d1"], 1: ["m3"], 2: ["b1"], 3: ["m4"]}, {"d2": 2}, players=4)
    assert open_to(game) == {0}


@cases(
    "castles, rule_id",
    {
        "K5-empty-to-decline": ({}, None),
        "K5-one": ({"b2": 0}, None),
        "K5-all": ({"b2": 0, "d2": 1, "a6": 2}, None),
        "K5-a-free-point": ({"a1": 0}, "K5"),
        "K5-of-that-territory": ({"d2": 0}, "K5"),
        "K5-not-another-territory": ({"g3": 4}, "K5"),
    },
)
def test_claims(castles: dict[str, int], rule_id: str | None) -> None:
    game = claiming({0: ["a1", "d1", "a5"], 1: ["h3"]})
    wire = [{"territory": t, "point": p} for p, t in castles.items()]
    assert game.refusal(type="claim", castles=wire) == rule_id


@rule("K5-one-castle-a-territory")
def test_twice() -> None:
    game = claiming({0: ["a1"], 1: ["h3"]})
    wire = [{"territory": 0, "point": p} for p in ("b1", "b2")]
    assert game.refusal(type="claim", castles=wire) == "K5"


@rule("K5-not-more-than-in-hand")
def test_hand() -> None:
    game = claiming({0: ["a1", "d1"], 1: ["h3"]}, {"a8": 0, "d8": 0})
    wire = [{"territory": 0, "point": "b2"}, {"territory": 1, "point": "d2"}]
    assert game.refusal(type="claim", castles=wire) == "K5"
    assert len(game.moves()) == 1 + 11 + 11


@rule("K5-the-enemy-castle-goes-back-and-its-point-is-free")
def test_replaced() -> None:
    game = claiming({0: ["a1"], 1: ["h3"]}, {"b2": 1})
    game.claim(b2=0)
    assert game.castles() == {"b2": 0}
    assert game.told("castle_returned")[0]["owner"] == 1
    assert game.state.castles.count(1) == 0


@rule("K5-nothing-to-claim-is-no-turn")
def test_no_turn() -> None:
    game = Game(board(2, {0: ["a1", "h5"], 1: ["a2", "h3", "e5"]}, active=1))
    game.move("e5", "e6")
    assert (game.kind, game.seat) == ("move", 0)


@rule("K6-the-end-asks-nobody-any-more")
def test_end() -> None:
    game = claiming({0: ["a1"], 1: ["h3"]}, {"a8": 0, "d8": 0})
    game.claim(b2=0)
    assert game.kind == "over"
    assert game.told("game_ended")[0]["winners"] == (0,)


@rule("K6.1-three-castles-win-at-once")
def test_three() -> None:
    game = claiming({0: ["a1"], 1: ["h3"]}, {"a8": 0, "d8": 0})
    game.claim(b2=0)
    assert game.over.reason == "castles"
    assert game.over.ranking == ((0,), (1,))


@cases(
    "castles, ends",
    {
        "K6.1-partners-need-five": ({"d1": 0, "g1": 0, "j1": 2, "a5": 2}, True),
        "K6.1-three-of-one-partner-are-not-enough": ({"d1": 0, "g1": 0}, False),
    },
)
def test_partners_castles(castles: dict[str, int], ends: bool) -> None:
    pieces: dict[int, list[str]] = {0: ["a1"], 1: ["m3"], 2: ["l1"], 3: ["m4"]}
    game = claiming(pieces, castles, players=4)
    game.claim(b2=0)
    assert (game.kind == "over") is ends
    if ends:
        assert game.over.ranking == ((0, 2), (1, 3))


@rule("K6.2-a-side-that-alone-has-pieces")
def test_alone() -> None:
    game = Game(board(2, {0: ["a2", "d2"], 1: ["c2"]}))
    game.move("a2", "b2")
    assert game.over.reason == "alone"
    assert game.over.ranking == ((0,), (1,))


@rule("K6.2-not-while-a-third-has-pieces")
def test_not_alone() -> None:
    game = Game(board(3, {0: ["a2", "d2"], 1: ["c2"], 2: ["h7"]}))
    game.move("a2", "b2")
    assert game.kind != "over"


def _shuffle(game: Game, times: int) -> None:
    """Both go to and fro on fields of their own, claiming nothing."""
    for n in range(times):
        for _ in (0, 1):
            seat = game.seat
            if game.kind == "claim":
                game.claim()
            if game.kind == "over":
                return
            here, there = (("a1", "a2") if seat == 0 else ("h3", "h4"))[:: 1 if n % 2 == 0 else -1]
            game.move(here, there)
            if game.kind == "over":
                return


@rule("K6.3-the-fourth-time-ends-the-game")
def test_repetition() -> None:
    game = Game(board(2, {0: ["a1"], 1: ["h3"]}, turns=(0, 0), phase="move"))
    _shuffle(game, 20)
    assert game.over.reason == "repetition"
    assert max(e["repeats"] for e in game.told("battle_turn_started")) == 3


@cases(
    "pieces, castles, asked",
    {
        "K6.3-how-often-it-stood-is-told-in-a-chase": ({0: ["a2", "d2"], 1: ["c2", "a3", "h3"]}, {}, ["chase"]),
        "K6.3-and-when-a-castle-is-put": ({0: ["a2", "d2"], 1: ["a3", "h3", "b1"]}, {"c2": 1}, ["castle", "chase"]),
    },
)
def test_position_stood(pieces: dict[int, list[str]], castles: dict[str, int], asked: list[str]) -> None:
    """What is caught on the way, and what thereby cannot come again, changes nothing of it."""
    game = Game(board(2, pieces, castles, turns=(0, 0), phase="move"))
    for here, there in (("d2", "e2"), ("h3", "h4"), ("e2", "d2"), ("h4", "h3")) * 2:
        if game.kind == "claim":
            game.claim()
        game.move(here, there)
    if game.kind == "claim":
        game.claim()
    told = [RULES.context(RULES.view(game.state, 0))["position_stood"]]
    game.move("a2", "b2")
    for kind in asked:
        assert game.kind == kind
        told.append(RULES.context(RULES.view(game.state, 0))["position_stood"])
        if kind == "castle":
            game.play(type="castle", point="c4")
    assert set(told) == {2}


@cases(
    "pieces, castles, ranking",
    {
        "K6.3-most-castles": ({0: ["a1"], 1: ["h3", "h6"]}, {"a8": 0}, ((0,), (1,))),
        "K6.3-then-most-pieces": ({0: ["a1"], 1: ["h3", "h6"]}, {}, ((1,), (0,))),
        "K6.3-else-shared": ({0: ["a1"], 1: ["h3"]}, {}, ((0, 1),)),
        "K6-C5-ties-are-shared": ({0: ["a1"], 1: ["h3"]}, {}, ((0, 1),)),
    },
)
def test_turn_limit(pieces: dict[int, list[str]], castles: dict[str, int], ranking: Any) -> None:
    game = Game(board(2, pieces, castles, turns=(200, 200), active=1))
    game.move("h3", "h4")
    assert game.over.reason == "turn_limit"
    assert game.over.ranking == ranking


@rule("K6.3-two-hundred-turns-are-played")
def test_last_turn() -> None:
    game = Game(board(2, {0: ["a1"], 1: ["h3"]}, turns=(199, 199), active=1))
    game.move("h3", "h4")
    assert game.kind == "claim"
    assert game.state.turns[0] == 200


@rule("C6-the-whole-side-resigns-and-cannot-win")
def test_side_resigns() -> None:
    game = Game(board(4, {0: ["a1"], 1: ["m3"], 2: ["l1"], 3: ["m4"]}))
    game.resign(2)
    assert game.over.reason == "last_seat"
    assert game.over.ranking == ((1, 3), (0, 2))


@rule("C6-a-resigned-seat-plays-defaults-and-claims-nothing")
def test_defaults() -> None:
    game = Game(board(3, {0: ["a1", "d1"], 1: ["g8", "d5"], 2: ["h7", "g1"]}, active=2))
    game.resign(0)
    game.move("h7", "h8")
    moved = [e for e in game.told("piece_moved") if e["seat"] == 0]
    assert moved == [{"type": "piece_moved", "seat": 0, "path": ("a1", "b1"), "defaulted": True}]
    assert not game.castles()
    assert game.seat == 1


@rule("C7-the-last-side-left-has-won")
def test_last() -> None:
    game = Game(board(3, {0: ["a1"], 1: ["h7"], 2: ["g1"]}))
    game.resign(0)
    game.resign(2)
    assert game.over.ranking[0] == (1,)
    assert game.over.reason == "last_seat"


@cases("first, asked", {"C1-a-seat": (1, 1), "C1-the-next-is-the-next-higher": (2, 2)})
def test_first(first: int, asked: int) -> None:
    assert Game.new(3, first_player=first).seat == asked
