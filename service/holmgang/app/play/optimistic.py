"""The optimistic write: a change is planned without a lock, and written only if nobody else wrote meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TypeVar
from uuid import UUID

from holmgang.app.access import admit, player_seat
from holmgang.app.accounts.tokens import digest_of
from holmgang.app.errors import Busy, Refusal
from holmgang.app.ports import AccessTable
from holmgang.app.records.changes import Change
from holmgang.app.records.contexts import GameCaller, GameRow
from holmgang.engine.messages import say
from holmgang.engine.turn import Seat

from .deadlines import overdue
from .returns import ReturnTables, end_absence

Answer = TypeVar("Answer")


def read_for_move(
    tables: AccessTable, secret: str | None, game: UUID, *, lock: bool = False
) -> tuple[GameCaller, GameRow]:
    """Who calls, and the game's row."""
    found = admit(tables.move_context(digest_of(secret), game, lock=lock), game)
    return found.caller, found.row


def write(
    tables: ReturnTables, secret: str, game: UUID, plan: Callable[[GameRow, Seat], Change | Answer]
) -> tuple[Change, datetime] | tuple[Answer, None]:
    """Call `plan` with the row and the caller's seat. If it returns a change, write it; anything else is the answer.

    A turn whose deadline has passed ends first, and stays ended if `plan` then refuses. A choice for an absent seat is
    its player's return.
    """
    ended = False
    while True:
        try:
            done = _attempt(tables, secret, game, plan)
        except Refusal as refusal:
            refusal.stands = ended
            raise
        if not (isinstance(done[0], Change) and done[0].late):
            return done
        ended = True


def _attempt(
    tables: ReturnTables, secret: str, game: UUID, plan: Callable[[GameRow, Seat], Change | Answer]
) -> tuple[Change, datetime] | tuple[Answer, None]:
    """The first plan is made and written without a lock. If somebody else wrote in between, or the player has to return
    first, plan again with the row locked."""
    for lock in (False, True):
        with tables.atomic(lock):
            caller, row = read_for_move(tables, secret, game, lock=lock)
            seat = player_seat(caller)
            planned = overdue(tables, row) or plan(row, seat)
            if not isinstance(planned, Change):
                return planned, None
            if caller.absent and planned.submission is not None:
                if not lock:
                    continue
                planned = plan(end_absence(tables, row, seat, chooses=True), seat)
                assert isinstance(planned, Change), "what was legal before the return is so after it"
            at = tables.write(planned)
            if at is not None:
                return planned, at
    raise Busy(say("Others were writing to this game at the same moment."))
