"""Games that have been idle for long are archived, and revived when a player returns."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from msgspec import Struct
from psycopg.sql import SQL

from holmgang.app.play.steps import house_event
from holmgang.app.records.play import HouseEvent, HouseEventType
from holmgang.engine.turn import Seat

from .change_parts import ASKED
from .rows import Query, Rows, Statement


class _Looked(Struct):
    game: UUID
    version: int
    idle: bool


# Moves do not write `games.touched_at`. It only says that the game was not idle before that time: once it is old, the
# last event decides, and a game that was played since is looked at again when that event (or its deadline) is old.
# A row that was written after the statement began is joined to no event, since the statement does not see the event of
# that number yet. Such a game is skipped, as is one that is being written now. So the archiving event is always the
# latest. The clock is read once: it goes on between one part of the statement and the next, and no index is searched by
# a function that may change.
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
