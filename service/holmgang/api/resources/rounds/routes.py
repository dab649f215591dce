"""The rounds of a tournament: who meets whom, and what came of it."""

from collections import defaultdict
from operator import attrgetter
from typing import Annotated, Any
from uuid import UUID

from flask import Response
from msgspec import Meta

from holmgang.api.http.tags import revised
from holmgang.api.operation.answers import page_of
from holmgang.api.operation.declaration import Poll, operation
from holmgang.api.operation.gate import Access, Call
from holmgang.api.operation.shapes import PLACE, Page, PageQuery, Wait, WaitQuery, shown_as
from holmgang.api.operation.terms import PAGE_OF_GAMES, Packs, described, links
from holmgang.api.resources.tournaments.routes import changes, tournaments
from holmgang.app.errors import NotFound
from holmgang.app.records.tournaments import Round, Table

from . import examples

MOST_TABLES = 999_999_999
"""More than there are in a round."""


class RoundsQuery(PageQuery, frozen=True, kw_only=True):
    cursor: Annotated[int, Meta(ge=0, le=999_999_999), PLACE] = 0
    wait: Wait | None = None


class TournamentTable(Table, frozen=True, kw_only=True):
    """Who met at a table in a round, and what came of it."""


class TournamentRound(Round, frozen=True, kw_only=True):
    """A pairing, and what came of it."""

    tables: list[TournamentTable]
    """By number: the first is the one of the best."""


def _with_tables(call: Call, tournament: UUID, rounds: list[Round]) -> list[TournamentRound]:
    found: defaultdict[int, list[TournamentTable]] = defaultdict(list)
    if rounds:
        before, last = rounds[0].round - 1, rounds[-1].round
        for table in call.tables.tables_of_tournament(tournament, after=(before, MOST_TABLES), last=last):
            found[table.round].append(shown_as(TournamentTable, table))
    return [shown_as(TournamentRound, each, tables=found[each.round]) for each in rounds]


@operation(
    tournaments,
    "GET /tournaments/<uuid:tournament>/rounds",
    Access.TOURNAMENT,
    Page[TournamentRound],
    query=RoundsQuery,
    packs=Packs.ALWAYS,
    polls=Poll(of=changes),
    cost=PAGE_OF_GAMES,
)
@described(
    examples.list_rounds,
    links("getRound", tournament="$request.path.tournament", number="/items/0/round"),
)
def list_rounds(call: Call, query: RoundsQuery, tournament: UUID) -> Response:
    """List the rounds of a tournament, with their tables

    Players are named by the ids of their entries, in order of their places. All that pairings go by is here and in the
    entries, so that anybody can make them again: `holmgang standings --verify` does. Of an arena or a ladder each round
    is one look at who was free.
    """

    def page() -> tuple[Any, dict[str, str]]:
        found = call.tables.rounds(tournament, after=query.cursor, limit=query.limit + 1)
        shown, headers = page_of(found, query.limit, cursor=attrgetter("round"))
        return Page(_with_tables(call, tournament, shown.items), shown.next), headers

    return revised(call, page)


def _round(call: Call, tournament: UUID, number: int) -> list[Round]:
    found = call.tables.rounds(tournament, after=number - 1, limit=1)
    if not found or found[0].round != number:
        raise NotFound("round", number)
    return found


def _changes(call: Call, tournament: UUID, number: int) -> UUID:
    _round(call, tournament, number)
    return tournament


@operation(
    tournaments,
    "GET /tournaments/<uuid:tournament>/rounds/<number:number>",
    Access.TOURNAMENT,
    TournamentRound,
    query=WaitQuery,
    packs=Packs.ALWAYS,
    polls=Poll(of=_changes),
)
@described(examples.get_round)
def get_round(call: Call, query: WaitQuery, tournament: UUID, number: int) -> Response:
    """Read one round: its tables, games and results, and who sits out"""
    return revised(call, lambda: _with_tables(call, tournament, _round(call, tournament, number))[0])
