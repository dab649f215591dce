"""Rematches of games that are over: /v1/games/{game}/rematch."""

from typing import Any
from uuid import UUID

from flask import Response

from holmgang.api.http.tags import revised
from holmgang.api.operation.answers import PRIVATE, nothing
from holmgang.api.operation.declaration import Poll, operation
from holmgang.api.operation.gate import PLAYS, READS, Call
from holmgang.api.operation.room import need_room
from holmgang.api.operation.shapes import Nothing, WaitQuery
from holmgang.api.operation.terms import Cost, described, links
from holmgang.api.resources.games.routes import games
from holmgang.app.meeting import rematches as use_cases
from holmgang.app.records.rematches import Rematch

from . import examples


def _sees(call: Call, game: UUID) -> UUID:
    return use_cases.ident_of(use_cases.own(call.tables, call.me, game).id)


@operation(games, "PUT /games/<uuid:game>/rematch", PLAYS, Rematch, body=Nothing, cost=Cost(2))
@described(
    examples.AGREE_TO_REMATCH,
    links("getRematch takeBackRematch", game="/game"),
    links("getGame", game="/next"),
    problems="not_seated game_not_over no_rematch ruleset_unavailable limit_reached",
)
def agree_to_rematch(call: Call, body: Nothing, game: UUID) -> Any:
    """Agree to play a finished game again

    Once all its players have agreed, a game with the same terms is made and starts: `next`. Built-in bots always agree.
    Everybody moves on by the same number of seats, the smallest that leaves partners partners: two change places. An
    agreement ends after a day. There is one rematch of a game; of that there is another. You cannot agree while you
    block another player of the game, nor when you have created too many games. The body is an empty object.
    """
    return use_cases.agree(call.tables, call.me, game, need_room=need_room(call)), PRIVATE


@operation(games, "GET /games/<uuid:game>/rematch", READS, Rematch, query=WaitQuery, polls=Poll(of=_sees))
@described(examples.GET_REMATCH, links("getGame", game="/next"), problems="not_seated game_not_over")
def get_rematch(call: Call, query: WaitQuery, game: UUID) -> Response:
    """Read who agrees to play a finished game of yours again

    Poll it with If-None-Match. With `wait` the request is held until it changes.
    """
    return revised(call, lambda: use_cases.look(call.tables, call.me, game))


@operation(games, "DELETE /games/<uuid:game>/rematch", PLAYS)
@described(examples.TAKE_BACK_REMATCH, problems="not_seated game_not_over no_rematch")
def take_back_rematch(call: Call, game: UUID) -> Response:
    """Agree no more to play a finished game again, while others have not agreed"""
    use_cases.take_back(call.tables, call.me, game)
    return nothing()
