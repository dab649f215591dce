"""Databases for tests on a cluster that runs already: made once for each process of the run, and emptied after use."""

from __future__ import annotations

import json
import os
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
from .cluster import create_database

TESTS = Path(__file__).parents[1]
KEPT = ("schema_floor",)
"""What a migration has written."""

NEVER_BEFORE = pytest.mark.skipif(VARIABLE in os.environ, reason="A distributed database never had an earlier schema.")


def tell_times() -> None:
    """Have statements of tests that set a time to one by the clock tell it themselves: Citus takes no clock in an
    UPDATE. The service's own statements are left alone."""
    execute = psycopg.Cursor.execute

    def told(self: psycopg.Cursor[Any], query: Any, *arguments: Any, **more: Any) -> Any:
        text = query.decode() if isinstance(query, bytes) else query
        if isinstance(text, str) and text.lstrip().startswith("UPDATE") and _of_a_test():
            now = datetime.now(UTC).isoformat()
            query = text.replace("clock_timestamp()", f"'{now}'::timestamptz").encode()
        return execute(self, query, *arguments, **more)

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
    others = ", ".join(sorted(set(metadata.tables) - {"games", *OF_A_GAME, *KEPT}))
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
