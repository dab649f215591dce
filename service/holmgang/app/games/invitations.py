"""Private games: who may see them, and the invitations by which others sit down.

An invitation is a secret, shown once and stored as a hash like a token. Each seat that was taken by it is one use;
whoever leaves before the start gives the use back. As long as uses are left, its holder may also look at the game as
spectators may. A bad one is refused as if there were no such game.
"""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Protocol
from uuid import UUID

from uuid_utils.compat import uuid7

from holmgang.app.access import need_visible
from holmgang.app.accounts.tokens import hold, need, need_free, token_digest
from holmgang.app.errors import GameNotPrivate, InvalidField, LimitReached, NotFound, NotYours
from holmgang.app.ports import AccessTable, Clock, GamesTable, InvitationsTable, PlayersTable
from holmgang.app.records.games import Game, Invitation
from holmgang.app.records.players import Principal
from holmgang.engine.messages import say
from holmgang.engine.turn import Seat

SECRET_PREFIX = "hgi_"  # noqa: S105 # what secrets begin with
MOST = 100
"""Invitations of one game."""


class AdmissionTables(AccessTable, InvitationsTable, Protocol): ...


class InvitingTables(AdmissionTables, GamesTable, PlayersTable, Clock, Protocol): ...


def admission(tables: AdmissionTables, player: UUID, game: UUID, invitation: str | None) -> Invitation | None:
    """The invitation by which the player takes a seat; None if they need none. The game's row is locked, so that nobody
    else uses it up meanwhile."""
    if tables.may_see(player, game):
        return None
    found = None if invitation is None else tables.live_invitation(game, token_digest(invitation))
    if found is None:
        raise NotFound("game", game)
    return found


def seat_by(invitation: Invitation | None, seat: Seat | None) -> Seat | None:
    """The seat that the player asks for, or that their invitation is for."""
    if invitation is None or invitation.seat is None:
        return seat
    if seat not in (None, invitation.seat):
        raise InvalidField("/seat", say("The invitation is for seat {seat}.", seat=invitation.seat))
    return invitation.seat


def own_game(tables: InvitingTables, principal: Principal, ident: UUID) -> Game:
    """A game that the caller created; refused to others, as if a private game did not exist."""
    need(principal, "manage")
    need_free(principal)
    need_visible(tables, principal.player, ident)
    game = tables.game(ident)
    if game is None:  # deleted at this very moment
        raise NotFound("game", ident)
    if game.creator != principal.player:
        raise NotYours(say("Only who created the game invites others."))
    return game


def create(
    tables: InvitingTables,
    principal: Principal,
    ident: UUID,
    *,
    seat: Seat | None,
    uses: int,
    expires_in: int | None,
    expires_at: datetime | None,
) -> tuple[Invitation, str]:
    """A new invitation to a private game of the caller, and its secret. Without an expiry it does not end."""
    game = own_game(tables, principal, ident)
    if game.visibility != "private":
        raise GameNotPrivate(say("Anybody may see this game and sit down while it is open: send its address."))
    if seat is not None and seat >= game.seat_count:
        raise InvalidField("/seat", say("The game's seats are 0 to {last}.", last=game.seat_count - 1))
    if seat is not None and uses != 1:
        raise InvalidField("/uses", say("An invitation to one seat is used once."))
    if expires_in is not None and expires_at is not None:
        raise InvalidField("/expires_in", say("Say either when it ends or after how many seconds."))
    if expires_at is not None and expires_at <= tables.now():
        raise InvalidField("/expires_at", say("The expiry lies in the past."))
    hold(tables, principal)
    if len(tables.invitations(ident, None, MOST)) >= MOST:
        detail = say("The game has {most} invitations, and no more are kept: revoke some.", most=MOST)
        raise LimitReached("invitations", MOST, detail)
    made, secret = uuid7(), SECRET_PREFIX + secrets.token_urlsafe(32)
    tables.add_invitation(ident, made, token_digest(secret), seat, uses, expires_in, expires_at)
    return _found(tables, ident, made), secret


def _found(tables: InvitingTables, game: UUID, ident: UUID) -> Invitation:
    found = tables.invitation(game, ident)
    if found is None:
        raise NotFound("invitation", ident)
    return found


def one(tables: InvitingTables, principal: Principal, game: UUID, ident: UUID) -> Invitation:
    return _found(tables, own_game(tables, principal, game).id, ident)


def all_of(
    tables: InvitingTables, principal: Principal, game: UUID, after: UUID | None, limit: int
) -> list[Invitation]:
    """Oldest first, with those that have expired or are used up."""
    return tables.invitations(own_game(tables, principal, game).id, after, limit)


def revoke(tables: InvitingTables, principal: Principal, game: UUID, ident: UUID) -> None:
    """Effective at once; seats that were taken by it stay."""
    if not tables.revoke_invitation(own_game(tables, principal, game).id, ident):
        raise NotFound("invitation", ident)
