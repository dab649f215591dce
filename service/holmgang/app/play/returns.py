"""Players who return from absence, or to an archived game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from holmgang.app.access import need_visible
from holmgang.app.accounts.tokens import need, need_free
from holmgang.app.errors import GameNotActive, NotFound, NotYours
from holmgang.app.ports import AccessTable, ArchiveTable, Clock, SeatsTable
from holmgang.app.records.contexts import GameRow
from holmgang.app.records.games import SeatHolder
from holmgang.app.records.play import HouseEvent
from holmgang.app.records.players import Principal
from holmgang.engine.messages import say
from holmgang.engine.turn import Seat

from . import steps
from .archive import revive
from .deadlines import DeadlineTables, end_overdue_turns, goes_on, locked_row


class OwnSeatTables(AccessTable, SeatsTable, Protocol): ...


class ReturnTables(DeadlineTables, AccessTable, ArchiveTable, Clock, Protocol): ...


def return_to_seat(tables: ReturnTables, principal: Principal, game: UUID, seat: Seat) -> bool:
    """Return from absence, or to an archived game, which then goes on. Returns whether this changed anything. In a
    transaction.

    Turns whose time is up end first, while the player still counts as absent. That stands, even if it ends the game.
    """
    need(principal, "play")
    _good_for(principal, game, seat)
    need_visible(tables, principal.player, game)
    row = tables.game_row(game, lock=True)
    if row is None:
        raise NotFound("game", game)
    holder = _own(tables.holders(game), principal, seat)
    row, ended = end_overdue_turns(tables, row)
    if ended:
        holder = _own(tables.holders(game), principal, seat)
    if row.status not in ("active", "archived") or holder.resigned_at is not None:
        refusal = GameNotActive(say("One returns to a running or archived game that one has not resigned from."))
        refusal.stands = ended
        raise refusal
    if holder.absent_since is not None:
        end_absence(tables, row, seat)
        return True
    if row.status == "archived":
        revive(tables, row, seat, tables.now())
        return True
    return False


def end_absence(tables: ReturnTables, row: GameRow, seat: Seat, *, chooses: bool = False) -> GameRow:
    """End the absence of a seat in a locked game, and return its row as it is now. `chooses`: the player returns by a
    choice.

    A choice that the seat still owes is its own again, with the whole time of the turn. The turn of a game that stood
    still gets its whole time too, and a full bank. Otherwise an empty bank holds one increment; without any, the time
    for all choices of the seat is over.
    """
    stood = not goes_on(row, tables.holders(row.game))
    if row.clocks and row.clocks[seat].bank_ms == 0 and not row.increment_seconds and not stood:
        raise GameNotActive(say("The bank of seat {seat} is empty: it is played for to the end.", seat=seat))
    at = tables.now()
    anew = stood or tables.awaits(row.game, seat)
    tables.end_absence(row.game, seat, at, anew=anew, stood=stood, chooses=chooses)
    if row.clocks:
        row = locked_row(tables, row.game)
    if row.status == "archived":
        row = revive(tables, row, seat, at)
    steps.append_event(tables, row, HouseEvent(type="seat_returned", seat=seat), at)
    return locked_row(tables, row.game)


def own_seat(tables: OwnSeatTables, principal: Principal, game: UUID, seat: Seat) -> SeatHolder:
    """The holder of this seat; refused if that is not the caller."""
    _good_for(principal, game, seat)
    need_visible(tables, principal.player, game)
    return _own(tables.holders(game), principal, seat)


def _good_for(principal: Principal, game: UUID, seat: Seat) -> None:
    """Refuse tokens that are limited to another seat."""
    if (principal.game, principal.seat) != (game, seat):
        need_free(principal)


def _own(holders: Sequence[SeatHolder], principal: Principal, seat: Seat) -> SeatHolder:
    holder = next((h for h in holders if h.seat == seat), None)
    if holder is None:
        raise NotFound("seat", seat)
    if holder.player != principal.player:
        raise NotYours(say("This seat is another player's."))
    return holder
