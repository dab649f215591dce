"""What has happened in a game, from any point on."""

from http import HTTPStatus
from typing import Annotated
from uuid import UUID

from flask import Response
from msgspec import Meta, Struct

from holmgang.api.http.streams import ENDED, stream
from holmgang.api.http.tags import tag_of, unchanged
from holmgang.api.http.waiting import wants_stream
from holmgang.api.operation.answers import link, next_page, private
from holmgang.api.operation.declaration import Poll, operation
from holmgang.api.operation.gate import Access, Call
from holmgang.api.operation.shapes import AsSeat, PageQuery, Wait
from holmgang.api.operation.terms import described
from holmgang.api.resources.games.routes import games
from holmgang.app.access import view_as
from holmgang.app.reading import queries
from holmgang.app.records.play import Event

from . import examples


class EventsQuery(PageQuery, frozen=True, kw_only=True):
    after: Annotated[int, Meta(ge=0, le=10**18 - 1)] = 0
    """The number of the last event that you know; 0 for all."""
    wait: Wait | None = None
    as_seat: AsSeat | None = None


class EventPage(Struct, frozen=True):
    items: list[Event]
    next: str | None
    """The address to read on from, also where nothing more has happened yet; null once a game that is over or archived
    was read to its end."""


def _form(query: EventsQuery) -> str:
    """Of the answer, for its tag; the number changes when what it shows does."""
    return f"e1.{query.after}.{query.limit}"


@operation(
    games,
    "GET /games/<uuid:game>/events",
    Access.VIEWER,
    EventPage,
    query=EventsQuery,
    also={HTTPStatus.NO_CONTENT: None},
    polls=Poll(_form, streams=True),
)
@described(examples.list_events, problems="not_yours")
def list_events(call: Call, query: EventsQuery, game: UUID) -> Response:
    """Read what has happened, from any point on

    Events are numbered without gaps and never change. What you may not see of an event is left out of its payload.
    Follow `next` to read on, with `wait` to be told at once. With `Accept: text/event-stream` events come as
    server-sent events until the game ends or is archived, which an event named `end` tells. Each has its number as
    `id`, so that `Last-Event-ID` goes on after it. If nothing follows the `Last-Event-ID` any more, the answer is 204,
    and an EventSource stops. A browser reads the stream with fetch: its EventSource cannot send a token.
    """
    after, limit = query.after, query.limit
    here = view_as(call.here, query.as_seat)
    if wants_stream():
        return stream(call, game, after, query.as_seat)
    tag = tag_of(here, _form(query))
    if (same := unchanged(tag)) is not None:
        return same
    found = queries.events(call.tables, here, after, limit)
    last = found[-1].seq if found else after
    more = call.here.status not in ENDED or last < call.here.version
    following = next_page(more, after=last)
    return private(EventPage(found, following), ETag=tag, **link(following))
