"""The bench of a step, and what holds of states."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import Struct

from holmgang.engine import work
from holmgang.engine.invariants import BrokenInvariant, hold
from holmgang.engine.rules import Combat
from holmgang.engine.tuples import without


class Board(Struct, array_like=True):
    phase: str
    awaited: tuple[int, ...]
    turn: int
    left: int


class State(Board, frozen=True, array_like=True):  # type: ignore[misc]
    pass


class Work(work.Work[Board, State, Combat]):
    board, state = Board, State


START = State("count", (), 4, 3)


def count(w: Work) -> None:
    w.d.left -= 1
    w.effects.append(w.d.left)
    if not w.d.left:
        w.d.phase = "done"


def ask(w: Work) -> None:
    w.ask("choose", 2, 0)


def test_phases_run_until_one_asks_and_the_state_they_began_with_stays() -> None:
    step = Work(START).go_on({"count": count, "done": ask})
    assert step.state == State("choose", (2, 0), 5, 0)
    assert type(step.state) is State
    assert step.effects == (2, 1, 0)
    assert State("count", (), 4, 3) == START


def test_where_no_phase_is_to_run_nothing_changes() -> None:
    step = Work(START).go_on({})
    assert (step.state, step.effects, step.combats) == (START, (), ())


def test_a_combat_is_told_once_as_it_now_stands() -> None:
    w = Work(START)
    for number, status in ((1, "open"), (2, "open"), (1, "resolved")):
        w.records.append(Combat(number=number, status=status))
    assert w.step().combats == (Combat(number=1, status="resolved"), Combat(number=2, status="open"))


def test_what_does_not_hold_is_said() -> None:
    hold(True, "never said")
    with pytest.raises(BrokenInvariant, match="a stone is missing"):
        hold(False, "a stone is missing")


@pytest.mark.parametrize(("whole", "left"), [((1, 2, 3), (1, 3)), ((2,), ()), ((2, 2), (2,))])
def test_the_first_that_is_equal_is_taken_out(whole: tuple[Any, ...], left: tuple[Any, ...]) -> None:
    assert without(whole, 2) == left
