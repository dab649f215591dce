"""What is told of a tournament to those who wait for it."""

from __future__ import annotations

from typing import Protocol
from uuid import UUID

from holmgang.app.ports import RevisionsTable, TournamentsTable
from holmgang.app.records.tournaments import Happening


class TellingTables(TournamentsTable, RevisionsTable, Protocol): ...


def tell(
    tables: TellingTables,
    tournament: UUID,
    what: Happening,
    *,
    entry: UUID | None = None,
    in_round: int | None = None,
    at: int | None = None,
) -> None:
    """Tell that something has happened, in the transaction that does it and that holds the tournament: of an entry, a
    round or one of its tables."""
    tables.add_tournament_event(tournament, what, entry=entry, in_round=in_round, at=at)
    tables.touch(tournament)
