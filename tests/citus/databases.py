"""Databases for tests on a cluster that runs already: made once for each process of the run, and emptied after use."""

from __future__ import annotations

import json
import os
import re
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import psycopg
import pytest

from holmgang.store.distribution import OF_A_GAME, distribute, is_distributed
from holmgang.store.migrate import upgrade
from holmgang.store.schema_version import is_current
from holmgang.store.tables import metadata

from .__main__ import VARIABLE
from .agenda import tell
from .cluster import create_database

TESTS = Path(__file__).parents[1]
KEPT = ("schema_floor",)
"""What a migration has written."""

NEVER_BEFORE = pytest.mark.skipif(VARIABLE in os.environ, reason="A distributed database never had an earlier schema.")


_WRITES_GAMES = re.compile(r"\s*(UPDATE|DELETE FROM)\s+(games|awaited|seats)\b")


def know_tests() -> None:
    """Have statements of tests do on Citus what they do elsewhere. Those that set a time to one by the clock tell it
    themselves: Citus takes no clock in an UPDATE. The coordinator hears of games that they write. The service's own
    statements are left alone."""
    execute = psycopg.Cursor.execute

    def told(self: psycopg.Cursor[Any], query: Any, *arguments: Any, **more: Any) -> Any:
        text = query.decode() if isinstance(query, bytes) else query
        if not isinstance(text, str) or not _of_a_test():
            return execute(self, query, *arguments, **more)
        if text.lstrip().startswith("UPDATE"):
            now = datetime.now(UTC).isoformat()
            query = text.replace("clock_timestamp()", f"'{now}'::timestamptz").encode()
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


@contextmanager
def distributed_database(use: str) -> Iterator[str]:
    """The address of an empty database with distributed tables; each `use` has its own in this process, until a test
    changes its schema."""
    url = _made(use)
    yield url
    if not is_current(url) or not _is_distributed(url):
        _made.cache_clear()
        return
    games = ", ".join(("games", *OF_A_GAME))
    others = ", ".join(sorted({*metadata.tables, "inbox", "agenda"} - {"games", *OF_A_GAME, *KEPT}))
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"TRUNCATE {games}".encode())
        connection.execute(f"TRUNCATE {others}".encode())


def _is_distributed(url: str) -> bool:
    with psycopg.connect(url) as connection:
        return is_distributed(connection)


@cache
def _made(use: str) -> str:
    url = create_database(f"test_{use}_{uuid.uuid4().hex}", ports())
    upgrade(url)
    distribute(url)
    return url
