"""The caller's tokens: /v1/me/tokens."""

from datetime import datetime
from functools import partial
from typing import Annotated, Any
from uuid import UUID

from msgspec import Meta, Struct

from holmgang.api.operation.answers import PRIVATE, address, nothing, page_of
from holmgang.api.operation.declaration import operation
from holmgang.api.operation.fields import OneLine
from holmgang.api.operation.gate import MANAGES, Access, Call
from holmgang.api.operation.shapes import CursorQuery, Page, shown_as
from holmgang.api.operation.terms import Keyed, described, links
from holmgang.api.resources.me.routes import me
from holmgang.app.accounts import tokens
from holmgang.app.accounts.names import unseen
from holmgang.app.records.players import Scope, Token

from . import examples


class NewToken(Struct, frozen=True, kw_only=True):
    label: Annotated[str, Meta(extra={"field": partial(OneLine, unseen)})]
    """What the token is for: visible characters as in the names of players."""
    scopes: Annotated[list[Scope], Meta(min_length=1, max_length=3)]
    """What the token may do; never more than your own token may."""
    game: UUID | None = None
    """Limits the token to the seat that you hold in this game."""
    expires_at: datetime | None = None
    """When the token ends; null for never."""


class IssuedToken(Token, frozen=True):
    token: str
    """The secret, shown this once."""


@operation(
    me,
    "POST /me/tokens",
    MANAGES,
    IssuedToken,
    body=NewToken,
    keyed=Keyed.SECRET,
    sees=lambda call, body: tokens.may_issue(call.tables, call.me, body.scopes, body.game),
)
@described(
    examples.CREATE_TOKEN,
    links(token="/id"),  # noqa: S106 # a pointer to an id
    problems="not_found not_yours invalid_field limit_reached",
)
def create_token(call: Call, body: NewToken) -> Any:
    """Create another token

    It can do no more than the token that creates it. With `game` it is limited to your seat in that game: give such a
    token to a bot.
    """
    token, secret = tokens.create_token(call.tables, call.me, body.label, body.scopes, body.game, body.expires_at)
    made = shown_as(IssuedToken, token, token=secret)
    return made, {"Location": address(f"/v1/me/tokens/{token.id}"), "Cache-Control": "no-store"}


@operation(me, "GET /me/tokens", MANAGES, Page[Token], query=CursorQuery)
@described(examples.LIST_TOKENS)
def list_tokens(call: Call, query: CursorQuery) -> Any:
    """List your tokens, without their secrets, oldest first

    `last_used_at` tells by the hour when each was last used, so that you know which to revoke.
    """
    found = tokens.tokens_of(call.tables, call.me, query.cursor, query.limit + 1)
    return page_of(found, query.limit, headers=PRIVATE)


@operation(me, "GET /me/tokens/<uuid:token>", MANAGES, Token)
@described(examples.GET_TOKEN)
def get_token(call: Call, token: UUID) -> Any:
    """Read one of your tokens, without its secret"""
    return tokens.own_token(call.tables, call.me, token), PRIVATE


@operation(me, "DELETE /me/tokens/<uuid:token>", Access.PLAYER)
@described(examples.REVOKE_TOKEN, problems="missing_scope token_limited")
def revoke_token(call: Call, token: UUID) -> Any:
    """Revoke a token, at once

    A token may always revoke itself. Revoking others needs the scope `manage`.
    """
    tokens.revoke_token(call.tables, call.me, token)
    return nothing()
