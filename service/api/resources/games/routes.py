"""Games: created, listed, read."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any
from uuid import UUID

from service.api.operation.answers import PRIVATE, address, page_of
from service.api.operation.declaration import Resources, operation
from service.api.operation.gate import Access, Call
from service.api.operation.idempotency import Keyed
from service.api.operation.packing import Packs
from service.api.operation.service import service
from service.api.resources.games.schemas import GameAnswer, GamePage, GamesQuery, NewGame
from service.api.resources.presenting import game_answer
from service.app.access import game_by_id
from service.app.games import creation
from service.app.records.games import Game

games = Resources(
    "games", __name__, url_prefix="/v1", description="Games: found and created, their seats, their moves."
)


@operation(
    games,
    "POST",
    "/games",
    name="createGame",
    access=Access.PLAYER,
    scope="play",
    unlimited=True,
    body=NewGame,
    answer=GameAnswer,
    status=HTTPStatus.CREATED,
    keyed=Keyed.KEPT,
    transaction=True,
    problems=("invalid_field", "invalid_option", "limit_reached"),
)
def create_game(call: Call, body: dict[str, Any]) -> Any:
    """Create a game

    The seed of all chance is drawn now and its commitment is public from now on. You sit on seat 0 unless `join` is
    false. The game starts when its last seat is taken. With `rated` its result changes ratings, whoever sits at it:
    bots have ratings too, and a resignation is a loss, from the first turn on. A private game is for those whom you
    invite (`POST /v1/games/{game}/invitations`); to all others its address answers as if it did not exist. A game that
    is not rated, and that ends or is archived before any person has chosen anything, is deleted some days later.
    """
    game = creation.create_game(
        call.tables,
        call.me,
        ruleset=body["ruleset"],
        seats=body["seats"],
        options=body["options"],
        visibility=body["visibility"],
        spectators=body["spectators"],
        join=body["join"],
        turn_seconds=body["turn_seconds"],
        absence=body["absence"],
        practice=body["practice"],
        rated=body["rated"],
        seed=None if body["seed"] is None else bytes.fromhex(body["seed"]),
        most=service().settings.games_per_player,
        most_empty=service().settings.empty_games_per_player,
        empty_days=service().settings.empty_games_days,
    )
    return game_answer(game), HTTPStatus.CREATED, {"Location": address(f"/v1/games/{game.id}")}


@operation(
    games,
    "GET",
    "/games",
    name="listGames",
    access=Access.PUBLIC,
    query=GamesQuery,
    packs=Packs.ALWAYS,
    answer=GamePage,
)
def list_games(call: Call, query: dict[str, Any]) -> Any:
    """List public games, newest first

    Private ones are in no list but `/v1/me/games` of their players.
    """
    limit = query["limit"]
    found = call.tables.games(
        status=query["status"],
        ruleset=query["ruleset"],
        player=query["player"],
        open_seats=query["open_seats"],
        before=query["cursor"],
        limit=limit + 1,
    )
    return page_of(found, limit, game_answer)


@operation(
    games,
    "GET",
    "/games/<uuid:game>",
    name="getGame",
    access=Access.GAME,
    packs=Packs.ALWAYS,
    answer=GameAnswer,
)
def get_game(call: Call, game: UUID) -> Any:
    """Read a game's public facts

    Those of a private game are for its players, its creator, and who shows an invitation to it.
    """
    found = game_by_id(call.tables, game)
    return game_answer(found), headers_of(found)


def headers_of(game: Game) -> dict[str, str]:
    return PRIVATE if game.visibility == "private" else {}
