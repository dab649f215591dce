"""C1 to C5 as Eketorp keeps them: seats, turns, forced decisions, chance, ties."""

from __future__ import annotations

import random
from typing import Any

import pytest

from holmgang.checking.walks import fingerprint, walk
from holmgang.engine.errors import InvalidOption, NotAwaited
from holmgang.engine.turn import Await
from holmgang.games.eketorp.rules.effects import CardsRevealed, EketorpCombat
from holmgang.games.eketorp.rules.rules import Eketorp
from tests.unit.marks import cases, rule

from .table import RULES, TWO_ON_C, Table


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
    table.march(TWO_ON_C)
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
    table.march(TWO_ON_C)
    assert table.turn.seats == (0,)


@rule("C2-a-decision-forced-for-all-has-no-number")
def test_no_number_for_forced() -> None:
    table = Table(3, hands={0: [6], 1: [1]}, piles={0: [2, 2, 2], 1: [3, 3, 3]})
    table.march(TWO_ON_C)
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
    table.march(TWO_ON_C)
    assert table.turn.seats == (1,)
    assert table.told("cards_revealed") == []
    assert table.combat["cards"] is None or 6 not in table.combat["cards"].values()
    table.cards({1: 3})
    (told,) = table.told("cards_revealed")
    assert table.combats[1]["cards"] == {"attacker": 6, "defender": 3}
    assert told["forced"] == [0]
    assert table.combats[1]["cards_forced"] == [0]


@rule("C3-the-record-of-a-siege-still-says-whose-card-was-the-only-one-after-the-loot")
def test_forced_card_before_loot() -> None:
    table = Table(3, hands={0: [6], 1: [2]}, piles={0: [2, 2, 2], 1: [4, 4, 4]}, walls={1: {1: "gg"}})
    table.march({0: "1:catapult"})
    assert table.kind == "loot"
    assert (table.combats[1]["status"], table.combats[1]["cards_forced"]) == ("open", [0, 1])
    table.play(0, type="decline")
    assert (table.combats[1]["status"], table.combats[1]["cards_forced"]) == ("resolved", [0, 1])


@rule("C3-two-equal-cards-are-asked-all-the-same")
def test_looks_forced() -> None:
    table = Table(3, hands={0: [5, 5]}, piles={0: [2, 2]})
    table.march(TWO_ON_C)
    assert table.turn.seats == (0, 1)
    assert table.moves(0) == [{"type": "play", "card": 5}]
    assert table.space(0).count() == 1


@rule("C3-one-fight-to-begin-is-begun")
def test_forced_start() -> None:
    table = Table(3)
    table.march(TWO_ON_C)
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
    table.march(TWO_ON_C)
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
    table.march(TWO_ON_C)
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


@rule("C3-records-and-log-name-the-same-only-cards")
@pytest.mark.parametrize("seats", [3, 6])
def test_forced_cards_of_whole_games(seats: int) -> None:
    """Also of seats that give up in the middle of a combat, and through the loot."""
    for seed in range(4):
        played = walk(RULES, RULES.configure(seats, {}), random.Random(seed), resigning=0.002)
        told: dict[int, tuple[int, ...]] = {}
        for moment in played.moments:
            told |= {one.combat: one.forced for one in moment.step.effects if isinstance(one, CardsRevealed)}
            for record in moment.step.combats:
                assert isinstance(record, EketorpCombat)
                assert record.cards_forced == told.get(record.number, ())
        assert {len(forced) for forced in told.values()} == {0, 1, 2}
