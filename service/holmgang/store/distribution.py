"""Spread the tables of games over the nodes of a Citus cluster."""

from __future__ import annotations

import psycopg
from psycopg.sql import SQL, Identifier, Literal

from .functions import APART, make

OF_A_GAME = ("seats", "invitations", "awaited", "submissions", "log", "events", "combats", "rating_changes", "news")
"""Tables whose rows lie beside their game, by `game_id`."""
_KEYS = ("seats", "invitations", "rating_changes")
"""Those of them that refer to games: the keys are let go while the tables are moved."""


NEWS = """
    CREATE TABLE IF NOT EXISTS news (
        game_id uuid NOT NULL,
        id uuid NOT NULL,
        kind text NOT NULL,
        at timestamptz NOT NULL,
        ruleset text NOT NULL,
        seat smallint NOT NULL,
        player_id uuid NOT NULL,
        turn int NOT NULL,
        PRIMARY KEY (game_id, id)
    )
"""
"""What players are to be told of, until the worker has seen to it."""


class CannotDistribute(Exception):
    """The message says why not, and what to do."""


def is_distributed(connection: psycopg.Connection) -> bool:
    """Whether the tables of games are."""
    found = connection.execute("SELECT to_regclass('pg_dist_partition')").fetchone()
    if found == (None,):
        return False
    distributed = "SELECT count(*) FROM pg_dist_partition WHERE logicalrelid = to_regclass('games')"
    return connection.execute(distributed).fetchone() == (1,)


def distribute(url: str) -> None:
    """Distribute the tables of a migrated database without games. What has been done already is left as it is.

    Raises CannotDistribute.
    """
    with psycopg.connect(url, autocommit=True) as connection:
        if connection.execute("SELECT FROM pg_extension WHERE extname = 'citus'").fetchone() is None:
            raise CannotDistribute("The database has no Citus: CREATE EXTENSION citus on each of its nodes.")
        if not is_distributed(connection):
            if connection.execute("SELECT FROM games LIMIT 1").fetchone() is not None:
                raise CannotDistribute("There are games already: distribute a new database, before the first game.")
            for table in _KEYS:
                _drop(connection, table, f"{table}_game_id_fkey")
            _drop(connection, "seats", "seats_player_id_fkey")  # players stay on the coordinator
            connection.execute("SELECT create_distributed_table('games', 'id')")
        connection.execute(NEWS)
        done = {
            name
            for (name,) in connection.execute(
                "SELECT c.relname FROM pg_dist_partition JOIN pg_class c ON c.oid = logicalrelid WHERE partmethod = 'h'"
            )
        }
        for table in OF_A_GAME:
            if table not in done:
                place = SQL("SELECT create_distributed_table({table}, 'game_id', colocate_with => 'games')")
                connection.execute(place.format(table=Literal(table)))
        for table in _KEYS:
            name = f"{table}_game_id_fkey"
            _drop(connection, table, name)
            key = SQL(
                "ALTER TABLE {t} ADD CONSTRAINT {n} FOREIGN KEY (game_id) REFERENCES games (id) ON DELETE CASCADE"
            )
            connection.execute(key.format(t=Identifier(table), n=Identifier(name)))
        make(connection, APART)
        for function in APART:
            place = SQL("SELECT create_distributed_function({name}, '_game', colocate_with := 'games')")
            connection.execute(place.format(name=Literal(function.signature)))


def _drop(connection: psycopg.Connection, table: str, name: str) -> None:
    drop = SQL("ALTER TABLE {table} DROP CONSTRAINT IF EXISTS {name}")
    connection.execute(drop.format(table=Identifier(table), name=Identifier(name)))
