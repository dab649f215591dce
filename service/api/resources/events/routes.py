"""What has happened in a game, from any point on."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any
from uuid import UUID

from flask import Response

from service.api.http.streams import ENDED, stream
from service.api.http.tags import EVENTS, tag_of, unchanged
from service.api.http.waiting import wants_stream
from service.api.operation.answers import link, next_page, private
from service.api.operation.declaration import operation
from service.api.operation.gate import Access, Call
from service.api.operation.packing import Packs
from service.api.resources.events.schemas import EventPage, EventsQuery
from service.api.resources.games.routes import games
from service.app.access import look_as
from service.app.reading import queries


@operation(
    games,
    "GET",
    "/games/<uuid:game>/events",
    name="listEvents",
    access=Access.VIEWER,
    scope="read",
    query=EventsQuery,
    packs=Packs.UNHIDDEN,
    answer=EventPage,
    also={HTTPStatus.NO_CONTENT: None, HTTPStatus.NOT_MODIFIED: None},
    problems=("not_yours",),
)
def list_events(call: Call, query: dict[str, Any], game: UUID) -> Response:
    """Read what has happened, from any point on

    Events are numbered without gaps and never change; what you may not see of one is left out of its payload. Follow
    `next` to read on, with `wait` to be told at once. With `Accept: text/event-stream` they come as server-sent events
    (each with its number as `id`, so that `Last-Event-ID` goes on after it) until the game ends or is archived, which
    an event named `end` tells. With a `Last-Event-ID` after which nothing follows any more the answer is 204, so that
    an EventSource stops. A browser reads the stream with fetch: its EventSource cannot send a token.
    """
    after, limit = query["after"], query["limit"]
    if wants_stream():
        return stream(call, game, after)
    here = look_as(call.here, query["as_seat"])
    tag = tag_of(here, f"{EVENTS}.{after}.{limit}")
    if (same := unchanged(tag)) is not None:
        return same
    found = queries.events(call.tables, here, after, limit)
    last = found[-1].seq if found else after
    more = call.here.status not in ENDED or last < call.here.version
    following = next_page(more, after=last)
    return private({"items": found, "next": following}, ETag=tag, **link(following))
