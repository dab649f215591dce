"""C6, C7 and the default actions: resignation, and the last seat."""

from __future__ import annotations

from typing import Any

from holmgang.engine.turn import Await
from tests.unit.marks import cases, rule

from .table import TWO_ON_C, Table, dealt


@rule("C6-a-resigned-seat-plays-defaults-at-once")
def test_resigned_placement() -> None:
    table = Table(3)
    table.resign(1)
    assert table.turn == Await(turn=1, kind="placement", seats=(0, 2), sealed=True)
    table.march({0: "C", 2: "C"})
    assert table.home(1) == 8


@rule("C6-a-sealed-choice-stands")
def test_sealed_choice_stands() -> None:
    table = Table(3, fields={"A": "ggg"})
    table.play(1, **table.errand("A2 B"))
    table.resign(1)
    assert table.turn.seats == (0, 2)
    table.march({})
    assert table.hospital(1) == {}
    assert (table.carried(1), table.built(1)) == ("", "gg")


@rule("C6-defaults-have-no-turn-number")
def test_defaults_are_not_counted() -> None:
    table = Table(3, amulets={1: 4})
    table.resign(1)
    table.march({0: "1:boat"})
    assert table.turn == Await(turn=2, kind="battle_card", seats=(0,), sealed=True)
    (told,) = [told for told in table.told("stood") if told["seat"] == 1]
    assert told["defaulted"] is True
    table.cards({0: 4})
    assert table.combats[1]["cards"] == {"attacker": 4, "defender": 2}


@rule("C6-resigning-when-all-others-are-in-ends-the-turn")
def test_resignation_ends_the_turn() -> None:
    table = Table(3)
    table.play(0, **table.errand("C"))
    table.play(2, **table.errand("C"))
    table.resign(1)
    assert table.turn == Await(turn=2, kind="battle_card", seats=(0, 2), sealed=True)


@cases("amulets", {"C6-no-win-with-the-most-points": 5, "C6-no-shared-win": 0})
def test_cannot_win(amulets: int) -> None:
    table = Table(3, round=10, amulets={1: amulets})
    table.resign(1)
    table.march({})
    assert table.over.scores == (0, amulets, 0)
    assert table.over.ranking == ((0, 2), (1,))


@rule("C6-no-win-by-whole-walls")
def test_cannot_win_early() -> None:
    walls = {1: {wall: "sgg" if wall == 1 else "ggg" for wall in range(1, 6)} | {6: "gg"}}
    table = Table(4, fields={"A": "g"}, walls=walls)
    table.play(1, **table.errand("A"))
    table.resign(1)
    table.march({})
    assert table.over.reason == "walls_complete"
    assert table.over.ranking == ((0, 2, 3), (1,))


@rule("C6-the-resigned-are-ranked-by-score-behind-the-others")
def test_ranking_of_resigned() -> None:
    table = Table(4, round=10, amulets={0: 1, 1: 5, 2: 3, 3: 0})
    table.resign(1)
    table.resign(2)
    table.march({})
    assert table.over.ranking == ((0,), (3,), (1,), (2,))


@rule("C6-equal-scores-share-a-rank")
def test_equal_resigned() -> None:
    table = Table(5, round=10, amulets={0: 1, 1: 2, 2: 2, 3: 1, 4: 0})
    table.resign(1)
    table.resign(2)
    table.march({})
    assert table.over.ranking == ((0, 3), (4,), (1, 2))


@rule("C6-default-placement-stays-home")
def test_default_placement() -> None:
    assert Table(3).default(0) == {"type": "place", "fields": {}, "sieges": []}


@cases(
    "errands, default",
    {
        "C6-default-start-first-field": (
            {0: "B A", 1: "A B", 2: "A B"},
            {"type": "fight", "space": "A", "against": 1},
        ),
        "C6-default-start-fields-before-sieges": (
            {0: "G 1:catapult", 2: "G"},
            {"type": "fight", "space": "G", "against": 2},
        ),
        "C6-default-start-village-then-engine": (
            {0: "2:catapult 1:ram 1:boat"},
            {"type": "besiege", "space": "1:boat"},
        ),
        "C6-default-start-catapult-before-boat": (
            {0: "1:boat 1:catapult"},
            {"type": "besiege", "space": "1:catapult"},
        ),
        "C6-default-start-lowest-opponent": (
            {0: "1:boat 2:ram", 2: "1:boat"},
            {"type": "fight", "space": "1:boat", "against": 2},
        ),
    },
)
def test_default_start(errands: dict[int, str], default: dict[str, Any]) -> None:
    table = Table(3)
    table.march(errands)
    assert table.kind == "initiative"
    assert table.default(0) == default


@rule("C6-default-amulets-stand")
def test_default_amulets() -> None:
    table = Table(3, amulets={0: 5})
    table.march(TWO_ON_C)
    assert table.default(0) == {"type": "stand"}


@rule("C6-default-card-is-the-lowest")
def test_default_card() -> None:
    table = Table(3, hands={0: [6, 3, 5, 4]})
    table.march(TWO_ON_C)
    assert table.default(0) == {"type": "play", "card": 3}


@rule("C6-default-loot-declines")
def test_default_loot() -> None:
    table = Table(3, walls={1: {3: "g"}})
    table.march({0: "1:boat"})
    table.cards({0: 5, 1: 2})
    assert table.default(0) == {"type": "decline"}
    table.resign(0)
    assert table.walls(1) == {3: "g"}
    assert table.combats[1]["status"] == "resolved"


@rule("C6-default-spoils-are-the-dearest")
def test_default_spoils() -> None:
    table = Table(3, fields={"C": "gwc"})
    table.march({0: "C"})
    assert table.default(0) == {"type": "take", "space": "C", "stone": "clay"}


@cases(
    "walls, default",
    {
        "C6-default-building-dearest-first": ({}, [("clay", 1), ("wood", 1), ("grass", 1)]),
        "C6-default-building-lowest-wall-with-room": (
            {1: "ggg", 2: "gg"},
            [("clay", 2), ("wood", 3), ("grass", 3)],
        ),
        "C6-default-building-keeps-the-cheapest-aside": (
            dict.fromkeys(range(1, 6), "ggg") | {6: "gg"},
            [("clay", 6)],
        ),
    },
)
def test_default_building(walls: dict[int, str], default: list[tuple[str, int]]) -> None:
    table = Table(3, fields={"A": "g", "B": "w", "D": "c"}, walls={0: walls})
    table.march({0: "A B D"})
    action = table.default(0)
    assert action["type"] == "build"
    left = Table.copy(table)
    left.play(0, **action)
    table.play(0, type="build", stones=[{"stone": stone, "wall": wall} for stone, wall in default])
    assert left.walls(0) == table.walls(0)


@rule("C6-a-resignation-in-a-fight-plays-the-lowest-card")
def test_resignation_in_a_fight() -> None:
    table = Table(3, hands={0: [6, 5, 4, 3]})
    table.march({0: "C", 1: "C D", 2: "D"})
    table.fight(0, "C", 1)
    table.play(1, type="play", card=5)
    table.resign(0)
    assert table.combats[1]["cards"] == {"attacker": 3, "defender": 5}
    assert table.combat["number"] == 2


@rule("C6-a-seat-resigns-once")
def test_resigned_is_never_awaited() -> None:
    table = Table(4)
    table.resign(2)
    for _ in range(10):
        assert 2 not in table.turn.seats
        table.march({})
        table.settle()
    assert table.turn_is_over


@rule("C7-the-last-seat-has-won")
def test_last_seat() -> None:
    table = Table(3, amulets={0: 5, 1: 5, 2: 0})
    table.resign(0)
    assert not table.turn_is_over
    table.resign(1)
    assert table.over.reason == "last_seat"
    assert table.over.scores == (5, 5, 0)
    assert table.over.ranking == ((2,), (0, 1))


@cases("stays", {f"C7-seat-{seat}-stays": seat for seat in range(4)})
def test_any_last_seat(stays: int) -> None:
    table = Table(4)
    table.march({0: "C", 1: "C"})
    for seat in range(4):
        if seat != stays:
            assert not table.turn_is_over
            table.resign(seat)
            table.settle()
    assert table.over.ranking[0] == (stays,)


@rule("C7-two-seats-play-on")
def test_two_seats() -> None:
    table = Table(6)
    for seat in (0, 2, 3, 5):
        table.resign(seat)
    assert table.turn.seats == (1, 4)


@rule("C7-the-game-begins-with-all-seats")
def test_not_before_a_resignation() -> None:
    assert dealt(3).turn.seats == (0, 1, 2)
