"""Games as they were: what a seat or a spectator saw after a row of the log, or after a turn."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile
from typing import Any

from holmgang.app.errors import GameNotActive, GameNotOver, NotFound
from holmgang.app.pauses import with_pauses
from holmgang.app.play.position import entry_of, rules_of
from holmgang.app.ports import HistoryTable
from holmgang.app.records.contexts import ViewContext
from holmgang.engine.messages import say
from holmgang.engine.replay import Entry, replay
from holmgang.engine.turn import Seat


def view_at(tables: HistoryTable, context: ViewContext, at: int, as_seat: Seat | None) -> Any:
    """The view after the log's row `at`, for the caller's seat or any other: the record shows everybody's choices.

    Refused with GameNotOver before the end, whoever asks. The game is played again from its start, which costs no more
    than `at` moves: rules end every game after a bounded number of them.
    """
    snapshot = context.snapshot
    if snapshot.status != "over":
        raise GameNotOver(say("How a game was before is shown once it is over."))
    if at >= snapshot.entries:
        raise NotFound("row", at)
    if as_seat is not None and as_seat >= snapshot.seat_count:
        raise NotFound("seat", as_seat)
    return _view_after(context, _entries(tables, context, at + 1), context.caller.seat if as_seat is None else as_seat)


def view_after(tables: HistoryTable, context: ViewContext, turn: int) -> Any:
    """The view once this turn had ended, for the caller's own seat; also while the game goes on.

    It is what the caller could see then, so it tells them nothing new: it is made of completed turns alone, since the
    log holds no choice before its turn has ended, and it depends on nothing that came after.
    """
    snapshot = context.snapshot
    if not snapshot.started:
        raise GameNotActive(say("The game has not started yet: it waits for players."))
    if turn > snapshot.turn or (turn == snapshot.turn and snapshot.status != "over"):
        raise NotFound("turn", turn)
    entries = takewhile(lambda entry: entry.turn <= turn, _entries(tables, context, snapshot.entries))
    return _view_after(context, entries, context.caller.seat)


def _entries(tables: HistoryTable, context: ViewContext, rows: int) -> Iterable[Entry]:
    return (entry_of(row) for row in with_pauses(tables.log(context.snapshot.game, limit=rows)))


def _view_after(context: ViewContext, entries: Iterable[Entry], seat: Seat | None) -> Any:
    snapshot = context.snapshot
    rules = rules_of(snapshot)
    *_, (_, last) = replay(rules, rules.configure(snapshot.seat_count, snapshot.options, new=False), entries)
    return rules.view(last.step.state, seat)
