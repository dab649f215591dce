"""The base of the store's tables: statements, and the few ways to run one on a connection."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from uuid import UUID

from psycopg.rows import no_result
from psycopg.sql import Composable

from service.app.pauses import with_pauses
from service.app.records.changes import NewEvent

from .records import reader

if TYPE_CHECKING:
    from psycopg import Cursor

    from .connections import Connection

T = TypeVar("T")
PIECE = 50
"""Rows that are read at a time."""


class Statement:
    """The text of a statement, as short as it goes: the driver keeps what it finds in texts of up to 4 KB."""

    def __init__(self, text: str | Composable) -> None:
        lines = (text if isinstance(text, str) else text.as_string()).splitlines()
        self.text = "\n".join(filter(None, map(str.strip, lines)))
        self.encoded = self.text.encode()
        """The text as the driver takes it: the same object each time, so that it is hashed once."""


class Query(Statement, Generic[T]):
    """A statement whose rows are records of a Struct, or values of its only column.

    It is a row factory of the driver: what makes records of its rows is found out from the names of its columns when
    it is first run, and kept. `apart`: fields that are not read from a row.
    """

    def __init__(self, record: type[T], text: str | Composable, apart: Collection[str] = ()) -> None:
        super().__init__(text)
        self._record = record
        self._apart = apart
        self._reader: Callable[[Sequence[Any]], T] | None = None

    def __call__(self, cursor: Cursor[Any]) -> Callable[[Sequence[Any]], T]:
        if self._reader is None:
            if cursor.description is None:
                return no_result
            self._reader = self.reader([column.name for column in cursor.description])
        return self._reader

    def reader(self, columns: Sequence[str]) -> Callable[[Sequence[Any]], T]:
        """What makes records of rows with these columns; raises MisfitError where they do not fit."""
        return reader(self._record, columns, self._apart)


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

    def first(self, query: Query[T], **arguments: Any) -> T | None:
        """What the first row gives; None without one."""
        return self._connection.cursor_for(query).execute(query.encoded, arguments).fetchone()

    def one(self, query: Query[T], **arguments: Any) -> T:
        """What the row gives, of a statement that always gives one."""
        found = self.first(query, **arguments)
        assert found is not None
        return found

    def all(self, query: Query[T], **arguments: Any) -> list[T]:
        cursor = self._connection.cursor(row_factory=query).execute(query.encoded, arguments)
        rows = cursor.fetchmany(PIECE)
        if len(rows) == PIECE:  # to read many takes a while
            rows.extend(chain.from_iterable(with_pauses(iter(lambda: cursor.fetchmany(PIECE), []))))
        return rows

    def execute(self, statement: Statement | str, **arguments: Any) -> int:
        """How many rows were changed, or found."""
        text = statement.encode() if isinstance(statement, str) else statement.encoded
        return self._connection.execute(text, arguments).rowcount

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
