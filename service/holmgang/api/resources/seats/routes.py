"""Seats of a game: taken, left, resigned from, returned to."""

from http import HTTPStatus
from typing import Annotated, Any
from uuid import UUID

from flask import Response
from marshmallow import validate
from msgspec import Meta, Struct

from holmgang.api.operation.answers import address, nothing
from holmgang.api.operation.declaration import operation
from holmgang.api.operation.fields import Entropy
from holmgang.api.operation.gate import PLAYS, Access, Call
from holmgang.api.operation.shapes import Nothing
from holmgang.api.operation.terms import Cost, described, links
from holmgang.api.resources.games.routes import games, headers_of
from holmgang.api.resources.games.schemas import GameAnswer, SeatAnswer
from holmgang.app.access import game_by_id, need_visible
from holmgang.app.errors import InvalidField, NotFound
from holmgang.app.games import seats
from holmgang.app.play import leave, resignation, returns
from holmgang.app.play.returns import own_seat
from holmgang.bots.base import NAMES
from holmgang.engine.messages import say
from holmgang.engine.turn import Seat

from . import examples


class NewSeat(Struct, frozen=True, kw_only=True):
    seat: Annotated[int, Meta(ge=0, le=99)] | None = None
    """The seat to take; by default the lowest free one."""
    entropy: Annotated[bytes | None, Meta(extra={"field": Entropy})] = None
    """Your share of the chance: 16 to 64 random bytes, base64url without padding. Shown to others once the game has
    started."""
    bot: Annotated[str | None, Meta(extra={"validate": [validate.OneOf(NAMES)]})] = None
    """A built-in bot to give the seat to, in a game that you created; else it is yours. `bots` of the ruleset lists
    those that can play it."""
    invitation: Annotated[str, Meta(min_length=1, max_length=200)] | None = None
    """The secret of your invitation, for a private game. It is ignored if you need none."""


class NewResignation(Struct, frozen=True):
    """An empty object: the seat is the caller's own."""


class OwnSeat(Struct, frozen=True, kw_only=True):
    seat: Seat
    """The caller's seat."""
    game: GameAnswer


@operation(
    games,
    "POST /games/<uuid:game>/seats",
    PLAYS,
    OwnSeat,
    body=NewSeat,
    also={HTTPStatus.OK: OwnSeat},
    cost=Cost(2),
    sees=lambda call, body, game: need_visible(call.tables, call.me.player, game, body.invitation),
)
@described(
    examples.take_seat,
    links(game="/game/id", seat="/seat"),
    problems="invalid_field game_full game_not_open seat_taken already_seated not_yours ruleset_unavailable",
)
def take_seat(call: Call, body: NewSeat, game: UUID) -> Any:
    """Take a seat

    The last seat starts the game. Taking the seat that you already have changes nothing and answers 200. With `bot` the
    seat goes to a built-in bot: the creator of the game may give seats to any number of bots. A private game takes the
    secret of an `invitation`, whose use you give back when you leave the seat before the start. An archived game that
    has not started is open again.
    """
    if body.bot is not None:
        if body.entropy is not None:
            raise InvalidField("/entropy", say("Bots give no entropy."))
        if body.invitation is not None:
            raise InvalidField("/invitation", say("Bots need no invitation: who created the game seats them."))
        return _own_seat(call, game, seats.seat_bot(call.tables, call.me, game, body.seat, body.bot), True)
    seat, new = seats.take_seat(call.tables, call.me, game, body.seat, body.entropy, body.invitation)
    return _own_seat(call, game, seat, new)


def _own_seat(call: Call, game: UUID, seat: int, new: bool) -> Any:
    answer = OwnSeat(seat=seat, game=GameAnswer.of(game_by_id(call.tables, game)))
    if not new:
        return answer, HTTPStatus.OK
    return answer, HTTPStatus.CREATED, {"Location": address(f"/v1/games/{game}/seats/{seat}")}


@operation(games, "GET /games/<uuid:game>/seats/<number:seat>", Access.GAME, SeatAnswer)
@described(examples.get_seat)
def get_seat(call: Call, game: UUID, seat: int) -> Any:
    """Read who holds a seat

    A seat is held by a player or by a bot, and is empty until one takes it.
    """
    found = game_by_id(call.tables, game)
    if seat >= found.seat_count:
        raise NotFound("seat", seat)
    holder = next((h for h in found.holders if h.seat == seat), None)
    return SeatAnswer.of(seat, holder, found.started_at is not None), headers_of(found)


@operation(games, "DELETE /games/<uuid:game>/seats/<number:seat>", PLAYS, cost=Cost(2))
@described(examples.leave_seat, problems="game_not_open game_archived not_yours")
def leave_seat(call: Call, game: UUID, seat: int) -> Response:
    """Leave your seat before the game starts

    After the start, resign instead.
    """
    seats.leave_seat(call.tables, call.me, game, seat)
    return nothing()


@operation(
    games,
    "POST /games/<uuid:game>/resignations",
    Access.SEAT,
    OwnSeat,
    body=NewResignation,
    also={HTTPStatus.OK: OwnSeat},
    cost=Cost(2),
)
@described(examples.resign)
def resign(call: Call, body: NewResignation, game: UUID) -> Any:
    """Give up a running game

    From now on your seat plays default actions at once and cannot win. A sealed choice that you have already made
    stays. Resigning again changes nothing and answers 200. The body is an empty object.
    """
    seat, new = resignation.resign(call.tables, call.bearer, game)
    return _own_seat(call, game, seat, new)


@operation(
    games,
    "POST /games/<uuid:game>/seats/<number:seat>/return",
    PLAYS,
    OwnSeat,
    one_seat=True,
    body=Nothing,
    status=HTTPStatus.OK,
    cost=Cost(2),
    sees=lambda call, _body, game, seat: own_seat(call.tables, call.me, game, seat),
)
@described(examples.return_to_seat, problems="game_not_active not_yours ruleset_unavailable token_limited")
def return_to_seat(call: Call, body: Nothing, game: UUID, seat: int) -> Any:
    """Return to a seat that was played for you in your absence, or to an archived game

    You make the choices again at once, also that of the current turn, with the whole time for it, unless it has been
    made for you. If the time of a turn is up, it ends first. An archived game goes on at the turn where it stopped:
    those who owed a choice owe it again with the whole time for it, and sealed choices are still sealed. Returning to a
    running game when you are not absent changes nothing. A token for one seat may return to that seat. The body is an
    empty object.
    """
    returns.return_to_seat(call.tables, call.me, game, seat)
    return OwnSeat(seat=seat, game=GameAnswer.of(game_by_id(call.tables, game)))


@operation(
    games,
    "POST /games/<uuid:game>/seats/<number:seat>/leave",
    PLAYS,
    OwnSeat,
    one_seat=True,
    body=Nothing,
    status=HTTPStatus.OK,
    cost=Cost(2),
    sees=lambda call, _body, game, seat: own_seat(call.tables, call.me, game, seat),
)
@described(examples.go_on_leave, problems="game_not_active limit_reached not_yours ruleset_unavailable token_limited")
def go_on_leave(call: Call, body: Nothing, game: UUID, seat: int) -> Any:
    """Go on leave, in a game that gives some

    Your clock stands from now on, and the game waits for you. What your bank has spent until now is charged. Your leave
    ends when you say so, or by itself once it is used up: `leave_ms` of your clock is what the game's `leave_days`
    leave you. You may choose meanwhile. If the time of a turn is up, it ends first. When you are on leave already,
    nothing changes. A token for one seat may do so for that seat. The body is an empty object.
    """
    leave.go_on_leave(call.tables, call.me, game, seat)
    return OwnSeat(seat=seat, game=GameAnswer.of(game_by_id(call.tables, game)))


@operation(
    games,
    "DELETE /games/<uuid:game>/seats/<number:seat>/leave",
    PLAYS,
    one_seat=True,
    cost=Cost(2),
    sees=lambda call, game, seat: own_seat(call.tables, call.me, game, seat),
)
@described(examples.end_leave, problems="game_not_active not_yours ruleset_unavailable token_limited")
def end_leave(call: Call, game: UUID, seat: int) -> Response:
    """End your leave

    If a choice of yours is awaited, your clock runs again with what it had. What is left of your leave you may take
    another time. When you are not on leave, nothing changes.
    """
    leave.end_leave(call.tables, call.me, game, seat)
    return nothing()
