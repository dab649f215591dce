"""E2: Vikings, amulets, hands, the order of chance, and who begins."""

from __future__ import annotations

import pytest

from holmgang.engine.errors import InvalidOption
from holmgang.engine.turn import Await
from holmgang.games.eketorp.rules.rules import Eketorp
from tests.unit.marks import cases, rule

from .table import Table, dealt

ONE, TWO, THREE, FOUR = 0, 9, 18, 27
"""Where the first card of each value lies in a whole deck sorted by value."""


@rule("E2-setup-ends-with-the-first-placement")
def test_setup() -> None:
    for players in (3, 4, 5, 6):
        assert dealt(players).turn == Await(turn=1, kind="placement", seats=tuple(range(players)), sealed=True)


@cases(
    "players, vikings",
    {
        "E2.1-eight-with-3": (3, 8),
        "E2.1-six-with-4": (4, 6),
        "E2.1-six-with-5": (5, 6),
        "E2.1-five-with-6": (6, 5),
    },
)
def test_vikings(players: int, vikings: int) -> None:
    table = dealt(players)
    assert [table.home(seat) for seat in range(players)] == [vikings] * players
    assert not any(table.hospital(seat) for seat in range(players))


@rule("E2.2-five-amulets-each")
def test_amulets() -> None:
    table = dealt(6)
    assert [table.amulets(seat) for seat in range(6)] == [5] * 6


@rule("E2.2-a-spent-amulet-does-not-come-back")
def test_spent_amulets() -> None:
    table = Table(3, amulets={0: 5}, fields={"C": ""})
    table.march({0: "C", 1: "C"})
    table.play(0, type="exchange")
    table.settle()
    table.cards({0: max(table.hand(0)), 1: 2})
    table.settle()
    assert table.kind == "placement"
    assert table.amulets(0) == 1


@rule("E2.3-four-cards-each")
def test_hands() -> None:
    for players in (3, 6):
        table = dealt(players)
        assert [len(table.hand(seat)) for seat in range(players)] == [4] * players


@rule("E2.3-seat-by-seat-one-card-at-a-time")
def test_order_of_dealing() -> None:
    table = Table.unopened(3)
    stops = []
    while table.turn.label == "battle_card":
        stops.append(table.turn.stop)
        table.chance(table.turn.stop - 1)
    assert stops == list(range(54, 42, -1))
    assert [table.hand(seat) for seat in range(3)] == [[6, 6, 6, 6], [6, 6, 6, 6], [5, 5, 5, 6]]


@cases(
    "drawn, redealt",
    {
        "E2.3-only-1s": ([ONE, ONE, ONE, ONE], True),
        "E2.3-1-2-3": ([ONE, TWO - 1, THREE - 2, THREE - 3], True),
        "E2.3-only-3s": ([THREE, THREE, THREE, THREE], True),
        "E2.3-a-4-is-enough": ([ONE, ONE, ONE, FOUR - 3], False),
        "E2.3-the-4-first": ([FOUR, ONE, ONE, ONE], False),
    },
)
def test_low_hands(drawn: list[int], redealt: bool) -> None:
    table = Table.unopened(3)
    table.chance(*drawn)
    if redealt:
        assert table.turn.stop == 54, "the low hand is back in the deck"
        assert table.told("low_hand_shown")[0]["seat"] == 0
        assert len(table.told("low_hand_shown")[0]["cards"]) == 4
        table.chance(53, 52, 51, 50)
        assert table.hand(0) == [6, 6, 6, 6]
    assert table.turn.stop == 50
    assert len(table.told("low_hand_shown")) == int(redealt)


@rule("E2.3-redealt-again-until-it-holds-a-4")
def test_repeated_low_hands() -> None:
    table = Table.unopened(4)
    table.chance(53, 53 - 1, 53 - 2, 53 - 3)
    for _ in range(3):
        assert table.turn.stop == 50
        table.chance(0, 0, 0, 0)
    assert [shown["seat"] for shown in table.told("low_hand_shown")] == [1, 1, 1]
    assert all(shown["cards"] == [1, 1, 1, 1] for shown in table.told("low_hand_shown"))
    assert table.deck == {1: 9, 2: 9, 3: 9, 4: 9, 5: 9, 6: 5}


@rule("E2.3-only-at-the-start-of-the-game")
def test_later_low_hands() -> None:
    table = Table(3, amulets={0: 4}, fields={"C": ""})
    table.march({0: "C", 1: "C"})
    table.play(0, type="exchange")
    table.chance(0, 0, 0, 0)
    assert table.hand(0) == [1, 1, 1, 1]
    assert table.kind == "battle_card"


@rule("E2.4-hands-then-first-player-then-a-card-a-round")
def test_order_of_chance() -> None:
    table = Table.unopened(3)
    asked = []
    while type(table.turn) is not Await:
        asked.append((table.turn.label, table.turn.stop))
        table.chance(table.turn.stop - 1)
    assert [label for label, _ in asked] == ["battle_card"] * 12 + ["first_player", "material_card"]
    assert asked[-2:] == [("first_player", 3), ("material_card", 12)]


@rule("E2.4-two-cards-are-never-seen")
def test_unseen_cards() -> None:
    table = dealt(3)
    stops = []
    for _ in range(9):
        table.march({})
        assert table.turn.label == "material_card"
        stops.append(table.turn.stop)
        table.chance(0)
    assert stops == [11, 10, 9, 8, 7, 6, 5, 4, 3]
    table.march({})
    assert table.over.reason == "tenth_round"


@rule("E2.4-no-card-comes-twice")
def test_cards_come_once() -> None:
    """With the first of the unseen cards each time, cards 1 to 10 come in this order."""
    table = dealt(6, material_card=0)
    arrived = []
    for _ in range(10):
        arrived.append(table.told("material_revealed")[-1]["card"])
        table.march({})
        table.settle()
    assert arrived == list(table.state.material_cards[:10])


@cases("seat", {f"E2.5-seat-{seat}-begins": seat for seat in range(3)})
def test_first_player(seat: int) -> None:
    by_option = dealt(3, options={"first_player": seat})
    by_chance = dealt(3, first=seat)
    assert by_option.first == by_chance.first == seat


@rule("E2.5-a-named-seat-asks-no-chance")
def test_named_first_player() -> None:
    table = Table.unopened(3, {"first_player": 1})
    labels = []
    while type(table.turn) is not Await:
        labels.append(table.turn.label)
        table.chance(table.turn.stop - 1)
    assert "first_player" not in labels


@cases(
    "value",
    {
        "E2.5-no-such-seat": 3,
        "E2.5-negative": -1,
        "E2.5-a-word": "oldest",
        "E2.5-yes": True,
        "E2.5-nothing": None,
    },
)
def test_wrong_first_player(value: object) -> None:
    with pytest.raises(InvalidOption) as refusal:
        Eketorp().configure(3, {"first_player": value})
    assert refusal.value.pointer == "/first_player"


@rule("E2.5-random-is-the-default")
def test_default_first_player() -> None:
    rules = Eketorp()
    assert rules.options(rules.configure(4, {}))["first_player"] == "random"
    assert rules.configure(4, {}) == rules.configure(4, {"first_player": "random"})
