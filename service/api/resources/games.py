"""Games and their seats: created, listed, filled, left, resigned from."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any
from uuid import UUID

from flask import Response

from service.api.operation.answers import PRIVATE, address, nothing, page_of
from service.api.operation.declaration import Resources, operation
from service.api.operation.gate import Access, Call, service
from service.api.operation.idempotency import Keyed
from service.api.operation.packing import Packs
from service.app.errors import InvalidField, NotFound
from service.app.games import lifecycle as use_cases
from service.app.games.invitations import see
from service.app.play.absence import come_back, own_seat
from service.app.values import Game
from service.engine.messages import say

from . import bodies, envelopes
from .presenting import game_answer, seat_answer

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
    body=bodies.NewGame,
    answer=envelopes.GameAnswer,
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
    game = use_cases.create(
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
    query=bodies.GamesQuery,
    packs=Packs.ALWAYS,
    answer=envelopes.GamePage,
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
    answer=envelopes.GameAnswer,
)
def get_game(call: Call, game: UUID) -> Any:
    """Read a game's public facts

    Those of a private game are for its players, its creator, and who shows an invitation to it.
    """
    found = use_cases.game_by_id(call.tables, game)
    return game_answer(found), _headers(found)


def _headers(game: Game) -> dict[str, str]:
    return PRIVATE if game.visibility == "private" else {}


@operation(
    games,
    "POST",
    "/games/<uuid:game>/seats",
    name="takeSeat",
    access=Access.PLAYER,
    scope="play",
    unlimited=True,
    body=bodies.NewSeat,
    answer=envelopes.OwnSeat,
    status=HTTPStatus.CREATED,
    also={HTTPStatus.OK: envelopes.OwnSeat},
    keyed=Keyed.KEPT,
    sees=lambda call, body, game: see(call.tables, call.me.player, game, body["invitation"]),
    transaction=True,
    problems=(
        "invalid_field",
        "game_full",
        "game_not_open",
        "seat_taken",
        "already_seated",
        "not_yours",
        "ruleset_unavailable",
    ),
)
def take_seat(call: Call, body: dict[str, Any], game: UUID) -> Any:
    """Take a seat

    The last seat starts the game. To take the seat that you have already changes nothing and answers 200. With `bot`
    the seat goes to a built-in bot: who created the game may give seats to as many as he likes. A private game takes
    the secret of an `invitation`, whose use you give back when you leave the seat before the start. An archived game
    that has not started is open again.
    """
    if body["bot"] is not None:
        if body["entropy"] is not None:
            raise InvalidField("/entropy", say("Bots give no entropy."))
        if body["invitation"] is not None:
            raise InvalidField("/invitation", say("Bots need no invitation: who created the game seats them."))
        return _own_seat(call, game, use_cases.seat_bot(call.tables, call.me, game, body["seat"], body["bot"]), True)
    seat, new = use_cases.take_seat(call.tables, call.me, game, body["seat"], body["entropy"], body["invitation"])
    return _own_seat(call, game, seat, new)


def _own_seat(call: Call, game: UUID, seat: int, new: bool) -> Any:
    answer = {"seat": seat, "game": game_answer(use_cases.game_by_id(call.tables, game))}
    if not new:
        return answer, HTTPStatus.OK
    return answer, HTTPStatus.CREATED, {"Location": address(f"/v1/games/{game}/seats/{seat}")}


@operation(
    games,
    "GET",
    "/games/<uuid:game>/seats/<number:seat>",
    name="getSeat",
    access=Access.GAME,
    answer=envelopes.SeatAnswer,
)
def get_seat(call: Call, game: UUID, seat: int) -> Any:
    """Read who holds a seat"""
    found = use_cases.game_by_id(call.tables, game)
    if seat >= found.seat_count:
        raise NotFound("seat", seat)
    holder = next((h for h in found.holders if h.seat == seat), None)
    return seat_answer(seat, holder, found.started_at is not None), _headers(found)


@operation(
    games,
    "DELETE",
    "/games/<uuid:game>/seats/<number:seat>",
    name="leaveSeat",
    access=Access.PLAYER,
    scope="play",
    unlimited=True,
    answer=None,
    status=HTTPStatus.NO_CONTENT,
    transaction=True,
    problems=("game_not_open", "game_archived", "not_yours"),
)
def leave_seat(call: Call, game: UUID, seat: int) -> Response:
    """Leave your seat before the game starts

    After the start, resign instead.
    """
    use_cases.leave_seat(call.tables, call.me, game, seat)
    return nothing()


@operation(
    games,
    "POST",
    "/games/<uuid:game>/resignations",
    name="resign",
    access=Access.SEAT,
    body=bodies.NewResignation,
    answer=envelopes.OwnSeat,
    status=HTTPStatus.CREATED,
    also={HTTPStatus.OK: envelopes.OwnSeat},
    keyed=Keyed.KEPT,
    problems=("game_not_active", "game_archived", "missing_scope", "ruleset_unavailable"),
)
def resign(call: Call, body: dict[str, Any], game: UUID) -> Any:
    """Give up a running game

    From now on your seat plays default actions at once and cannot win; a sealed choice already made stands. To resign
    again changes nothing and answers 200. The body is an empty object.
    """
    seat, new = use_cases.resign(call.tables, call.bearer, game)
    return _own_seat(call, game, seat, new)


@operation(
    games,
    "POST",
    "/games/<uuid:game>/seats/<number:seat>/return",
    name="returnToSeat",
    access=Access.PLAYER,
    scope="play",
    body=bodies.Nothing,
    answer=envelopes.OwnSeat,
    keyed=Keyed.KEPT,
    sees=lambda call, body, game, seat: own_seat(call.tables, call.me, game, seat),
    transaction=True,
    problems=("game_not_active", "not_yours", "ruleset_unavailable", "token_limited"),
)
def return_to_seat(call: Call, body: dict[str, Any], game: UUID, seat: int) -> Any:
    """Return to a seat that was played for you in your absence, or to an archived game

    The choices are yours again at once: also that of the current turn, with the whole time for it, unless it was made
    for you already. A turn whose time is up is ended first. An archived game goes on at the turn where it stood:
    whoever owed a choice owes it again and has the whole time for it, and sealed choices are still sealed. To return to
    a game under way when you are not absent changes nothing. A token for one seat may return to that one. The body is
    an empty object.
    """
    come_back(call.tables, call.me, game, seat)
    return {"seat": seat, "game": game_answer(use_cases.game_by_id(call.tables, game))}
