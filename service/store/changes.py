"""A change of a game: one statement writes all of a step, or nothing where the game has moved on."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cache

from msgspec import to_builtins
from psycopg.sql import SQL, Composable
from psycopg.types.json import Json

from service.app.records.absence import BOT, DEFAULT
from service.app.records.changes import Change

from .clearing import chosen
from .rows import Query, Rows, events_json, seats_array
from .tasks import KEPT
from .webhooks import deliver

# The time of all that a statement writes, and by which it judges the deadline: read once, since the clock goes on
# between one part of a statement and the next. It is read before the row is locked. A statement that had to wait for
# another that wrote to the row finds other `writes`, and comes again with the row locked: so no event is older than the
# one before.
_CLOCK = """
    clock AS MATERIALIZED (
        SELECT coalesce(%(at)s::timestamptz, clock_timestamp()) AS at
    )
"""

# The deadline is judged here, where nobody else can write in between.
_IN_TIME = SQL("""
    id = %(game)s
    AND writes = %(writes)s
    AND (%(late)s OR deadline IS NULL OR deadline > clock.at OR NOT {kept})
""").format(kept=KEPT)

# Who plays for the absent: a bot, or the rules' default.
_STAND_IN = SQL(
    "CASE WHEN starts_with(moved.absence, {bot}) THEN substr(moved.absence, {after}) ELSE {default} END"
).format(bot=BOT, after=len(BOT) + 1, default=DEFAULT)


def _deliver(kind: str, seat: SQL) -> Composable:
    return deliver(
        kind,
        at=SQL("moved.at"),
        game=SQL("moved.id"),
        ruleset=SQL("moved.ruleset"),
        seat=seat,
        turn=SQL("%(turn)s::int"),
    )


# No row may be touched twice in one statement: seats that stay awaited are updated, never deleted and inserted.
ASKED = (
    SQL("""
    asked AS (
        INSERT INTO awaited (game_id, seat, player_id, turn, kind, since, played_by)
        SELECT
            s.game_id, s.seat, s.player_id, %(turn)s, %(kind)s, moved.at,
            coalesce(
                s.bot,
                CASE WHEN s.absent_since IS NOT NULL OR s.seat = ANY(%(absent)s::smallint[]) THEN {stand_in} END
            )
        FROM moved
        JOIN seats s ON s.game_id = moved.id AND s.seat = ANY(%(asked)s::smallint[])
        ON CONFLICT (game_id, seat) DO UPDATE
        SET
            turn = excluded.turn,
            kind = excluded.kind,
            since = excluded.since,
            played_by = excluded.played_by,
            claimed_until = NULL
        WHERE awaited.turn <> excluded.turn
        RETURNING seat, player_id, played_by
    ),
    hooked AS (
        {deliver}
        FROM moved, asked
        JOIN webhooks w ON w.player_id = asked.player_id
            AND asked.played_by IS NULL
            AND w.active
            AND 'turn.waiting' = ANY(w.events)
    )
""")
    .format(stand_in=_STAND_IN, deliver=_deliver("turn.waiting", SQL("asked.seat")))
    .as_string()
)
"""Parts of a statement that have seats awaited in the game `moved`, and their webhooks told."""

_SEALED = (
    SQL("""
    moved AS (
        UPDATE games
        SET
            pending = %(pending)s,
            version = %(version)s,
            writes = writes + 1,
            deadline = CASE WHEN NOT %(stopped)s THEN deadline END
        FROM clock
        WHERE {in_time}
        RETURNING id, clock.at, absence
    )
""")
    .format(in_time=_IN_TIME)
    .as_string()
)
"""A sealed choice touches neither the log nor the snapshot."""


def _settled(more: Composable) -> str:
    return (
        SQL("""
        moved AS (
            UPDATE games
            SET
                status = %(status)s,
                turn = %(turn)s,
                kind = %(kind)s,
                state = %(state)s,
                pending = %(pending)s,
                version = %(version)s,
                writes = writes + 1,
                entries = %(entries)s,
                draws = %(draws)s,
                head = %(head)s,
                result = %(result)s,
                {more}
            FROM clock
            WHERE {in_time}
            RETURNING id, clock.at, absence, ruleset
        ),
        logged AS (
            INSERT INTO log (game_id, seq, at, entry, state_hash, row_hash)
            SELECT moved.id, %(entries)s - 1, moved.at, %(entry)s, %(state_hash)s, %(head)s
            FROM moved
        )
    """)
        .format(more=more, in_time=_IN_TIME)
        .as_string()
    )


_GOES_ON = _settled(
    SQL("""
        deadline = CASE
            WHEN turn <> %(turn)s THEN clock.at + make_interval(secs => turn_seconds)
            ELSE deadline
        END
    """)
)
_BEGINS = _settled(SQL("started_at = clock.at, deadline = clock.at + make_interval(secs => turn_seconds)"))
_ENDS = _settled(
    SQL("""
        deadline = NULL,
        ended_at = clock.at,
        empty_since = CASE
            WHEN NOT (
                {chosen}
                OR EXISTS (
                    SELECT FROM seats p WHERE p.game_id = games.id AND p.bot IS NULL AND p.seat = %(r_seat)s
                )
            ) THEN clock.at
        END
    """).format(chosen=chosen(SQL("games.id")))
)
"""The choice that ends a game has its receipt written by the same statement, which does not see it."""
_EVENTS = """
    told AS (
        INSERT INTO events (game_id, seq, at, turn, public, private)
        SELECT moved.id, %(version)s - %(told)s + e.n, moved.at, %(event_turn)s, e.public, e.private
        FROM
            moved,
            ROWS FROM (json_to_recordset(%(events)s::json) AS (public json, private json)) WITH ORDINALITY
                AS e (public, private, n)
    )
"""
_RECEIPT = """
    receipt AS (
        INSERT INTO submissions (game_id, turn, seat, revision, id, kind, action, received_at)
        SELECT
            moved.id, %(r_turn)s, %(r_seat)s, %(r_revision)s, %(r_id)s, %(r_kind)s, %(r_action)s::json, moved.at
        FROM moved
    )
"""
_COMBATS = """
    fought AS (
        INSERT INTO combats (game_id, number, status, turn, opened_at, resolved_at, record)
        SELECT
            moved.id, c.number, c.status, %(event_turn)s, moved.at,
            CASE WHEN c.status = 'resolved' THEN moved.at END,
            c.record
        FROM moved, json_to_recordset(%(combats)s::json) AS c (number int, status text, record json)
        ON CONFLICT (game_id, number) DO UPDATE
        SET status = excluded.status, record = excluded.record, resolved_at = excluded.resolved_at
    )
"""
_RELEASED = """
    released AS (
        DELETE FROM awaited
        USING moved
        WHERE awaited.game_id = moved.id AND awaited.seat = ANY(%(released)s::smallint[])
    )
"""
_ENDED = (
    SQL("""
    ended AS (
        {deliver}
        FROM moved
        JOIN seats s ON s.game_id = moved.id
        JOIN webhooks w ON w.player_id = s.player_id AND w.active AND 'game.over' = ANY(w.events)
    )
""")
    .format(deliver=_deliver("game.over", SQL("s.seat")))
    .as_string()
)
_HANDED = (
    SQL("""
    handed AS (
        UPDATE awaited
        SET played_by = {stand_in}
        FROM moved
        WHERE awaited.game_id = moved.id AND awaited.seat = ANY(%(absent)s::smallint[])
    )
""")
    .format(stand_in=_STAND_IN)
    .as_string()
)
_ABSENTED = """
    absented AS (
        UPDATE seats
        SET absent_since = moved.at
        FROM moved
        WHERE seats.game_id = moved.id AND seats.seat = ANY(%(absent)s::smallint[])
    )
"""
_NOTICED = """
    noticed AS (
        UPDATE seats
        SET revision = seats.revision + 1
        FROM moved
        WHERE seats.game_id = moved.id AND seats.seat = %(noticed_by)s
    )
"""
_RESIGNED = """
    resigned AS (
        UPDATE seats
        SET resigned_at = moved.at
        FROM moved
        WHERE seats.game_id = moved.id AND seats.seat = ANY(%(gone)s::smallint[])
    )
"""


@cache
def _write(*parts: str | None) -> Query[datetime]:
    """One statement of the parts that a change needs: even a part that finds nothing to do takes its time."""
    needed = SQL(",").join(SQL(part) for part in (_CLOCK, *parts) if part is not None)
    return Query(datetime, SQL("WITH {parts} SELECT at FROM moved").format(parts=needed))


def _combats_json(combats: Sequence[tuple[int, str, str]]) -> str:
    rows = (f'{{"number":{number},"status":"{status}","record":{record}}}' for number, status, record in combats)
    return f"[{','.join(rows)}]"


class Changes(Rows):
    def write(self, change: Change) -> datetime | None:
        new = change.submission
        settles = change.entry is not None
        over = change.status == "over"
        moved = _ENDS if over else _BEGINS if change.entries == 1 else _GOES_ON
        query = _write(
            moved if settles else _SEALED,
            _EVENTS if change.events else None,
            _RECEIPT if new else None,
            _RELEASED if change.released else None,
            _COMBATS if change.combats else None,
            ASKED if change.asked else None,
            _ENDED if over else None,
            _HANDED if change.absent and not settles else None,
            _ABSENTED if change.absent else None,
            _NOTICED if change.noticed_by is not None else None,
            _RESIGNED if change.gone else None,
        )
        at = self.first(
            query,
            at=change.at,
            game=change.game,
            writes=change.writes,
            late=change.late,
            stopped=change.stopped,
            status=change.status,
            turn=change.turn,
            kind=change.kind,
            state=change.state,
            pending=change.pending,
            version=change.version,
            entries=change.entries,
            draws=change.draws,
            head=change.head,
            entry=change.entry,
            state_hash=change.state_hash,
            result=None if change.result is None else Json(to_builtins(change.result)),
            told=len(change.events),
            event_turn=change.events[0].turn if change.events else change.turn,
            events=events_json(change.events),
            combats=_combats_json(change.combats),
            asked=seats_array(change.asked),
            released=seats_array(change.released),
            absent=seats_array(change.absent),
            noticed_by=change.noticed_by,
            gone=seats_array(change.gone),
            r_turn=new and new.turn,
            r_seat=new and new.seat,
            r_revision=new and new.revision,
            r_id=new and new.id,
            r_kind=new and new.kind,
            r_action=new and new.action,
        )
        if at is not None:
            self.changed[change.game] = change.version
        return at
