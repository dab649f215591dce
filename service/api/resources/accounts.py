"""Players, tokens and what concerns the caller alone: /v1/players and /v1/me."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any
from uuid import UUID

from flask import Response

from service.api.http.tags import tag_of_turns, unchanged
from service.api.operation.answers import PRIVATE, address, nothing, page_of, private
from service.api.operation.declaration import Resources, operation
from service.api.operation.gate import Access, Call
from service.api.operation.idempotency import Keyed
from service.app import accounts
from service.app.errors import NotFound
from service.app.play import queries

from . import bodies, envelopes
from .presenting import game_answer, me_answer, player_answer

players = Resources("players", __name__, url_prefix="/v1", description="Accounts: a name, and tokens to act by.")
me = Resources("me", __name__, url_prefix="/v1", description="The caller: his games, tokens and waiting turns.")


@operation(
    players,
    "POST",
    "/players",
    name="registerPlayer",
    access=Access.PUBLIC,
    body=bodies.NewPlayer,
    answer=envelopes.Registration,
    status=HTTPStatus.CREATED,
    keyed=Keyed.REFUSED,
    problems=("invalid_field",),
    transaction=True,
)
def register(call: Call, body: dict[str, Any]) -> Any:
    """Register a player

    Gives the player and a first token with all scopes. Store the token: it is shown only now. Takes no Idempotency-Key.
    """
    player, token, secret = accounts.register(call.tables, body["name"])
    made = {"player": player_answer(player, {}), "token": secret, "token_id": token.id}
    return made, HTTPStatus.CREATED, {"Location": address(f"/v1/players/{player.id}"), "Cache-Control": "no-store"}


@operation(
    players, "GET", "/players/<uuid:player>", name="getPlayer", access=Access.PUBLIC, answer=envelopes.PlayerAnswer
)
def get_player(call: Call, player: UUID) -> Any:
    """Read a player and his ratings"""
    return player_answer(accounts.player(call.tables, player), call.tables.ratings_of(player))


@operation(me, "GET", "/me", name="getMe", access=Access.PLAYER, scope="read", answer=envelopes.Me)
def get_me(call: Call) -> Any:
    """Read who you are, and by which token"""
    player = accounts.player(call.tables, call.me.player)
    return me_answer(player_answer(player, call.tables.ratings_of(player.id)), call.me), PRIVATE


@operation(
    me,
    "GET",
    "/me/games",
    name="listMyGames",
    access=Access.PLAYER,
    scope="read",
    unlimited=True,
    query=bodies.MyGamesQuery,
    answer=envelopes.GamePage,
)
def my_games(call: Call, query: dict[str, Any]) -> Any:
    """List the games in which you have a seat, newest first"""
    limit = query["limit"]
    found = call.tables.games(
        status=query["status"],
        ruleset=None,
        player=call.me.player,
        open_seats=None,
        before=query["cursor"],
        limit=limit + 1,
        private=True,
    )
    page, headers = page_of(found, limit, game_answer)
    return page, {**PRIVATE, **headers}


@operation(
    me,
    "GET",
    "/me/turns",
    name="listWaitingTurns",
    access=Access.PLAYER,
    scope="read",
    query=bodies.WaitQuery,
    answer=envelopes.WaitingTurns,
    also={HTTPStatus.NOT_MODIFIED: None},
)
def waiting_turns(call: Call, query: dict[str, Any]) -> Response:
    """List every turn that waits for you, in every game

    Always the whole current set. Poll it with If-None-Match: as long as the set is the same, the answer is 304. With
    `wait` the request is held until the set changes, or, without If-None-Match, until there is a turn. A token that is
    limited to one seat sees that seat's turn only.
    """
    turns = queries.turns_of(call.tables, call.me)
    tag = tag_of_turns(call.me, turns)
    return unchanged(tag) or private({"items": turns, "next_poll_ms": queries.POLL_MS}, ETag=tag)


@operation(
    me,
    "POST",
    "/me/tokens",
    name="createToken",
    access=Access.PLAYER,
    scope="manage",
    unlimited=True,
    body=bodies.NewToken,
    answer=envelopes.IssuedToken,
    status=HTTPStatus.CREATED,
    keyed=Keyed.SECRET,
    sees=lambda call, body: accounts.may_issue(call.tables, call.me, body["scopes"], body["game"]),
    transaction=True,
    problems=("not_found", "not_yours", "invalid_field", "limit_reached"),
)
def create_token(call: Call, body: dict[str, Any]) -> Any:
    """Make a further token

    It can do no more than the one that makes it. With `game` it is good for your seat in that game alone: give such a
    token to a bot.
    """
    token, secret = accounts.create_token(
        call.tables, call.me, body["label"], body["scopes"], body["game"], body["expires_at"]
    )
    made = {**{name: getattr(token, name) for name in token.__struct_fields__}, "token": secret}
    return made, HTTPStatus.CREATED, {"Location": address(f"/v1/me/tokens/{token.id}"), "Cache-Control": "no-store"}


@operation(
    me,
    "GET",
    "/me/tokens",
    name="listTokens",
    access=Access.PLAYER,
    scope="manage",
    unlimited=True,
    query=bodies.CursorQuery,
    answer=envelopes.TokenPage,
)
def list_tokens(call: Call, query: dict[str, Any]) -> Any:
    """List your tokens, without their secrets, oldest first"""
    limit = query["limit"]
    found = accounts.tokens(call.tables, call.me, query["cursor"], limit + 1)
    page, headers = page_of(found, limit)
    return page, {**PRIVATE, **headers}


@operation(
    me,
    "GET",
    "/me/tokens/<uuid:token>",
    name="getToken",
    access=Access.PLAYER,
    scope="manage",
    unlimited=True,
    answer=envelopes.TokenAnswer,
)
def get_token(call: Call, token: UUID) -> Any:
    """Read one of your tokens, without its secret"""
    before = UUID(int=max(token.int - 1, 0))
    found = accounts.tokens(call.tables, call.me, before, 1)
    if not found or found[0].id != token:
        raise NotFound("token", token)
    return found[0], PRIVATE


@operation(
    me,
    "DELETE",
    "/me/tokens/<uuid:token>",
    name="revokeToken",
    access=Access.PLAYER,
    answer=None,
    status=204,
    problems=("missing_scope", "token_limited"),
)
def revoke_token(call: Call, token: UUID) -> Any:
    """Revoke a token, at once

    A token may always revoke itself; for others the scope `manage` is needed.
    """
    accounts.revoke_token(call.tables, call.me, token)
    return nothing()
