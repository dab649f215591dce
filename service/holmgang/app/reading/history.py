"""Finished games as they were: what a seat or a spectator saw after a row of the log."""

from __future__ import annotations

from typing import Any

from holmgang.app.errors import GameNotOver, NotFound
from holmgang.app.pauses import with_pauses
from holmgang.app.play.position import entry_of, rules_of
from holmgang.app.ports import HistoryTable
from holmgang.app.records.contexts import ViewContext
from holmgang.engine.messages import say
from holmgang.engine.replay import replay
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
    rules = rules_of(snapshot)
    entries = (entry_of(row) for row in with_pauses(tables.log(snapshot.game, limit=at + 1)))
    *_, (_, last) = replay(rules, rules.configure(snapshot.seat_count, snapshot.options, new=False), entries)
    return rules.view(last.step.state, context.caller.seat if as_seat is None else as_seat)
