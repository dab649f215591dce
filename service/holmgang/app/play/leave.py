"""Players who go on leave: their clocks stand while the game waits for them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Protocol
from uuid import UUID

from holmgang.app.errors import GameNotActive, LimitReached, Refusal
from holmgang.app.ports import GamesTable
from holmgang.app.records.games import SeatClock, SeatHolder, Status
from holmgang.app.records.players import Principal
from holmgang.engine.messages import counted, say, template
from holmgang.engine.turn import Seat

from .deadlines import end_overdue_turns, locked_row
from .returns import ReturnTables, own_seat


class LeaveTables(ReturnTables, GamesTable, Protocol): ...


def go_on_leave(tables: LeaveTables, principal: Principal, game: UUID, seat: Seat) -> bool:
    """The seat's clock stands from now on, until its player is back or their leave is used up, after which it runs on
    with what it had. Returns whether this is new. In a transaction.

    Turns whose time is up end first; that stands. Refusals: GameNotActive, LimitReached and those of `own_seat`.
    """
    clock, ended = _clock(tables, principal, game, seat)
    now = tables.now()
    if on_leave(clock, now):
        return False
    if clock.leave_ms == 0 or clock.on_leave_since is not None:
        found = tables.game(game)
        days = 0 if found is None else found.leave_days or 0
        detail = counted(
            days,
            template("You have been on leave for {count} day: that is all that this game gives you."),
            template("You have been on leave for {count} days: that is all that this game gives you."),
        )
        refusal = LimitReached("leave_days", days, detail if days else say("This game gives no leave."))
        refusal.stands = ended
        raise refusal
    tables.set_leave(game, seat, now, begins=True)
    return True


def end_leave(tables: LeaveTables, principal: Principal, game: UUID, seat: Seat) -> bool:
    """The seat's clock runs again if a choice is awaited; what is left of the leave is kept. Returns whether they were
    on leave. In a transaction, with the refusals of `go_on_leave`."""
    if _clock(tables, principal, game, seat)[0].on_leave_since is None:
        return False
    tables.set_leave(game, seat, tables.now(), begins=False)
    return True


def on_leave(clock: SeatClock, now: datetime) -> bool:
    return clock.on_leave_since is not None and now < clock.on_leave_since + timedelta(milliseconds=clock.leave_ms)


_NONE = SeatClock(bank_ms=None, turn_ms=None, since=None, deadline=None, leave_ms=0, on_leave_since=None)


def _clock(tables: LeaveTables, principal: Principal, game: UUID, seat: Seat) -> tuple[SeatClock, bool]:
    """The clock of the caller's seat, in a game that is locked from now on, and whether a turn has ended by that."""
    own_seat(tables, principal, game, seat)
    row, ended = end_overdue_turns(tables, locked_row(tables, game))
    if (refusal := _refusal(row.status, own_seat(tables, principal, game, seat))) is not None:
        refusal.stands = ended
        raise refusal
    return _NONE if row.clocks is None else row.clocks[seat], ended


def _refusal(status: Status, holder: SeatHolder) -> Refusal | None:
    if status != "active" or holder.resigned_at is not None:
        return GameNotActive(say("One goes on leave from a running game that one has not resigned from."))
    if holder.absent_since is not None:
        return GameNotActive(say("You are absent: return to your seat first."))
    return None
