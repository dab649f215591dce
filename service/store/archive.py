"""Which games nobody touches, and what becomes of them and back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from msgspec import Struct
from psycopg.sql import SQL

from service.app.play.steps import house_event
from service.app.records.play import HouseEvent, HouseEventType
from service.engine.turn import Seat

from .changes import ASKED
from .rows import Query, Rows, Statement


class _Looked(Struct):
    game: UUID
    version: int
    idle: bool


# `games.touched_at` is a time before which the game is not idle, so that moves need not write it: when it is old the
# last event tells the truth, and a game that was touched since is looked at again no sooner than that gets old. Nor is
# it before its deadline. A row that somebody has written since the statement began is joined to no event: the event
# with that number is not there yet for this statement. Such a game is passed over, like one that somebody writes now.
# The clock is read once: it goes on between one part of the statement and the next, and no index is searched by it.
# Whatever the statement sees was written before, and what was written since is passed over, so its event is the latest.
ARCHIVE = Query(
    _Looked,
    """
    WITH clock AS MATERIALIZED (
        SELECT clock_timestamp() AS at, clock_timestamp() - make_interval(days => %(days)s) AS old
    ),
    due AS MATERIALIZED (
        SELECT id, version, deadline
        FROM games
        WHERE status IN ('open', 'active') AND touched_at <= (SELECT old FROM clock)
        ORDER BY touched_at
        LIMIT %(limit)s
        FOR UPDATE SKIP LOCKED
    ),
    known AS MATERIALIZED (
        SELECT
            due.id,
            e.at <= clock.old AND due.deadline IS NULL AS idle,
            greatest(e.at, due.deadline, CASE WHEN due.deadline IS NOT NULL THEN clock.at END) AS at
        FROM clock, due
        JOIN events e ON e.game_id = due.id AND e.seq = due.version
    ),
    looked AS (
        UPDATE games g
        SET
            touched_at = greatest(g.touched_at, known.at),
            status = CASE WHEN known.idle THEN 'archived' ELSE g.status END,
            version = g.version + known.idle::int,
            writes = g.writes + known.idle::int
        FROM known, clock
        WHERE g.id = known.id
        RETURNING g.id, g.version, g.turn, known.idle, clock.at
    ),
    told AS (
        INSERT INTO events (game_id, seq, at, turn, public)
        SELECT id, version, at, turn, %(event)s::json
        FROM looked
        WHERE idle
    ),
    released AS (
        DELETE FROM awaited
        USING looked
        WHERE awaited.game_id = looked.id AND looked.idle
    )
    SELECT id AS game, version, idle
    FROM looked
    """,
)

_REVIVE = Statement(
    SQL("""
        WITH moved AS (
            UPDATE games
            SET
                status = CASE WHEN started_at IS NULL THEN 'open' ELSE 'active' END,
                deadline = CASE
                    WHEN started_at IS NOT NULL THEN %(at)s::timestamptz + make_interval(secs => turn_seconds)
                END,
                writes = writes + 1
            WHERE id = %(game)s
            RETURNING id, %(at)s::timestamptz AS at, absence, ruleset
        ),
        {asked}
        SELECT FROM moved
    """).format(asked=SQL(ASKED))
)


class Archive(Rows):
    def archive(self, days: int, limit: int, told: HouseEventType) -> int:
        looked = self.all(ARCHIVE, days=days, limit=limit, event=house_event(0, HouseEvent(type=told)).public)
        self.changed |= {one.game: one.version for one in looked if one.idle}
        return len(looked)

    def revive(self, game: UUID, turn: int, kind: str | None, asked: Sequence[Seat], at: datetime) -> None:
        self.execute(_REVIVE, game=game, at=at, turn=turn, kind=kind, asked=list(asked), absent=[])
