"""The least that Flask and Postgres can do for a poll and for a move, without rules, accounts or checks.

The service is measured beside these two endpoints, on the same server, in the same run.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any
from uuid import UUID

from flask import Flask, Response, request
from psycopg_pool import ConnectionPool

if TYPE_CHECKING:
    from psycopg import Connection

STATE = bytes(range(256)) * 16
"""4 KB, as a large game's state."""

SCHEMA = """
CREATE TABLE IF NOT EXISTS bare_games (id uuid PRIMARY KEY, version bigint NOT NULL, state bytea NOT NULL)
WITH (fillfactor = 50);
CREATE TABLE IF NOT EXISTS bare_log (game_id uuid, seq bigint, entry text NOT NULL, PRIMARY KEY (game_id, seq));
"""
SELECT = "SELECT version FROM bare_games WHERE id = %s"


def move(connection: Connection[Any], game: UUID, action: object) -> int:
    """The least that makes a move durable; gives the new version."""
    with connection.transaction():
        row = connection.execute("SELECT version, state FROM bare_games WHERE id = %s FOR UPDATE", (game,)).fetchone()
        assert row is not None
        version: int = row[0] + 1
        connection.execute("UPDATE bare_games SET version = %s, state = %s WHERE id = %s", (version, STATE, game))
        connection.execute("INSERT INTO bare_log VALUES (%s, %s, %s)", (game, version, str(action)))
    return version


def create_app() -> Flask:
    app = Flask(__name__)
    pool = ConnectionPool(
        os.environ["BARE_DATABASE_URL"],
        min_size=1,
        max_size=int(os.environ["POOL_SIZE"]),
        kwargs={"autocommit": True},  # one SELECT is one round trip
        open=True,
    )

    @app.get("/poll/<uuid:game>")
    def poll(game: UUID) -> Response:
        with pool.connection() as connection:
            row = connection.execute(SELECT, (game,)).fetchone()
        assert row is not None
        tag = f'W/"{row[0]}"'
        if request.headers.get("If-None-Match") == tag:
            return Response(status=304, headers={"ETag": tag})
        return Response(STATE, headers={"ETag": tag})

    @app.post("/move/<uuid:game>")
    def make_move(game: UUID) -> dict[str, int]:
        action = request.get_json()["action"]
        with pool.connection() as connection:
            return {"version": move(connection, game, action)}

    return app
