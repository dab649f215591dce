"""Players whose account was deleted leave their games."""

from __future__ import annotations

from uuid import UUID

from holmgang.app.play import steps
from holmgang.app.play.archive import revive
from holmgang.app.play.deadlines import end_overdue_turns
from holmgang.app.play.position import position
from holmgang.app.play.returns import ReturnTables
from holmgang.app.records.play import HouseEvent


def leave(tables: ReturnTables, player: UUID, game: UUID) -> None:
    """Leave a game that has not started, or resign from one that is not over. In a transaction."""
    row = tables.game_row(game, lock=True)
    holder = next((one for one in tables.holders(game) if one.player == player), None)
    if row is None or holder is None or holder.resigned_at is not None:
        return
    if not row.started:
        tables.leave_seat(game, holder.seat)
        event = HouseEvent(type="seat_left", seat=holder.seat, player=player)
        steps.append_event(tables, row, event, tables.now())
        return
    if row.status == "archived":
        row = revive(tables, row, holder.seat, tables.now())
    row, _ = end_overdue_turns(tables, row)
    if row.status == "active":
        place = position(tables, row)
        written = tables.write(steps.resigned(place, holder.seat, place.awaited()))
        assert written is not None, "its row is locked"
