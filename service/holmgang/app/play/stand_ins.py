"""Choices that the service makes: of built-in bots, and of seats whose players are absent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from uuid_utils.compat import uuid7

from holmgang.app.records.absence import DEFAULT
from holmgang.app.records.changes import NewSubmission
from holmgang.app.records.contexts import GameRow
from holmgang.app.records.play import Task
from holmgang.engine import errors as faults
from holmgang.engine.rules import AnyRules
from holmgang.engine.turn import Await

from . import steps
from .deadlines import DeadlineTables, goes_on
from .position import Position, as_text, position


def seen_by(tables: DeadlineTables, task: Task) -> Position[GameRow] | None:
    """The position that a task is about; None if its turn has passed or its player has returned."""
    row = tables.game_row(task.game, lock=False)
    return None if row is None else _still_asked(tables, task, row)


def _still_asked(tables: DeadlineTables, task: Task, row: GameRow) -> Position[GameRow] | None:
    if row.status != "active" or row.turn != task.turn or tables.played_by(task.game, task.seat) != task.by:
        return None
    place = position(tables, row)
    return place if task.seat in place.awaited() else None


def choice(place: Position[GameRow], task: Task, choose: Callable[[AnyRules, Any], Any]) -> Any:
    """The action for a task, as a JSON value. `choose` is a bot: it gets the rules and the view of its seat."""
    rules, seat = place.rules, task.seat
    if task.by == DEFAULT:
        return msgspec.to_builtins(rules.default(place.without(seat), seat))
    return msgspec.to_builtins(choose(rules, rules.view(place.state, seat)))


def check(place: Position[GameRow], task: Task, value: Any) -> None:
    """Raise MalformedAction or IllegalAction if the seat may not choose this.

    The choice is also tried, so that a fault of the rules is raised here, before a row is locked or a choice sealed.
    """
    rules, state = place.rules, place.without(task.seat)
    action = rules.decode(str(place.row.kind), value)
    fault = rules.moves(state, task.seat).why_not(action)
    if fault is not None:
        raise faults.IllegalAction(fault)
    rules.apply(state, task.seat, action)


def carry_out(tables: DeadlineTables, task: Task, value: Any, *, defaulted: bool = False) -> bool:
    """Make the choice of a task, unless the turn has passed, the player has returned, or nobody is present any more.
    Returns whether it was made. In a transaction.

    Bots get a receipt like any player, unless they could not choose and are `defaulted`. A choice that is made for an
    absent player leaves no receipt.
    """
    row = tables.game_row(task.game, lock=True)
    place = None if row is None else _still_asked(tables, task, row)
    if row is None or place is None:
        return False
    holders = tables.holders(task.game)
    holder = next(h for h in holders if h.seat == task.seat)
    there = holder.bot is None and holder.absent_since is None  # returned to an older release, which left the task
    if there or not goes_on(row, holders):
        return False
    asked = place.asked
    assert type(asked) is Await, "it awaits the seat"
    receipt = None
    if holder.bot is not None and not defaulted:
        receipt = NewSubmission(
            id=uuid7(), turn=row.turn, kind=str(row.kind), seat=task.seat, revision=1, action=as_text(value)
        )
    action = place.rules.decode(str(row.kind), value)
    change = steps.taken(place, asked, task.seat, value, action, receipt)
    return tables.write(msgspec.structs.replace(change, late=True)) is not None
