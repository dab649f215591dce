"""Who is in a tournament: entered, come back, left."""

from http import HTTPStatus
from typing import Annotated, Any
from uuid import UUID

from flask import Response
from msgspec import Meta, Struct

from holmgang.api.http.tags import revised
from holmgang.api.operation.answers import address, nothing, page_of
from holmgang.api.operation.declaration import Poll, operation
from holmgang.api.operation.gate import PLAYS, Access, Call
from holmgang.api.operation.shapes import CursorQuery, Page, Wait, WaitQuery, shown_as
from holmgang.api.operation.terms import Packs, described, links
from holmgang.api.resources.tournaments.routes import changes, tournaments
from holmgang.api.resources.tournaments.schemas import BotName
from holmgang.app.errors import InvalidField
from holmgang.app.records.tournaments import Entry
from holmgang.app.tournaments import entering, reading
from holmgang.engine.messages import say

from . import examples


class NewEntry(Struct, frozen=True, kw_only=True):
    bot: BotName | None = None
    """A built-in bot that enters a tournament of yours; else you do."""
    invitation: Annotated[str, Meta(min_length=1, max_length=200)] | None = None
    """The secret of the invitation to a private tournament. It is ignored if you need none."""


class EntriesQuery(CursorQuery, frozen=True, kw_only=True):
    wait: Wait | None = None


class TournamentEntry(Entry, frozen=True, kw_only=True):
    """Somebody in a tournament."""


@operation(
    tournaments,
    "POST /tournaments/<uuid:tournament>/entries",
    PLAYS,
    TournamentEntry,
    body=NewEntry,
    also={HTTPStatus.OK: TournamentEntry},
    sees=lambda call, body, tournament: reading.tournament(call.tables, call.me.player, tournament, body.invitation),
)
@described(
    examples.enter_tournament,
    links(tournament="$request.path.tournament", entry="/id"),
    problems="invalid_field limit_reached not_yours tournament_full tournament_not_open",
)
def enter_tournament(call: Call, body: NewEntry, tournament: UUID) -> Any:
    """Enter a tournament, or come back to it

    To enter again changes nothing and answers 200. Whoever left, or did not turn up at a table, is back by it and is
    paired again. Its maker may let built-in bots enter, the same one several times.
    """
    if body.bot is not None:
        if body.invitation is not None:
            raise InvalidField("/invitation", say("Bots need no invitation: who made the tournament lets them enter."))
        entry, new = entering.add_bot(call.tables, call.me, tournament, body.bot), True
    else:
        entry, new = entering.join(call.tables, call.me, tournament, body.invitation)
    shown = shown_as(TournamentEntry, entry)
    if not new:
        return shown, HTTPStatus.OK
    return shown, HTTPStatus.CREATED, {"Location": address(f"/v1/tournaments/{tournament}/entries/{entry.id}")}


@operation(
    tournaments,
    "GET /tournaments/<uuid:tournament>/entries",
    Access.TOURNAMENT,
    Page[TournamentEntry],
    query=EntriesQuery,
    packs=Packs.ALWAYS,
    polls=Poll(of=changes),
)
@described(examples.list_entries, links("getEntry", tournament="$request.path.tournament", entry="/items/0/id"))
def list_entries(call: Call, query: EntriesQuery, tournament: UUID) -> Response:
    """List who is in a tournament, in the order in which they entered

    `number` is given at the start: 1 is the strongest by rating. Rounds and standings name entries by their id.
    """

    def page() -> tuple[Any, dict[str, str]]:
        found = call.tables.entries(tournament, after=query.cursor, limit=query.limit + 1)
        return page_of(found, query.limit, lambda entry: shown_as(TournamentEntry, entry))

    return revised(call, page)


def _entry(call: Call, tournament: UUID, entry: UUID) -> UUID:
    reading.entry(call.tables, tournament, entry)
    return tournament


@operation(
    tournaments,
    "GET /tournaments/<uuid:tournament>/entries/<uuid:entry>",
    Access.TOURNAMENT,
    TournamentEntry,
    query=WaitQuery,
    polls=Poll(of=_entry),
)
@described(examples.get_entry)
def get_entry(call: Call, query: WaitQuery, tournament: UUID, entry: UUID) -> Response:
    """Read one entry"""
    return revised(call, lambda: shown_as(TournamentEntry, reading.entry(call.tables, tournament, entry)))


@operation(tournaments, "DELETE /tournaments/<uuid:tournament>/entries/<uuid:entry>", PLAYS)
@described(examples.leave_tournament, problems="not_yours")
def leave_tournament(call: Call, tournament: UUID, entry: UUID) -> Response:
    """Leave a tournament

    Before the start you are out of it. After it your games go on, and you are not paired any more until you enter
    again. Before the start its maker may also take out bots and others.
    """
    entering.leave(call.tables, call.me, tournament, entry)
    return nothing()
