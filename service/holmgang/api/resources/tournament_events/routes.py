"""What has happened in a tournament, from any point on."""

from http import HTTPStatus
from typing import Annotated
from uuid import UUID

from flask import Response, request
from msgspec import Meta, Struct

from holmgang.api.http.callers import client_of
from holmgang.api.http.process import process
from holmgang.api.http.streams import BATCH, Feed, Seen, lines_of, streamed
from holmgang.api.http.tags import revised
from holmgang.api.http.waiting import wants_stream
from holmgang.api.operation.answers import link, next_page
from holmgang.api.operation.declaration import Poll, operation
from holmgang.api.operation.gate import Access, Call, seen_tournament
from holmgang.api.operation.service import service
from holmgang.api.operation.shapes import PageQuery, Wait
from holmgang.api.operation.terms import Packs, described
from holmgang.api.resources.tournaments.routes import changes, tournaments
from holmgang.app.ports import Tables
from holmgang.app.records.tournaments import Tournament, TournamentEvent

from . import examples

_ENDED = ("over", "cancelled")


class TournamentEventsQuery(PageQuery, frozen=True, kw_only=True):
    after: Annotated[int, Meta(ge=0, le=10**18 - 1)] = 0
    """The number of the last event that you know; 0 for all."""
    wait: Wait | None = None


class TournamentEventPage(Struct, frozen=True):
    items: list[TournamentEvent]
    next: str | None
    """The address to read on from, also where nothing more has happened yet; null once a tournament that is over was
    read to its end."""


def _later(call: Call, query: TournamentEventsQuery, tournament: UUID) -> bool:
    """Whether a request need not wait."""
    return call.there.status in _ENDED or call.tables.last_tournament_event(tournament) > query.after


@operation(
    tournaments,
    "GET /tournaments/<uuid:tournament>/events",
    Access.TOURNAMENT,
    TournamentEventPage,
    query=TournamentEventsQuery,
    also={HTTPStatus.NO_CONTENT: None},
    packs=Packs.ALWAYS,
    polls=Poll(of=changes, later=_later, streams=True),
)
@described(examples.list_tournament_events)
def list_tournament_events(call: Call, query: TournamentEventsQuery, tournament: UUID) -> Response:
    """Read what has happened in a tournament, from any point on

    Events are numbered without gaps and never change. Follow `next` to read on, with `wait` to be told at once. With
    `Accept: text/event-stream` events come as server-sent events until the tournament is over, as those of games do.
    """
    if wants_stream():
        return _stream(call, tournament, query.after)

    def page() -> tuple[TournamentEventPage, dict[str, str]]:
        found = call.tables.tournament_events(tournament, query.after, query.limit + 1)
        shown = found[: query.limit]
        last = shown[-1].seq if shown else query.after
        more = call.there.status not in _ENDED or len(found) > query.limit
        following = next_page(more, after=last)
        return TournamentEventPage(shown, following), link(following)

    return revised(call, page)


def _stream(call: Call, ident: UUID, after: int) -> Response:
    store, at_work, client = service().store, process(), client_of(request.environ)
    secret, invitation = call.secret, call.invitation

    def seen(tables: Tables, found: Tournament, revision: int) -> Seen:
        return Seen(revision, tables.last_tournament_event(ident), found.status in _ENDED)

    def look() -> Seen:
        with at_work.admission.slot(client.queue_key, urgent=True), store.reading() as tables:
            revision = tables.revision(ident)
            return seen(tables, seen_tournament(Call(tables, secret, invitation=invitation), ident), revision)

    def lines(_: Seen, after: int) -> tuple[bytes, int]:
        with at_work.admission.slot(client.queue_key, urgent=True), store.reading() as tables:
            found = tables.tournament_events(ident, after, BATCH)
        return lines_of(found), found[-1].seq if found else after

    feed = Feed(lambda: store.watch_revision(ident), look, lines)
    return streamed(feed, seen(call.tables, call.there, 0), after)
