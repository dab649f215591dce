"""How a tournament stands: the order, and who did how against whom."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from flask import Response
from msgspec import Struct

from holmgang.api.http.tags import revised
from holmgang.api.operation.declaration import Poll, operation
from holmgang.api.operation.gate import Access, Call
from holmgang.api.operation.shapes import WaitQuery
from holmgang.api.operation.terms import Cost, Packs, described, links
from holmgang.api.resources.tournaments.routes import changes, tournaments
from holmgang.app.records.tournaments import Line, Out
from holmgang.app.tournaments import reading

from . import examples
from .sheets import number, sheet, wants_sheet


class TournamentStanding(Struct, frozen=True, kw_only=True):
    """A line of the standings. Those whom nothing parts share a rank."""

    rank: int
    entry: UUID
    player: UUID
    name: str
    bot: str | None
    """The built-in bot that it is."""
    out: Out | None
    """Why it is not paired any more."""
    points: float
    """On a ladder the strength, as on leaderboards."""
    tie_breaks: list[float | None]
    """In the stated order; null where it was not needed to tell the rank."""

    @classmethod
    def of(cls, line: Line, tie_breaks: Sequence[str]) -> "TournamentStanding":
        entry = line.entry
        return cls(
            rank=line.rank,
            entry=entry.id,
            player=entry.player,
            name=entry.name,
            bot=entry.bot,
            out=entry.out,
            points=line.points,
            tie_breaks=[line.tie_breaks.get(name) for name in tie_breaks],
        )


class TournamentStandings(Struct, frozen=True, kw_only=True):
    """How a tournament stands by the tables that have been counted."""

    round: int
    """The last round that was paired; 0 before the first."""
    tie_breaks: list[str]
    """What parts those with the same points, in this order; of an arena and a ladder `wins` and `games`."""
    items: list[TournamentStanding]
    """All, the best first."""


class CrosstableCell(Struct, frozen=True, kw_only=True):
    """What one has had of another."""

    entry: UUID
    against: UUID
    met: int
    """At how many tables."""
    won: float
    """At how many of them they were ahead; half for the same points."""


class Crosstable(Struct, frozen=True, kw_only=True):
    """Who did how against whom, by the 10,000 tables that were counted last."""

    order: list[UUID]
    """All entries, the best first."""
    items: list[CrosstableCell]
    """One for each who has met another, in that order."""


def _form(_query: Any) -> str:
    return ".csv" if wants_sheet() else ""


_POLL = Poll(_form, of=changes)


@operation(
    tournaments,
    "GET /tournaments/<uuid:tournament>/standings",
    Access.TOURNAMENT,
    TournamentStandings,
    query=WaitQuery,
    packs=Packs.ALWAYS,
    polls=_POLL,
    cost=Cost(2),
)
@described(examples.get_standings, links("getEntry", tournament="$request.path.tournament", entry="/items/0/entry"))
def get_standings(call: Call, query: WaitQuery, tournament: UUID) -> Response:
    """See how a tournament stands

    By points, then by its tie-breaks in their order. A table counts as soon as all its games are over. With
    `Accept: text/csv` it comes as CSV (RFC 4180) in UTF-8, a line for each entry, with a column for each tie-break; an
    apostrophe stands before a name that a spreadsheet would take for a formula.
    """

    def read() -> TournamentStandings | Response:
        found = reading.standings(call.tables, call.there)
        breaks = reading.columns(call.there, found)
        lines = [TournamentStanding.of(line, breaks) for line in found]
        if not wants_sheet():
            return TournamentStandings(round=call.there.round, tie_breaks=breaks, items=lines)
        return sheet(
            ("rank", "name", "points", *breaks, "out", "bot", "entry", "player"),
            (
                [
                    *(one.rank, one.name, number(one.points), *map(number, one.tie_breaks)),
                    *(one.out, one.bot, one.entry, one.player),
                ]
                for one in lines
            ),
        )

    return revised(call, read, form=_form(query))


@operation(
    tournaments,
    "GET /tournaments/<uuid:tournament>/crosstable",
    Access.TOURNAMENT,
    Crosstable,
    query=WaitQuery,
    packs=Packs.ALWAYS,
    polls=_POLL,
    cost=Cost(2),
)
@described(examples.get_crosstable)
def get_crosstable(call: Call, query: WaitQuery, tournament: UUID) -> Response:
    """See who did how against whom

    With `Accept: text/csv` it comes as CSV: rows and columns in the order of the standings, in each cell what the row
    has had of the column, of how many tables, as in `1.5 of 2`.
    """

    def read() -> Crosstable | Response:
        lines = [line.entry for line in reading.standings(call.tables, call.there)]
        cells = reading.crosstable(call.tables, tournament)
        if not wants_sheet():
            shown = [
                CrosstableCell(entry=one.id, against=other.id, met=cell.games, won=cell.won)
                for one in lines
                for other in lines
                if (cell := cells.get((one.id, other.id))) is not None
            ]
            return Crosstable(order=[one.id for one in lines], items=shown)
        return sheet(
            ("", "name", *(str(n) for n in range(1, len(lines) + 1))),
            (
                [
                    n,
                    one.name,
                    *(
                        "" if (cell := cells.get((one.id, other.id))) is None else f"{number(cell.won)} of {cell.games}"
                        for other in lines
                    ),
                ]
                for n, one in enumerate(lines, start=1)
            ),
        )

    return revised(call, read, form=_form(query))
