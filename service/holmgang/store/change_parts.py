"""The parts of the statement that changes a game: each writes one thing that a step may bring."""

from __future__ import annotations

from psycopg.sql import SQL, Composable

from holmgang.app.records.absence import BOT, DEFAULT

from .clearing import chosen
from .deliveries import deliver
from .tasks import KEPT

# The time of all that the statement writes, and by which it judges the deadline. It is read once, since the clock goes
# on between one part of a statement and the next, and before the row is locked. If another write came first, `writes`
# has changed, nothing is written, and the change is tried again with the row locked: so no event is older than the one
# before it.
CLOCK = """
    clock AS MATERIALIZED (
        SELECT coalesce(%(at)s::timestamptz, clock_timestamp()) AS at
    )
"""

# The deadline is judged here, where no other write can come in between.
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

SEALED = (
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


GOES_ON = _settled(
    SQL("""
        deadline = CASE
            WHEN turn <> %(turn)s THEN clock.at + make_interval(secs => turn_seconds)
            ELSE deadline
        END
    """)
)
BEGINS = _settled(SQL("started_at = clock.at, deadline = clock.at + make_interval(secs => turn_seconds)"))
ENDS = _settled(
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
EVENTS = """
    told AS (
        INSERT INTO events (game_id, seq, at, turn, public, private)
        SELECT moved.id, %(version)s - %(told)s + e.n, moved.at, %(event_turn)s, e.public, e.private
        FROM
            moved,
            ROWS FROM (json_to_recordset(%(events)s::json) AS (public json, private json)) WITH ORDINALITY
                AS e (public, private, n)
    )
"""
RECEIPT = """
    receipt AS (
        INSERT INTO submissions (game_id, turn, seat, revision, id, kind, action, received_at)
        SELECT
            moved.id, %(r_turn)s, %(r_seat)s, %(r_revision)s, %(r_id)s, %(r_kind)s, %(r_action)s::json, moved.at
        FROM moved
    )
"""
COMBATS = """
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
RELEASED = """
    released AS (
        DELETE FROM awaited
        USING moved
        WHERE awaited.game_id = moved.id AND awaited.seat = ANY(%(released)s::smallint[])
    )
"""
ENDED = (
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
HANDED = (
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
ABSENTED = """
    absented AS (
        UPDATE seats
        SET absent_since = moved.at
        FROM moved
        WHERE seats.game_id = moved.id AND seats.seat = ANY(%(absent)s::smallint[])
    )
"""
NOTICED = """
    noticed AS (
        UPDATE seats
        SET revision = seats.revision + 1
        FROM moved
        WHERE seats.game_id = moved.id AND seats.seat = %(noticed_by)s
    )
"""
RESIGNED = """
    resigned AS (
        UPDATE seats
        SET resigned_at = moved.at
        FROM moved
        WHERE seats.game_id = moved.id AND seats.seat = ANY(%(gone)s::smallint[])
    )
"""
