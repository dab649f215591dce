"""C1 to C7 as Eketorp keeps them: seats, turns, forced decisions, chance, ties, resignation, the last seat."""

from __future__ import annotations

import random
from typing import Any

import pytest

from service.engine.conformance import fingerprint, walk
from service.engine.errors import InvalidOption, NotAwaited
from service.engine.turn import Await, Over
from service.games.eketorp.rules import Eketorp

from .rule_ids import cases, rule
from .table import Table, dealt

ON_C = {0: "C", 1: "C"}


@cases(
    "players, first, order",
    {
        "C1-clockwise-is-upwards": (4, 1, [1, 2]),
        "C1-the-last-is-followed-by-0": (4, 3, [3, 0]),
        "C1-wraps-over-who-has-nothing": (6, 4, [4, 0]),
    },
)
def test_clockwise(players: int, first: int, order: list[int]) -> None:
    """The two seats named are alone on four fields and begin fights in turn."""
    one, two = order
    table = Table(players, first=first)
    table.march({one: "A B C D", two: "A B C D"})
    starters = []
    for space in "ABC":
        (seat,) = table.turn.seats
        starters.append(seat)
        table.fight(seat, space, two if seat == one else one)
        table.cards({seat: table.hand(seat)[-1], (two if seat == one else one): 2 + "ABC".index(space)})
    assert starters == [one, two, one]


@cases("value", {"C1-seat-6-of-6": 6, "C1-negative-seat": -1, "C1-first": "first", "C1-a-list": [0]})
def test_no_such_first_player(value: object) -> None:
    with pytest.raises(InvalidOption) as refusal:
        Eketorp().configure(6, {"first_player": value})
    assert refusal.value.pointer == "/first_player"


@rule("C1-a-seat-or-random")
def test_first_player_option() -> None:
    rules = Eketorp()
    for value in (*range(6), "random"):
        assert rules.options(rules.configure(6, {"first_player": value}))["first_player"] == value


@rule("C2-turns-are-counted")
def test_turns_count() -> None:
    table = Table(3, amulets={0: 4})
    numbers = [table.turn.turn]
    table.march(ON_C)
    numbers.append(table.turn.turn)
    table.play(0, type="stand")
    numbers.append(table.turn.turn)
    table.play(1, type="play", card=2)
    numbers.append(table.turn.turn)
    assert numbers == [1, 2, 3, 3]


@rule("C2-nobody-learns-a-sealed-choice")
def test_sealed_choices_are_hidden() -> None:
    """Two different choices of seat 1 leave everybody else with the same view."""
    tables = [Table(3), Table(3)]
    tables[0].play(1, **tables[0].errand("A3 2:boat"))
    tables[1].play(1, **tables[1].errand(""))
    for seat in (None, 0, 2):
        assert tables[0].view(seat) == tables[1].view(seat)
    assert tables[0].view(1) != tables[1].view(1)
    assert tables[0].effects == tables[1].effects


@rule("C2-all-choices-are-shown-with-the-last")
def test_last_choice_reveals() -> None:
    table = Table(3)
    before = len(table.effects)
    table.play(0, **table.errand("A"))
    table.play(1, **table.errand("B"))
    assert len(table.effects) == before
    table.play(2, **table.errand("C"))
    assert len(table.effects) > before


@rule("C2-once-in-a-seat-is-not-awaited")
def test_second_choice() -> None:
    table = Table(3)
    table.play(0, **table.errand("A"))
    assert table.turn == Await(turn=1, kind="placement", seats=(1, 2), sealed=True)
    with pytest.raises(NotAwaited):
        table.play(0, **table.errand("B"))


@rule("C2-another-choice-may-take-its-place")
def test_replacement() -> None:
    """A replaced choice leaves no trace: the order and the number of revisions do not matter."""
    straight, revised = Table(3), Table(3)
    straight.play(0, **straight.errand("B2"))
    Table.copy(revised).play(0, **revised.errand("A3"))
    revised.play(0, **revised.errand("B2"))
    assert straight.state == revised.state


@rule("C2-only-seats-with-a-choice-are-awaited")
def test_only_those_with_a_choice() -> None:
    table = Table(3, hands={1: [4]}, piles={1: [1, 2, 3]}, hospital={2: {"12": 8}})
    assert table.turn.seats == (0, 1)
    table.march(ON_C)
    assert table.turn.seats == (0,)


@rule("C2-a-decision-forced-for-all-has-no-number")
def test_no_number_for_forced() -> None:
    table = Table(3, hands={0: [6], 1: [1]}, piles={0: [2, 2, 2], 1: [3, 3, 3]})
    table.march(ON_C)
    assert table.combats[1]["status"] == "resolved"
    table.settle()
    assert table.turn == Await(turn=2, kind="placement", seats=(0, 1, 2), sealed=True)


@rule("C2-an-action-of-another-kind")
def test_other_kind() -> None:
    table = Table(3)
    assert table.refusal(0, type="play", card=3) is not None
    assert table.refusal(0, type="stand") is not None


@cases(
    "action",
    {
        "C2-an-action-says-its-type": {"fields": {}, "sieges": []},
        "C2-no-unknown-type": {"type": "retreat", "fields": {}, "sieges": []},
        "C2-no-unknown-keys": {"type": "place", "fields": {}, "sieges": [], "note": "hello"},
    },
)
def test_malformed_actions(action: dict[str, Any]) -> None:
    Table(3).malformed(0, **action)


@rule("C3-a-hand-of-one-card-is-played-for-its-owner")
def test_forced_card() -> None:
    table = Table(3, hands={0: [6]}, piles={0: [2, 2, 2]})
    table.march(ON_C)
    assert table.turn.seats == (1,)
    assert table.told("cards_revealed") == []
    assert table.combat["cards"] is None or 6 not in table.combat["cards"].values()
    table.cards({1: 3})
    (told,) = table.told("cards_revealed")
    assert table.combats[1]["cards"] == {"attacker": 6, "defender": 3}
    assert told["forced"] == [0]


@rule("C3-two-equal-cards-are-asked-all-the-same")
def test_looks_forced() -> None:
    table = Table(3, hands={0: [5, 5]}, piles={0: [2, 2]})
    table.march(ON_C)
    assert table.turn.seats == (0, 1)
    assert table.moves(0) == [{"type": "play", "card": 5}]
    assert table.space(0).count() == 1


@rule("C3-one-fight-to-begin-is-begun")
def test_forced_start() -> None:
    table = Table(3)
    table.march(ON_C)
    assert table.kind == "battle_card"
    assert table.told("fight_started")[0]["forced"] is True


@rule("C3-a-choice-of-fights-is-asked")
def test_chosen_start() -> None:
    table = Table(3)
    table.march({0: "C D", 1: "C", 2: "D"})
    assert (table.kind, table.turn.seats) == ("initiative", (0,))
    table.fight(0, "D", 2)
    assert not table.told("fight_started")[0].get("forced")


@rule("C3-who-cannot-pay-stands")
def test_forced_stand() -> None:
    table = Table(3, amulets={0: 3, 1: 4})
    table.march(ON_C)
    assert table.turn.seats == (1,)
    assert [told["seat"] for told in table.told("stood") if told.get("forced")] == [0]


@rule("C3-a-forced-loot-is-declined")
def test_forced_decline() -> None:
    table = Table(3, walls={1: {3: "s"}}, hands={0: [5, 1, 1, 1], 1: [4, 1, 1, 1]})
    table.march({0: "1:boat"})
    table.cards({0: 5, 1: 4})
    assert table.told("loot_declined")[0]["forced"] is True


@rule("C4-equal-chances-and-choices-equal-games")
def test_equal_games() -> None:
    rules = Eketorp()
    prints = [fingerprint(walk(rules, rules.configure(4, {}), random.Random(seed))) for seed in (1, 1, 2)]
    assert prints[0] == prints[1] != prints[2]


@cases(
    "value, card",
    {
        "C4-value-0-is-the-lowest-card": (0, 1),
        "C4-value-8-is-the-last-1": (8, 1),
        "C4-value-9-is-the-first-2": (9, 2),
        "C4-value-53-is-the-highest": (53, 6),
        "C4-value-44-is-the-last-5": (44, 5),
    },
)
def test_chance_value(value: int, card: int) -> None:
    table = Table.unopened(3)
    table.chance(value, 50, 50, 50)
    assert sorted(table.hand(0)) == sorted([card, 6, 6, 6])


@rule("C4-chance-is-asked-in-the-order-of-need")
def test_chance_order() -> None:
    table = Table(3, amulets={0: 4, 1: 4})
    table.march(ON_C)
    table.play(0, type="exchange")
    assert (table.turn.label, table.turn.turn) == ("battle_card", 2)
    table.settle()
    assert (table.kind, table.turn.seats) == ("amulets", (1,))


@cases(
    "walls, ranking",
    {
        "C5-two-share-the-win": ({0: "s", 1: "s", 2: "g"}, ((0, 1), (2,))),
        "C5-all-share-the-win": ({}, ((0, 1, 2),)),
        "C5-two-share-the-second-rank": ({1: "s", 0: "w", 2: "w"}, ((1,), (0, 2))),
        "C5-first-player-breaks-no-tie": ({0: "c", 2: "c"}, ((0, 2), (1,))),
    },
)
def test_ties(walls: dict[int, str], ranking: tuple[tuple[int, ...], ...]) -> None:
    table = Table(3, round=10, first=2, walls={seat: {1: stones} for seat, stones in walls.items()})
    table.march({})
    assert table.over.ranking == ranking


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
    table.march(ON_C)
    assert table.default(0) == {"type": "stand"}


@rule("C6-default-card-is-the-lowest")
def test_default_card() -> None:
    table = Table(3, hands={0: [6, 3, 5, 4]})
    table.march(ON_C)
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
    assert type(table.turn) is Await
    table.resign(1)
    assert type(table.turn) is Over
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
