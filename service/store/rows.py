"""The base of the store's tables: one connection and the few ways to run a statement on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any
from uuid import UUID

from service.app.pauses import with_pauses
from service.app.records.changes import NewEvent

if TYPE_CHECKING:
    from .connections import Connection

Row = tuple[Any, ...]
PIECE = 50
"""Rows that are read at a time."""

_bytes = lru_cache(512)(str.encode)
"""Statements as psycopg takes them: the same object for the same text, so that it is hashed once."""


def events_json(events: Sequence[NewEvent]) -> str:
    """Events as one JSON text for `json_to_recordset`: cheaper than arrays, whose every element must be quoted."""
    rows = (f'{{"public":{e.public},"private":{e.private or "null"}}}' for e in events)
    return f"[{','.join(rows)}]"


def seats_array(seats: Iterable[int]) -> str:
    """Seats as Postgres writes an array: cheaper than a list, of which the driver looks at every element."""
    return "{" + ",".join(map(str, seats)) + "}"


class Rows:
    """Statements on one connection, which stands alone after each unless a transaction is open."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.changed: dict[UUID, int] = {}
        """Games of which others are to be told once this is committed, with their new versions."""

    def one(self, sql: str, **arguments: Any) -> Row | None:
        return self._connection.cursor_for(sql).execute(_bytes(sql), arguments).fetchone()

    def all(self, sql: str, **arguments: Any) -> list[Row]:
        cursor = self._connection.execute(_bytes(sql), arguments)
        rows = cursor.fetchmany(PIECE)
        if len(rows) == PIECE:  # to read many takes a while
            rows.extend(chain.from_iterable(with_pauses(iter(lambda: cursor.fetchmany(PIECE), []))))
        return rows

    def done(self, sql: str, **arguments: Any) -> int:
        """How many rows were changed."""
        return self._connection.execute(_bytes(sql), arguments).rowcount

    @contextmanager
    def atomic(self, lock: bool) -> Iterator[None]:
        if not lock:
            yield
            return
        before = dict(self.changed)
        try:
            with self._connection.transaction():
                yield
        except BaseException:
            self.changed = before  # or others would be told of what is not there
            raise
