"""Games in which all lies open: what is made of their states."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from msgspec import Struct

from holmgang.engine.listed import ListedMoves
from holmgang.engine.open_table import OpenTable, OpenView, Result
from holmgang.engine.rules import Step
from holmgang.engine.turn import Await, Chance, Over, Turn


class State(Struct, frozen=True):
    turn: int
    coins: tuple[int, ...]
    now: str


class Coins(OpenTable[State]):
    title, state_type = "Coins", State

    def initial(self, config: Any) -> State:
        return State(1, (0, 0, 0), "take")

    def moves(self, state: State, seat: int) -> Any:
        return ListedMoves([1], str, lambda _action: None)

    def apply(self, state: State, seat: int, action: Any) -> Any:
        return Step(state, ())

    def turn(self, state: State) -> Turn:
        turns: dict[str, Turn] = {
            "toss": Chance(state.turn, "toss", 2),
            "take": Await(state.turn, "take", (1,), False),
            "seal": Await(state.turn, "seal", (0, 1), True),
            "done": Over(state.coins, ((1, 2), (0,)), "no_coins"),
        }
        return turns[state.now]


@pytest.mark.parametrize(
    ("now", "phase", "asked", "result"),
    [
        ("toss", "toss", (), None),
        ("take", "take", (1,), None),
        ("done", "over", (), Result((1, 2), (1, 3, 3), ((1, 2), (0,)), "no_coins")),
    ],
)
def test_a_view_is_the_state_and_what_is_awaited(now: str, phase: str, asked: Any, result: Any) -> None:
    rules, state = Coins(), State(7, (1, 3, 3), now)
    for seat in (None, 0, 2):
        view = rules.view(state, seat)
        assert view == OpenView(seat=seat, phase=phase, turn=7, asked=asked, table=state, result=result)
        assert msgspec.json.decode(msgspec.json.encode(view), type=OpenView[State]) == view
        assert rules.determinize(view, random.Random(1)) == state
        assert rules.context(view) == {}


def test_sealed_choices_are_not_shown_on_an_open_table() -> None:
    with pytest.raises(AssertionError, match="Coins seals choices"):
        Coins().view(State(1, (0, 0, 0), "seal"), None)


def test_the_type_of_views_follows_from_the_states() -> None:
    assert Coins.view_type == OpenView[State]
