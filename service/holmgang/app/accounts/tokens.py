"""Tokens: bearer secrets, shown once and stored as SHA-256 hashes."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from contextvars import ContextVar
from datetime import datetime
from typing import Protocol
from uuid import UUID

from uuid_utils.compat import uuid7

from holmgang.app.errors import (
    InvalidField,
    InvalidToken,
    LimitReached,
    MissingScope,
    NotFound,
    NotYours,
    Refusal,
    TokenExpired,
    TokenLimited,
)
from holmgang.app.ports import AccessTable, Clock, PlayersTable, SeatsTable, TokensTable
from holmgang.app.records.players import SCOPES, Principal, Token, TokenFault
from holmgang.engine.messages import say
from holmgang.engine.turn import Seat

current_principal: ContextVar[Principal | None] = ContextVar("principal", default=None)
"""The player of the last good token in this context, whichever use case asked for it; calls are counted by player."""

TOKEN_PREFIX = "hg_"  # noqa: S105 # what secrets begin with
MOST_TOKENS = 200
"""How many unexpired tokens a player may have. As many expired ones are kept, so that their bearers learn why."""


class HeldSeatsTables(AccessTable, SeatsTable, Protocol): ...


class RevokingTables(PlayersTable, TokensTable, Protocol): ...


class IssuingTables(HeldSeatsTables, PlayersTable, TokensTable, Clock, Protocol): ...


def token_digest(secret: str) -> bytes:
    """What the store knows a token by. The secret has 256 random bits, so a plain hash cannot be searched.

    Nothing compares secrets: a hash is looked up in an index. How long that takes may depend on how many bytes two
    hashes share, but to use it one would have to choose the hash that one sends, and so to invert SHA-256.
    """
    return hashlib.sha256(secret.encode()).digest()


def digest_of(secret: str | None) -> bytes | None:
    return None if secret is None else token_digest(secret)


def issue(
    tables: TokensTable,
    player: UUID,
    label: str,
    scopes: Sequence[str],
    game: UUID | None,
    seat: Seat | None,
    expires_at: datetime | None,
) -> tuple[Token, str]:
    ident, secret = uuid7(), TOKEN_PREFIX + secrets.token_urlsafe(32)
    scopes = tuple(s for s in SCOPES if s in scopes)
    at = tables.add_token(player, ident, token_digest(secret), label, scopes, game, seat, expires_at)
    return Token(ident, label, scopes, game, seat, at, expires_at, None), secret


def refusal_of(fault: TokenFault) -> Refusal:
    if fault is TokenFault.EXPIRED:
        return TokenExpired(say("This token has expired."))
    return InvalidToken(say("This token is not known here; it may have been revoked."))


def authenticate(tables: TokensTable, secret: str) -> Principal:
    found = tables.principal(token_digest(secret))
    if isinstance(found, TokenFault):
        raise refusal_of(found)
    current_principal.set(found)
    return found


def need(principal: Principal, scope: str) -> None:
    if scope not in principal.scopes:
        raise MissingScope(scope)


def need_free(principal: Principal) -> None:
    """Refuse tokens that are limited to one seat."""
    if principal.game is not None:
        raise TokenLimited(say("This token is good for one seat of one game only."))


def hold(tables: PlayersTable, principal: Principal) -> None:
    """Lock the caller until the transaction ends. Refused like an unknown token if their account was deleted since they
    were let in: what they make would be nobody's."""
    if not tables.lock_player(principal.player):
        raise refusal_of(TokenFault.UNKNOWN)


def create_token(
    tables: IssuingTables,
    principal: Principal,
    label: str,
    scopes: Sequence[str],
    game: UUID | None,
    expires_at: datetime | None,
) -> tuple[Token, str]:
    """Make a further token for the caller, with no scope that the caller's own token lacks. In a transaction.

    With `game` it is limited to the seat that the player holds there, and to reading and playing.
    """
    need(principal, "manage")
    need_free(principal)
    seat = may_issue(tables, principal, scopes, game)
    if expires_at is not None and expires_at <= tables.now():
        raise InvalidField("/expires_at", say("The expiry lies in the past."))
    hold(tables, principal)
    if tables.live_tokens(principal.player) >= MOST_TOKENS:
        detail = say("You have {most} tokens, and no more are kept: revoke some.", most=MOST_TOKENS)
        raise LimitReached("tokens", MOST_TOKENS, detail)
    tables.forget_tokens(principal.player, MOST_TOKENS)
    return issue(tables, principal.player, label, scopes, game, seat, expires_at)


def may_issue(tables: HeldSeatsTables, principal: Principal, scopes: Sequence[str], game: UUID | None) -> Seat | None:
    """Refuse a token of scopes that the caller's own lacks, or for a game in which they have no seat. Gives the seat
    that it is limited to; None for one that is for no game."""
    for scope in scopes:
        need(principal, scope)
    if game is None:
        return None
    if "manage" in scopes:
        raise InvalidField("/scopes", say("A token for one seat cannot have the scope 'manage'."))
    if not tables.may_see(principal.player, game):
        raise NotFound("game", game)
    seat = next((h.seat for h in tables.holders(game) if h.player == principal.player), None)
    if seat is None:
        raise NotYours(say("You hold no seat in that game."))
    return seat


def tokens_of(tables: TokensTable, principal: Principal, after: UUID | None, limit: int) -> list[Token]:
    need(principal, "manage")
    need_free(principal)
    return tables.tokens(principal.player, after, limit, used=principal.token)


def own_token(tables: TokensTable, principal: Principal, token: UUID) -> Token:
    """One of the player's tokens; NotFound for all others."""
    found = tokens_of(tables, principal, UUID(int=max(token.int - 1, 0)), 1)
    if not found or found[0].id != token:
        raise NotFound("token", token)
    return found[0]


def revoke_token(tables: RevokingTables, principal: Principal, token: UUID) -> None:
    """Effective at once. A token may always revoke itself; others take the scope `manage`. In a transaction."""
    if token != principal.token:
        need(principal, "manage")
        need_free(principal)
    hold(tables, principal)  # nobody is matched by a seek that goes with it
    if not tables.revoke_token(principal.player, token):
        raise NotFound("token", token)
