"""Combat resolutions."""

from __future__ import annotations

from operator import attrgetter
from uuid import UUID

from flask import Response

from service.api.operation.answers import page_of, private
from service.api.operation.declaration import operation
from service.api.operation.description import described, links
from service.api.operation.gate import Access, Call
from service.api.operation.shapes import Page
from service.api.resources.combats.schemas import NumberQuery
from service.api.resources.games.routes import games
from service.app.reading import queries
from service.app.records.play import Combat

from . import examples


@operation(games, "GET /games/<uuid:game>/combats", Access.VIEWER, Page[Combat], query=NumberQuery)
@described(examples.list_combats, links(game="$request.path.game", number="/items/0/number"))
def list_combats(call: Call, query: NumberQuery, game: UUID) -> Response:
    """List the game's combat resolutions, in the order they began"""
    limit = query.limit
    found = queries.combats(call.tables, call.here, query.cursor, limit + 1)
    page, headers = page_of(found, limit, cursor=attrgetter("number"))
    return private(page, **headers)


@operation(games, "GET /games/<uuid:game>/combats/<number:number>", Access.VIEWER, Combat)
@described(examples.get_combat)
def get_combat(call: Call, game: UUID, number: int) -> Response:
    """Read one combat resolution"""
    return private(queries.combat(call.tables, call.here, number))
