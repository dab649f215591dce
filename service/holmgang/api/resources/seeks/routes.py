"""Seeks: the service brings together those who want the same game."""

from typing import Any
from uuid import UUID

from flask import Response

from holmgang.api.http.tags import revised
from holmgang.api.operation.answers import PRIVATE, address, nothing, page_of
from holmgang.api.operation.declaration import Poll, Resources, operation
from holmgang.api.operation.gate import PLAYS, READS, Access, Call
from holmgang.api.operation.room import need_room
from holmgang.api.operation.service import service
from holmgang.api.operation.shapes import Page, WaitQuery
from holmgang.api.operation.terms import described, links
from holmgang.api.resources.seeks.schemas import MySeeksQuery, NewSeek, SeeksQuery, SoughtGameAnswer
from holmgang.app.meeting import seeks as use_cases
from holmgang.app.records.seeks import Seek

from . import examples

seeks = Resources(
    "seeks",
    __name__,
    "Seeks: say what you would play, and the service finds others who want the same.",
    seek="The seek's id.",
)


@operation(seeks, "POST /seeks", PLAYS, Seek, body=NewSeek)
@described(
    examples.create_seek,
    links("getSeek withdrawSeek", seek="/id"),
    problems="invalid_field invalid_option limit_reached",
)
def create_seek(call: Call, body: NewSeek) -> Any:
    """Seek a game

    As soon as enough others seek the same game on the same terms, the service makes it, and it starts: you find it in
    `/v1/me/turns`, and in the seek. Whoever has waited longest comes first. Partners are chosen so that their sides are
    about as strong as each other; who sits where is drawn by lot. You are never matched with yourself, nor with whom
    you block.

    When a seek of a game with turns or banks of less than a day leads to one, your others of that kind are withdrawn. A
    seek ends with the token that made it.
    """
    need_room(call)()
    found = use_cases.create(
        call.tables,
        call.me,
        body.terms(),
        body.seats,
        wanted=body.wanted,
        reach=use_cases.Range(body.rating_below, body.rating_above, body.rating_widens),
        seconds=body.expires_in,
        most=service().settings.seeks_per_player,
    )
    return found, {"Location": address(f"/v1/seeks/{found.id}"), **PRIVATE}


@operation(seeks, "GET /seeks", Access.PUBLIC, Page[SoughtGameAnswer], query=SeeksQuery)
@described(examples.list_seeks)
def list_seeks(call: Call, query: SeeksQuery) -> Any:
    """List the games that are sought, the longest waiting first

    Seek the same, and you will play it, if you want each other.
    """
    found = call.tables.sought(query.ruleset, query.cursor, query.limit + 1)
    return page_of(found, query.limit, SoughtGameAnswer.of)


@operation(seeks, "GET /me/seeks", READS, Page[Seek], query=MySeeksQuery)
@described(examples.list_my_seeks, links("getSeek", seek="/items/0/id"))
def list_my_seeks(call: Call, query: MySeeksQuery) -> Any:
    """List your seeks, newest first

    Those that have ended are listed for a day.
    """
    found = call.tables.seeks(call.me.player, query.status, query.cursor, query.limit + 1)
    return page_of(found, query.limit, headers=PRIVATE)


def _seek(call: Call, seek: UUID) -> UUID:
    return use_cases.mine(call.tables, call.me, seek).id


@operation(seeks, "GET /seeks/<uuid:seek>", READS, Seek, query=WaitQuery, polls=Poll(of=_seek))
@described(examples.get_seek)
def get_seek(call: Call, query: WaitQuery, seek: UUID) -> Response:
    """Read one of your seeks

    With `wait` and If-None-Match the request is held until the seek has led to a game, or ends otherwise. `game` and
    `seat` say where you play then. A seek that has ended can be read for a day.
    """
    return revised(call, lambda: use_cases.mine(call.tables, call.me, seek))


@operation(seeks, "DELETE /seeks/<uuid:seek>", PLAYS)
@described(examples.WITHDRAW_SEEK, problems="seek_matched")
def withdraw_seek(call: Call, seek: UUID) -> Response:
    """Withdraw a seek

    Once this is answered by 204, no game comes of it. A seek that has ended already stays as it is.
    """
    use_cases.withdraw(call.tables, call.me, seek)
    return nothing()
