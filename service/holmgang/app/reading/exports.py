"""All of one's finished games, a few at a time, so that any number of them takes no more memory than a few."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Protocol
from uuid import UUID

from holmgang.app.accounts.tokens import authenticate, need
from holmgang.app.pauses import with_pauses
from holmgang.app.ports import GamesTable, HistoryTable, TokensTable
from holmgang.app.records.play import GameRecord

from .queries import record_of

AT_ONCE = 20
"""Games."""


class ExportTables(GamesTable, HistoryTable, TokensTable, Protocol): ...


def some(
    tables: ExportTables, secret: str, after: UUID | None, since: datetime | None, until: datetime | None
) -> Iterator[GameRecord]:
    """The next finished games of whose token that is, in the order of their creation, with their records; none at the
    end. Refused as soon as the token is good no more."""
    principal = authenticate(tables, secret)
    need(principal, "read")
    found = tables.finished_games(principal.player, after=after, since=since, until=until, limit=AT_ONCE)
    return (record_of(tables, game) for game in with_pauses(found))
