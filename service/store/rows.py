"""The base of the store's tables: one connection and the few ways to run a statement on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from psycopg import Connection

Row = tuple[Any, ...]
Arguments = Mapping[str, Any]


class Rows:
    """Statements on one connection, which stands alone after each unless a transaction is open."""

    def __init__(self, connection: Connection[Row]) -> None:
        self._connection = connection

    def one(self, sql: str, **arguments: Any) -> Row | None:
        return self._connection.execute(sql.encode(), arguments).fetchone()

    def all(self, sql: str, **arguments: Any) -> list[Row]:
        return self._connection.execute(sql.encode(), arguments).fetchall()

    def done(self, sql: str, **arguments: Any) -> int:
        """How many rows were changed."""
        return self._connection.execute(sql.encode(), arguments).rowcount

    @contextmanager
    def together(self, lock: bool) -> Iterator[None]:
        if not lock:
            yield
            return
        with self._connection.transaction():
            yield
