"""What the worker needs: late games, choices that the service is to make, and the pulse by which outages are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import ClassVar
from uuid import UUID

from msgspec import Struct
from psycopg.sql import SQL, Literal

from holmgang.app.play.deadlines import OUTAGE_SECONDS
from holmgang.app.play.steps import house_event
from holmgang.app.records.absence import DEFAULT
from holmgang.app.records.play import Beat, HouseEvent, HouseEventType, Task
from holmgang.bots.base import NAMES

from . import clocks
from .rows import Query, Rows
from .sources import APART, BESIDE, Source


class _PutOff(Struct):
    outage: float
    finished: bool
    lowest: datetime | None
    game: UUID | None
    version: int | None


KEPT = SQL("""
    (
        (
            SELECT clock_timestamp() - p.at <= make_interval(secs => {outage})
            FROM pulse p
            WHERE p.id = 1
        ) IS NOT FALSE
    )
""").format(outage=Literal(OUTAGE_SECONDS))
"""Whether deadlines hold: a worker keeps them, or there never was one. After an outage or a jump of the clock no player
is late until a worker has put the deadlines off."""
UNKEPT = SQL("""
    (
        SELECT p.at
        FROM pulse p
        WHERE p.id = 1 AND clock_timestamp() - p.at > make_interval(secs => {outage})
    )
""").format(outage=Literal(OUTAGE_SECONDS))
"""The last pulse, where they do not hold; NULL where they do."""


# The clock is read once: no index is searched by a function that may give another value for each row.
def _overdue(source: Source) -> Query[UUID]:
    return Query(
        UUID,
        SQL("""
            SELECT id
            FROM {games}
            WHERE deadline <= (SELECT clock_timestamp())
                AND status = 'active'
                AND id <> ALL(%(but)s::uuid[])
                AND {kept}
            ORDER BY deadline
            LIMIT %(limit)s
        """).format(games=source.games, kept=KEPT),
    )


# A claim that ends later than a new one would was made before the clock was set back.
def _claim_tasks(source: Source) -> Query[Task]:
    return Query(
        Task,
        SQL("""
            UPDATE {awaited}
            SET claimed_until = clock_timestamp() + make_interval(secs => %(seconds)s)
            WHERE (game_id, seat) IN (
                SELECT a.game_id, a.seat
                FROM {awaited} a
                JOIN {games} g ON g.id = a.game_id
                WHERE a.played_by IS NOT NULL
                    AND (
                        a.played_by = ANY(%(by)s)
                        OR {default} = ANY(%(by)s) AND a.played_by <> ALL(%(known)s)
                    )
                    AND (
                        %(able)s::text[] IS NULL
                        OR a.played_by || ' ' || g.ruleset = ANY(%(able)s)
                        OR g.ruleset = ANY(%(rulesets)s)
                            AND a.since < clock_timestamp() - make_interval(secs => %(patience)s)
                    )
                    AND a.game_id <> ALL(%(but)s::uuid[])
                    AND (
                        a.claimed_until IS NULL
                        OR a.claimed_until < clock_timestamp()
                        OR a.claimed_until > clock_timestamp() + make_interval(secs => %(seconds)s)
                    )
                    AND {goes_on}
                ORDER BY coalesce(array_position(%(served)s::uuid[], g.creator), 0), a.since
                LIMIT %(limit)s
                FOR UPDATE OF a SKIP LOCKED
            )
            RETURNING
                game_id AS game, (SELECT creator FROM {games} WHERE id = game_id) AS creator, seat, turn,
                played_by AS by
        """).format(awaited=source.awaited, games=source.games, default=DEFAULT, goes_on=source.goes_on),
    )


OVERDUE, OVERDUE_APART = map(_overdue, (BESIDE, APART))
_CLAIM_TASKS, CLAIM_TASKS_APART = map(_claim_tasks, (BESIDE, APART))

# Each part sees rows as they were when the statement began, but for those that it has locked; the clock is read once.
_OWED = SQL("""
    deadline > (SELECT CASE WHEN forward THEN before ELSE now END FROM outage)
    AND (put_off_at BETWEEN (SELECT since FROM outage) AND (SELECT now FROM outage)) IS NOT TRUE
    AND (
        (SELECT forward FROM outage)
        OR turn_seconds IS NULL
        OR deadline > (SELECT now FROM outage) + make_interval(secs => turn_seconds)
    )
""")
_BEAT = Query(
    _PutOff,
    SQL("""
        WITH held AS (
            SELECT at, putting_off_since, put_off_at
            FROM pulse
            WHERE id = 1
            FOR UPDATE
        ),
        clock AS MATERIALIZED (
            SELECT held.*, clock_timestamp() AS now
            FROM held
        ),
        outage AS MATERIALIZED (
            SELECT
                at AS before, now, at < now AS forward,
                putting_off_since IS NOT NULL AS begun,
                CASE
                    WHEN abs(extract(epoch FROM now - put_off_at)) <= %(most)s THEN putting_off_since
                    ELSE now
                END AS since
            FROM clock
            WHERE abs(extract(epoch FROM now - at)) > %(most)s
        ),
        due AS MATERIALIZED (
            SELECT
                id, deadline, turn_seconds, clocks,
                (
                    SELECT
                        CASE
                            WHEN begun AND put_off_at > before AND put_off_at < now THEN put_off_at
                            ELSE before
                        END
                    FROM outage
                ) AS outage
            FROM games
            WHERE {owed} AND deadline <= coalesce(%(below)s::timestamptz, 'infinity')
            ORDER BY deadline DESC
            LIMIT %(limit)s
            FOR UPDATE SKIP LOCKED
        ),
        shifted AS MATERIALIZED (
            SELECT
                due.id, o.now, {ticked} AS clocks,
                least(
                    due.deadline + greatest(o.now - due.outage, interval '0'),
                    o.now + make_interval(secs => due.turn_seconds)
                ) AS deadline
            FROM outage o, due
        ),
        put_off AS (
            UPDATE games g
            SET
                deadline = CASE WHEN s.clocks IS NULL THEN s.deadline ELSE {deadline} END,
                clocks = s.clocks,
                put_off_at = s.now,
                writes = writes + 1,
                version = version + 1
            FROM shifted s
            WHERE g.id = s.id
            RETURNING g.id, g.version, g.turn
        ),
        told AS (
            INSERT INTO events (game_id, seq, at, turn, public)
            SELECT id, version, clock_timestamp(), turn, %(event)s::json
            FROM put_off
        ),
        found AS MATERIALIZED (
            SELECT count(*) AS number, min(deadline) AS lowest
            FROM due
        ),
        batch AS MATERIALIZED (
            SELECT
                CASE WHEN number = %(limit)s THEN lowest END AS lowest,
                CASE
                    WHEN number = %(limit)s THEN false
                    WHEN NOT EXISTS (SELECT FROM outage) THEN true
                    ELSE NOT EXISTS (SELECT FROM games WHERE {owed} OFFSET (SELECT number FROM found))
                END AS finished
            FROM found
        ),
        noted AS (
            INSERT INTO pulse (id, at)
            VALUES (1, clock_timestamp())
            ON CONFLICT (id) DO UPDATE
            SET
                at = CASE
                    WHEN NOT EXISTS (SELECT FROM outage) THEN greatest(pulse.at, excluded.at)
                    WHEN (SELECT finished FROM batch) THEN clock_timestamp()
                    ELSE pulse.at
                END,
                putting_off_since = CASE WHEN NOT (SELECT finished FROM batch) THEN (SELECT since FROM outage) END,
                put_off_at = CASE WHEN NOT (SELECT finished FROM batch) THEN (SELECT now FROM outage) END
        )
        SELECT
            extract(epoch FROM o.now - o.before)::float8 AS outage, batch.finished, batch.lowest,
            put_off.id AS game, put_off.version
        FROM outage o
        CROSS JOIN batch
        LEFT JOIN put_off ON true
    """).format(
        owed=_OWED,
        ticked=clocks.put_off(SQL("due.clocks"), begin=SQL("due.outage"), now=SQL("o.now"), forward=SQL("o.forward")),
        deadline=clocks.deadline(SQL("s.clocks")),
    ),
)


class Tasks(Rows):
    _overdue: ClassVar[Query[UUID]] = OVERDUE
    _claim_tasks: ClassVar[Query[Task]] = _CLAIM_TASKS

    def overdue(self, limit: int, but: Sequence[UUID] = ()) -> list[UUID]:
        return self.all(self._overdue, limit=limit, but=list(but))

    def claim_tasks(
        self,
        limit: int,
        seconds: float,
        by: Sequence[str],
        served: Sequence[UUID] = (),
        but: Sequence[UUID] = (),
        able: Mapping[str, Sequence[str]] | None = None,
        patience: float = 0.0,
    ) -> list[Task]:
        return self.all(
            self._claim_tasks,
            limit=limit,
            seconds=seconds,
            by=list(by),
            served=list(served),
            but=list(but),
            known=[DEFAULT, *NAMES],
            able=None if able is None else [f"{by} {ruleset}" for ruleset in able for by in able[ruleset]],
            rulesets=list(able or ()),
            patience=patience,
        )

    def beat(self, most_seconds: float, told: HouseEventType, limit: int, below: datetime | None = None) -> Beat:
        """One statement a batch; batches follow each other, since each locks the pulse. The pulse records since when
        deadlines are being put off, and each game when its own was. So any worker can go on in the middle: it knows
        which games are left, and after a pause, how much more time they are owed. The worker that finds none left sets
        the pulse.

        After a clock that was set back, the pulse lies in the future, and so do deadlines, by more than a whole turn:
        they are brought to a whole turn from now, which is no less time than was left.
        """
        rows = self.all(
            _BEAT, most=most_seconds, event=house_event(0, HouseEvent(type=told)).public, limit=limit, below=below
        )
        self.changed |= {row.game: row.version for row in rows if row.game is not None and row.version is not None}
        if not rows:
            return Beat()
        return Beat(outage=rows[0].outage, finished=rows[0].finished, below=rows[0].lowest)

    def sweep(self, empty_days: int) -> int:
        return 0  # what is due is read from the games themselves
