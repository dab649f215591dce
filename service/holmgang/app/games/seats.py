"""Seats before the start: taken, given to bots, left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from msgspec import UNSET
from uuid_utils.compat import uuid7

from holmgang.app.access import game_by_id, need_visible
from holmgang.app.accounts.tokens import need, need_free
from holmgang.app.errors import (
    AlreadySeated,
    GameFull,
    GameNotOpen,
    InvalidField,
    NotFound,
    NotYours,
    SeatTaken,
)
from holmgang.app.play import steps
from holmgang.app.play.archive import RevivalTables, need_unarchived, revive
from holmgang.app.play.position import rules_of
from holmgang.app.ports import AccessTable, Clock, GamesTable, InvitationsTable, SeatsTable
from holmgang.app.records.contexts import GameRow
from holmgang.app.records.games import Invitation, SeatHolder
from holmgang.app.records.play import HouseEvent
from holmgang.app.records.players import Principal
from holmgang.bots import registry as bots
from holmgang.engine.messages import say
from holmgang.engine.rules import AnyRules
from holmgang.engine.turn import Seat

from .invitations import admission, seat_by
from .start import start


class SeatingTables(RevivalTables, AccessTable, GamesTable, SeatsTable, InvitationsTable, Clock, Protocol): ...


def _open_row(tables: SeatingTables, game: UUID) -> GameRow:
    """The locked row of a game that has not started; it may be archived."""
    row = tables.game_row(game, lock=True)
    if row is None:
        raise NotFound("game", game)
    if row.started:
        raise GameNotOpen(say("The game has started: seats are taken and left only before."))
    return row


def take_seat(
    tables: SeatingTables,
    principal: Principal,
    game: UUID,
    seat: Seat | None,
    entropy: bytes | None,
    invitation: str | None = None,
) -> tuple[Seat, bool]:
    """Take a seat: the lowest free one unless one is named. The last seat starts the game. In a transaction.

    An archived game that has not started is open again.

    Returns the seat, and whether it is new: taking one's own seat again changes nothing. `invitation` is a secret; it
    is used only by a player who could not see the game without it.
    """
    need(principal, "play")
    need_free(principal)
    need_visible(tables, principal.player, game, invitation)
    row = tables.game_row(game, lock=True)
    if row is None:
        raise NotFound("game", game)
    holders = tables.holders(game)
    mine = next((h for h in holders if h.player == principal.player), None)
    if mine is not None:
        if seat in (None, mine.seat) and entropy in (None, mine.entropy):
            return mine.seat, False
        raise AlreadySeated(say("You have seat {seat} in this game already.", seat=mine.seat), seat=mine.seat)
    invited = admission(tables, principal.player, game, invitation)
    if row.started:
        full = len(holders) == row.seat_count
        raise (GameFull if full else GameNotOpen)(say("The game has started: all its seats are taken."))
    seat = _free_seat(row, holders, seat_by(invited, seat))
    fill(tables, row, holders, seat, principal.player, entropy=entropy, invitation=invited)
    return seat, True


def seat_bot(tables: SeatingTables, principal: Principal, game: UUID, seat: Seat | None, bot: str) -> Seat:
    """Give a seat to a built-in bot: the lowest free one unless one is named. Only the creator may. In a
    transaction."""
    need(principal, "play")
    need_free(principal)
    need_visible(tables, principal.player, game)
    row = _open_row(tables, game)
    if game_by_id(tables, game).creator != principal.player:
        raise NotYours(say("Only who created the game gives seats to bots."))
    need_bot_that_plays(rules_of(row), bot, "/bot")
    holders = tables.holders(game)
    seat = _free_seat(row, holders, seat)
    fill(tables, row, holders, seat, tables.bot_player(bot, uuid7()), bot=bot)
    return seat


def fill(
    tables: SeatingTables,
    row: GameRow,
    holders: Sequence[SeatHolder],
    seat: Seat,
    player: UUID,
    *,
    entropy: bytes | None = None,
    bot: str | None = None,
    invitation: Invitation | None = None,
) -> None:
    """Put a player on a free seat; an archived game is open again, and the last seat starts the game."""
    at = tables.now()
    if row.status == "archived":
        row = revive(tables, row, seat, at)
    tables.take_seat(row.game, seat, player, entropy, at, bot, None if invitation is None else invitation.id)
    event = HouseEvent(type="seat_taken", seat=seat, player=player, bot=UNSET if bot is None else bot)
    steps.append_event(tables, row, event, at)
    if len(holders) + 1 == row.seat_count:
        start(tables, row.game, at)


def need_bot_that_plays(rules: AnyRules, bot: str, pointer: str) -> None:
    """Refuse a bot that cannot play by these rules; `pointer` leads from the body to where it is named."""
    if not bots.plays(bot, rules.ruleset):
        able = ", ".join(bots.playing(rules.ruleset))
        raise InvalidField(
            pointer,
            say("The bot '{bot}' cannot play {title}. Those that can: {able}.", bot=bot, title=rules.title, able=able),
        )


def _free_seat(row: GameRow, holders: list[SeatHolder], seat: Seat | None) -> Seat:
    if seat is not None and seat >= row.seat_count:
        raise InvalidField("/seat", say("The game's seats are 0 to {last}.", last=row.seat_count - 1))
    free = [s for s in range(row.seat_count) if all(h.seat != s for h in holders)]
    if seat is not None and seat not in free:
        raise SeatTaken(say("Seat {seat} is taken.", seat=seat), free=free)
    return free[0] if seat is None else seat


def leave_seat(tables: SeatingTables, principal: Principal, game: UUID, seat: Seat) -> None:
    """Leave a seat before the start. The invitation by which it was taken may be used again. In a transaction."""
    need(principal, "play")
    need_free(principal)
    need_visible(tables, principal.player, game)
    row = _open_row(tables, game)
    need_unarchived(row)
    holder = next((h for h in tables.holders(game) if h.seat == seat), None)
    if holder is None:
        raise NotFound("seat", seat)
    by_creator = holder.bot is not None and game_by_id(tables, game).creator == principal.player
    if principal.player != holder.player and not by_creator:
        raise NotYours(say("This seat is another player's."))
    tables.leave_seat(game, seat)
    steps.append_event(tables, row, HouseEvent(type="seat_left", seat=seat, player=holder.player), tables.now())
