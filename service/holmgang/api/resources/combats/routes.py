"""Combat resolutions."""

from operator import attrgetter
from typing import Annotated, Any
from uuid import UUID

from flask import Response
from msgspec import Meta

from holmgang.api.operation.answers import PRIVATE, page_of, private
from holmgang.api.operation.declaration import operation
from holmgang.api.operation.fields import MAX_INT
from holmgang.api.operation.gate import Access, Call
from holmgang.api.operation.shapes import PLACE, Page, PageQuery
from holmgang.api.operation.terms import described, links
from holmgang.api.resources.games.routes import games
from holmgang.app.reading import queries
from holmgang.app.records.play import Combat

from . import examples


class NumberQuery(PageQuery, frozen=True, kw_only=True):
    cursor: Annotated[int, Meta(ge=0, le=MAX_INT), PLACE] = 0


@operation(games, "GET /games/<uuid:game>/combats", Access.VIEWER, Page[Combat], query=NumberQuery)
@described(examples.list_combats, links(game="$request.path.game", number="/items/0/number"))
def list_combats(call: Call, query: NumberQuery, game: UUID) -> Any:
    """List the game's combat resolutions, in the order they began"""
    found = queries.combats(call.tables, call.here, query.cursor, query.limit + 1)
    return page_of(found, query.limit, cursor=attrgetter("number"), headers=PRIVATE)


@operation(games, "GET /games/<uuid:game>/combats/<number:number>", Access.VIEWER, Combat)
@described(examples.get_combat)
def get_combat(call: Call, game: UUID, number: int) -> Response:
    """Read one combat resolution"""
    return private(queries.combat(call.tables, call.here, number))
