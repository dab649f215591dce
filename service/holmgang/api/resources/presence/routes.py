"""Who is there at a table: /v1/games/{game}/presence."""

from typing import Any
from uuid import UUID

from holmgang.api.operation.answers import PRIVATE
from holmgang.api.operation.declaration import operation
from holmgang.api.operation.gate import Access, Call
from holmgang.api.operation.terms import described, links
from holmgang.api.resources.games.routes import games
from holmgang.app.reading import presence
from holmgang.app.records.presence import Presence

from . import examples


@operation(games, "GET /games/<uuid:game>/presence", Access.GAME, Presence)
@described(
    examples.GET_PRESENCE,
    links("getGame", game="/game"),
    problems="unauthenticated missing_scope token_limited not_seated",
)
def get_presence(call: Call, game: UUID) -> Any:
    """Read who of those at your table is there

    For those who have a seat, about those who have one. Whoever asks the service for anything with their token is
    there, as long as they wait for news too. It is noted by the minute and told a minute or two later: it does not tell
    who has just chosen. Ask once a minute. Players may hide it (`changeMe`). A token needs the scope `read`.
    """
    return presence.look(call.tables, call.here), PRIVATE
