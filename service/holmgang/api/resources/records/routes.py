"""The whole of a game that is over."""

from uuid import UUID

from flask import Response

from holmgang.api.operation.answers import private
from holmgang.api.operation.declaration import operation
from holmgang.api.operation.gate import Access, Call
from holmgang.api.operation.terms import Cost, described
from holmgang.api.resources.games.routes import games
from holmgang.app.reading import queries
from holmgang.app.records.play import GameRecord

from . import examples


@operation(games, "GET /games/<uuid:game>/record", Access.VIEWER, GameRecord, cost=Cost(3))
@described(examples.get_record, problems="game_not_over ruleset_unavailable")
def get_record(call: Call, game: UUID) -> Response:
    """Read the whole game, once it is over

    The record holds seed, entropy, all choices and chance values, and a hash of every state: enough to play the game
    again and to compare it with the commitment that was public before.
    """
    return private(queries.record(call.tables, call.here))
