"""What a single step holds, and where a game may end in the middle of one."""

from __future__ import annotations

from holmgang.engine.rules import play
from holmgang.engine.turn import Chance
from tests.unit.marks import rule

from .table import RULES, TWO_ON_C, Table


@rule("E4-a-step-holds-a-combat-once-as-it-now-stands")
def test_one_record_a_combat() -> None:
    """With single cards and nothing to pay with, the last placement opens the fight and settles it."""
    hands, piles = {0: [6], 1: [1]}, {0: [2, 2, 2], 1: [3, 3, 3]}
    table = Table(3, hands=hands, piles=piles, amulets={0: 0, 1: 0})
    for seat in (0, 1):
        table.play(seat, **table.errand(TWO_ON_C[seat]))
    step = play(RULES, table.state, 2, table.decode(2, **table.errand("")))
    assert [(combat.number, combat.status) for combat in step.combats] == [(1, "resolved")]


@rule("C7-the-last-seat-wins-while-cards-are-drawn")
def test_end_within_an_exchange() -> None:
    table = Table(3, amulets={0: 4, 1: 4})
    table.march(TWO_ON_C)
    table.play(table.turn.seats[0], type="exchange")
    assert type(table.turn) is Chance
    table.resign(1)
    assert type(table.turn) is Chance
    table.resign(2)
    assert (table.over.reason, table.over.ranking[0]) == ("last_seat", (0,))


@rule("C2-another-kind-is-told-what-the-turn-asks-for")
def test_rule_of_another_kind() -> None:
    table = Table(3, amulets={0: 4, 1: 4})
    assert table.refusal(0, type="build", stones=[]) == "C2"
    table.march(TWO_ON_C)
    assert table.kind == "amulets"
    assert table.refusal(table.turn.seats[0], type="play", card=2) == "C2"


@rule("C2-states-with-sealed-choices-can-be-told-apart")
def test_states_are_keys() -> None:
    """Equal states are one key of a search, however a placement was written; others are not."""
    reached = set()
    for fields in ({"A": 1, "B": 2}, {"B": 2, "A": 1}, {"A": 2, "B": 1}):
        table = Table(3)
        table.play(0, type="place", fields=fields, sieges=["1:boat"])
        reached.add(table.state)
    assert len(reached) == 2


@rule("E4.7.5-equal-loot-is-one-key")
def test_loot_is_a_key() -> None:
    decode = Table.rules.decode
    written = [{"3": 1, "4": 2}, {"4": 2, "3": 1}, {"3": 1, "4": 1}]
    loots = {decode("loot", {"type": "loot", "walls": walls, "kept": "wood"}) for walls in written}
    assert len(loots) == 2
