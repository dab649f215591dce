"""Games that have been idle for long are archived, and revived when a player returns."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.sql import SQL

from holmgang.app.play.steps import house_event
from holmgang.app.records.play import HouseEvent, HouseEventType
from holmgang.engine.turn import Seat

from .functions import BESIDE
from .rows import Query, Rows, Statement

# Moves do not write `games.touched_at`. It only says that the game was not idle before that time: once it is old, the
# last event decides, and a game that was played since is looked at again when that event (or its deadline) is old.
UNTOUCHED = Query(
    UUID,
    """
    SELECT id
    FROM games
    WHERE status IN ('open', 'active')
        AND touched_at <= (SELECT clock_timestamp() - make_interval(days => %(days)s))
    ORDER BY touched_at
    LIMIT %(limit)s
    """,
)
_ARCHIVE = Query(int, SQL("SELECT {archive} AS version").format(archive=BESIDE.archive.call()))
_REVIVE = Statement(SQL("SELECT FROM {revive}").format(revive=BESIDE.revive.call()))


class Archive(Rows):
    def archive(self, days: int, limit: int, told: HouseEventType) -> int:
        event, looked = house_event(0, HouseEvent(type=told)).public, 0
        for game in self.all(UNTOUCHED, days=days, limit=limit):
            version = self._archive(game, days, event)
            if version is not None:
                looked += 1
                if version:
                    self.changed[game] = version
        return looked

    def _archive(self, game: UUID, days: int, event: str) -> int | None:
        return self.first(_ARCHIVE, game=game, days=days, event=event)

    def revive(self, game: UUID, turn: int, kind: str | None, asked: Sequence[Seat], at: datetime) -> None:
        self._revive(game=game, at=at, turn=turn, kind=kind, asked=list(asked))

    def _revive(self, **arguments: Any) -> None:
        self.execute(_REVIVE, **arguments)
