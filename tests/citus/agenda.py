"""Inbox and agenda of the coordinator beside what the games themselves say."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg

from holmgang.store.agenda import NOTE, SETTLE
from holmgang.store.sources import RUNS

_OWED = "game_id, seat, player_id, turn, kind, since, played_by"
_DUE = "id, version, ruleset, creator, status, deadline, turn_seconds, rated, ended_at, empty_since, rated_at"
_DONE = "status IN ('over', 'archived') AND (rated AND status = 'over' AND rated_at IS NULL) IS NOT TRUE"


def untrue(url: str) -> list[str]:
    """What inbox and agenda say otherwise than the games of the database do; empty once all is settled. Games in which
    nothing is due may be in the agenda or not."""
    with psycopg.connect(url, autocommit=True) as connection:
        owed = _rows(connection, f"SELECT {_OWED} FROM awaited")
        inbox = _rows(connection, f"SELECT {_OWED} FROM inbox")
        games = _rows(connection, f"SELECT {_DUE} FROM games")
        agenda = _rows(connection, f"SELECT {_DUE} FROM agenda")
        forgotten = games - agenda
        done = _rows(connection, f"SELECT {_DUE} FROM games WHERE {_DONE}")
        gone = {row for row in agenda - games if row[4] not in ("over", "archived")}
        persons = _rows(
            connection,
            f"""
            SELECT id, goes_on, players::text FROM agenda EXCEPT
            SELECT
                g.id,
                count(s.seat) > 0
                    AND (bool_or({RUNS.as_string()} OR s.absent_since IS NULL AND s.resigned_at IS NULL)
                    OR bool_and(s.resigned_at IS NOT NULL)),
                coalesce(array_agg(DISTINCT s.player_id) FILTER (WHERE s.player_id IS NOT NULL), '{{}}')::text
            FROM games g
            LEFT JOIN seats s ON s.game_id = g.id AND s.bot IS NULL
            GROUP BY g.id
        """,
        )
    return [
        *(f"not in the inbox: {row}" for row in owed - inbox),
        *(f"in the inbox, but not owed: {row}" for row in inbox - owed),
        *(f"not in the agenda: {row}" for row in forgotten - done),
        *(f"in the agenda, but not so: {row}" for row in gone),
        *(f"players in the agenda, but not so: {row}" for row in persons if row[0] in {game[0] for game in games}),
    ]


def _rows(connection: psycopg.Connection[Any], statement: str) -> set[tuple[Any, ...]]:
    return set(connection.execute(statement.encode()).fetchall())


_NEVER_CHANGED = """
    WITH kinds AS (
        UPDATE inbox i
        SET kind = a.kind
        FROM json_populate_recordset(NULL::inbox, %(noted)s::json -> 'awaited') AS a
        WHERE (i.game_id, i.seat) = (a.game_id, a.seat)
    )
    UPDATE agenda a
    SET ruleset = n.ruleset, creator = n.creator, turn_seconds = n.turn_seconds, rated = n.rated
    FROM json_populate_record(NULL::agenda, %(noted)s) AS n
    WHERE a.id = n.id
"""
"""What only tests change, of a game that has started."""


def tell(connection: psycopg.Connection[Any], game: UUID | None = None) -> None:
    """Have the coordinator know of what a test has written to games by itself; to one alone if it is named."""
    if connection.execute("SELECT to_regclass('agenda')").fetchone() == (None,):
        return
    games = [game] if game is not None else [one for (one,) in connection.execute("SELECT id FROM games").fetchall()]
    if game is None:  # those that the test has deleted
        gone = "UPDATE agenda SET writes = 9223372036854775807 WHERE id <> ALL(%s)"
        connection.execute(gone.encode(), [games])
    for one in games:
        noted = connection.execute(f"SELECT {NOTE.name}(%s)".encode(), [one]).fetchone()
        assert noted is not None
        connection.execute(f"SELECT FROM {SETTLE.name}(%s)".encode(), [f"[{noted[0]}]"])
        connection.execute(_NEVER_CHANGED, {"noted": noted[0]})
