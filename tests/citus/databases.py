"""Databases for tests on a cluster that runs already: made once for each process of the run, and emptied after use."""

from __future__ import annotations

import json
import os
import re
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from psycopg.rows import scalar_row

from holmgang.store.distribution import OF_A_GAME, distribute, is_distributed
from holmgang.store.embedded import SUPERUSER
from holmgang.store.migrate import upgrade
from holmgang.store.schema_version import is_current
from holmgang.store.tables import metadata

from .__main__ import VARIABLE
from .agenda import tell
from .cluster import create_database

TESTS = Path(__file__).parents[1]
MAKING = 0xC17
KEPT = ("schema_floor",)
"""What a migration has written."""

NEVER_BEFORE = pytest.mark.skipif(VARIABLE in os.environ, reason="A distributed database never had an earlier schema.")


_MOVES_A_TIME = re.compile(
    r"(?<=[ (])([a-z_]+|coalesce\([^()]*\)) ([+-] (?:interval '[^']*'|make_interval\((?:[^()]|\([^()]*\))*\)))"
)
_WRITES_GAMES = re.compile(r"\s*(UPDATE|DELETE FROM)\s+(games|awaited|seats)\b")


def know_tests() -> None:
    """Have statements of tests do on Citus what they do elsewhere. Those that set a time to one by the clock tell it
    themselves, and those that move one count in UTC: Citus takes no clock and no zone of a session in an UPDATE. The
    coordinator hears of games that they write. The service's own
    statements are left alone."""
    execute = psycopg.Cursor.execute

    def told(self: psycopg.Cursor[Any], query: Any, *arguments: Any, **more: Any) -> Any:
        text = query.decode() if isinstance(query, bytes) else query
        if not isinstance(text, str) or not _of_a_test():
            return execute(self, query, *arguments, **more)
        if text.lstrip().startswith("UPDATE"):
            text = _MOVES_A_TIME.sub(r"(\1 AT TIME ZONE 'UTC' \2) AT TIME ZONE 'UTC'", text)
            if "clock_timestamp()" in text:
                now = execute(self.connection.cursor(row_factory=scalar_row), "SELECT clock_timestamp()::text")
                text = text.replace("clock_timestamp()", f"'{now.fetchone()}'::timestamptz")
            query = text.encode()
            if "claimed_until" in text:  # of what is awaited, the coordinator knows who has claimed it
                query = query.replace(b"awaited", b"inbox")
        done = execute(self, query, *arguments, **more)
        if _WRITES_GAMES.match(text):
            tell(self.connection)
        return done

    psycopg.Cursor.execute = told  # type: ignore[method-assign]


def _of_a_test() -> bool:
    """Whether a test is the first that is no code of the driver, of those that called."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and "psycopg" in frame.f_code.co_filename:
        frame = frame.f_back
    return frame is not None and frame.f_code.co_filename.startswith(str(TESTS))


def ports() -> list[int]:
    """Of the nodes, the coordinator's first; none where tests run on plain Postgres."""
    return list(map(int, json.loads(os.environ.get(VARIABLE, "[]"))))


def patience() -> float:
    """Seconds until all is seen to but a game that somebody holds. None on plain Postgres: it is passed over by itself.
    On a cluster a worker gives it up as if its node said nothing, and passes over that node until it has answered."""
    return 15.0 if ports() else 0.0


def on_each_server(url: str) -> list[str]:
    """The addresses of the database's parts, the coordinator's first; its own where tests run on plain Postgres."""
    return [make_conninfo(url, port=port) for port in ports()] or [url]


def alone(url: str) -> psycopg.Connection[Any]:
    """To write to a part of a database what is no matter of the others."""
    connection = psycopg.connect(url, autocommit=True)
    if ports():
        connection.execute("SET citus.enable_ddl_propagation = off")
    return connection


@contextmanager
def distributed_database(use: str) -> Iterator[str]:
    """The address of an empty database with distributed tables; each `use` has its own in this process, until a test
    changes its schema or its settings."""
    url = _made(use)
    try:
        yield url
    finally:
        _empty(url)


def _empty(url: str) -> None:
    if not is_current(url) or not _is_as_made(url):
        _made.cache_clear()
        return
    games = ", ".join(("games", *OF_A_GAME))
    others = ", ".join(sorted({*metadata.tables, "inbox", "agenda"} - {"games", *OF_A_GAME, *KEPT}))
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"TRUNCATE {games}".encode())
        connection.execute(f"TRUNCATE {others}".encode())


@contextmanager
def copied_database(source: str) -> Iterator[str]:
    """One with the same rows."""
    of = urlsplit(source).path.removeprefix("/test_").rpartition("_")[0]
    with distributed_database(f"copy_of_{of}") as url, psycopg.connect(source) as old, psycopg.connect(url) as new:
        for table in dict.fromkeys([*(table.name for table in metadata.sorted_tables), *OF_A_GAME, "inbox", "agenda"]):
            if table in KEPT:
                continue
            with (
                old.cursor().copy(f"COPY (SELECT * FROM {table}) TO STDOUT".encode()) as out,
                new.cursor().copy(f"COPY {table} FROM STDIN".encode()) as into,
            ):
                for piece in out:
                    into.write(piece)
        new.commit()
        old.close()
        yield url


def _is_as_made(url: str) -> bool:
    settings = "SELECT FROM pg_db_role_setting JOIN pg_database d ON d.oid = setdatabase WHERE datname = %s"
    with psycopg.connect(url) as connection:
        return is_distributed(connection) and not connection.execute(settings, [connection.info.dbname]).rowcount


@cache
def _made(use: str) -> str:
    nodes = ports()
    with psycopg.connect(f"postgresql://{SUPERUSER}@127.0.0.1:{nodes[0]}/postgres", autocommit=True) as one_at_a_time:
        # Each new node is told of all roles, which two databases cannot do at once.
        one_at_a_time.execute("SELECT pg_advisory_lock(%s)", [MAKING])
        url = create_database(f"test_{use}_{uuid.uuid4().hex}", nodes)
    upgrade(url)
    distribute(url)
    return url
