"""Tournaments as they are shown. Private ones are as if they did not exist for all who are not in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from holmgang.app.accounts.tokens import digest_of
from holmgang.app.errors import NotFound
from holmgang.app.ports import ContendersTable, TournamentsTable
from holmgang.app.records.tournaments import Entry, Kind, Line, Round, Table, Tournament, TournamentStatus
from holmgang.tournaments import standings as told
from holmgang.tournaments.meetings import Meeting
from holmgang.tournaments.standings import Encounter

from . import endless
from .playing import by_rounds, named, players_of
from .ranking import ranked

CROSSED = 10_000
"""How many tables a crosstable is made of: more than there are but on a ladder that has gone on for long."""


class ReadingTables(TournamentsTable, ContendersTable, Protocol): ...


def tournament(tables: TournamentsTable, viewer: UUID | None, ident: UUID, invitation: str | None = None) -> Tournament:
    """One that the viewer may see, by an invitation if need be; NotFound for all others."""
    if tables.may_see_tournament(viewer, ident, digest_of(invitation)):
        found = tables.tournament(ident)
        if found is not None:
            return found
    raise NotFound("tournament", ident)


def tournaments(
    tables: TournamentsTable,
    viewer: UUID | None,
    *,
    kind: Kind | None,
    ruleset: str | None,
    status: TournamentStatus | None,
    player: UUID | None,
    before: UUID | None,
    limit: int,
) -> list[Tournament]:
    """Newest first; private ones only for those who made them or are in them."""
    return tables.tournaments(
        viewer=viewer, kind=kind, ruleset=ruleset, status=status, player=player, before=before, limit=limit
    )


def mine(
    tables: TournamentsTable, player: UUID, status: TournamentStatus | None, before: UUID | None, limit: int
) -> list[Tournament]:
    """Those that the player made or is in, newest first."""
    return tables.tournaments(
        viewer=player, kind=None, ruleset=None, status=status, player=player, before=before, limit=limit
    )


def entry(tables: TournamentsTable, ident: UUID, wanted: UUID) -> Entry:
    found = tables.entry(ident, wanted)
    if found is None:
        raise NotFound("entry", wanted)
    return found


def entries(tables: TournamentsTable, ident: UUID, after: UUID | None, limit: int) -> list[Entry]:
    return tables.entries(ident, after=after, limit=limit)


def rounds(tables: TournamentsTable, ident: UUID, after: int, limit: int) -> list[Round]:
    return tables.rounds(ident, after=after, limit=limit)


def tables_of(
    tables: TournamentsTable, ident: UUID, only: int | None, after: tuple[int, int], limit: int
) -> list[Table]:
    """With their games, of one round or of all, from the one after a round and number."""
    return tables.tables_of_tournament(ident, only=only, after=after, limit=limit)


def crosstable(tables: TournamentsTable, ident: UUID) -> dict[tuple[UUID, UUID], Encounter]:
    """What each has had of each whom they met, by the tables that were counted last."""
    counted = tables.newest_tables(ident, CROSSED)
    met = [Meeting(one.round, named(one.players), one.points, named(one.absent)) for one in counted]
    return {(UUID(one), UUID(other)): cell for (one, other), cell in told.crosstable(met).items()}


def columns(one: Tournament, lines: Sequence[Line]) -> list[str]:
    """What is told of each line beside its points: the tie-breaks in their order, of an arena or a ladder its own."""
    if by_rounds(one.kind):
        return list(one.plan.tie_breaks)
    return list(lines[0].tie_breaks) if lines else []


def standings(tables: ReadingTables, one: Tournament) -> list[Line]:
    """Everybody with a rank, the best first; before the start all have the first."""
    if not by_rounds(one.kind):
        return endless.standings(one, tables.entries(one.id), tables.contenders(one.id))
    found = {str(entry.id): entry for entry in tables.entries(one.id)}
    players = players_of(list(found.values())) or list(found)
    return [
        Line(rank=line.rank, entry=found[line.player], points=line.points, tie_breaks=line.tie_breaks)
        for line in ranked(tables, one, players)
    ]
