"""How players resign."""

from __future__ import annotations

from uuid import UUID

from holmgang.app.errors import (
    GameNotActive,
)
from holmgang.app.play import steps
from holmgang.app.play.archive import need_unarchived
from holmgang.app.play.optimistic import write
from holmgang.app.play.position import position
from holmgang.app.records.changes import Change
from holmgang.app.records.contexts import GameRow
from holmgang.engine.messages import say
from holmgang.engine.turn import Seat

from .returns import ReturnTables


def resign(tables: ReturnTables, secret: str, game: UUID) -> tuple[Seat, bool]:
    """Give up, with one's partners (C6): from now on the seats play default actions at once and cannot win.

    Gives the seat, and whether this is new.
    """

    def plan(row: GameRow, seat: Seat) -> Change | Seat:
        if not row.started:  # and seats may be left at this very moment
            need_unarchived(row)
            raise GameNotActive(say("The game has not started yet: leave the seat instead."))
        holder = next(h for h in tables.holders(game) if h.seat == seat)
        if holder.resigned_at is not None:
            return seat
        need_unarchived(row)
        if row.status != "active":
            raise GameNotActive(say("One resigns from a running game only."))
        place = position(tables, row)
        return steps.resigned(place, seat, place.awaited())

    done, _ = write(tables, secret, game, plan)
    if not isinstance(done, Change):
        return done, False
    assert done.resigned is not None
    return done.resigned, True
