"""The base of the store's tables: statements, and the ways to run one on a connection."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from uuid import UUID

from psycopg.rows import no_result

from holmgang.app.pauses import with_pauses

from .records import reader

if TYPE_CHECKING:
    from psycopg import Cursor
    from psycopg.sql import Composable

    from .connections import Connection

T = TypeVar("T")
PIECE = 50
"""How many rows are read at a time."""


class Statement:
    """The text of a statement, without its indentation: the driver caches what it parses of texts of up to 4 KB."""

    def __init__(self, text: str | Composable) -> None:
        lines = (text if isinstance(text, str) else text.as_string()).splitlines()
        self.text = "\n".join(filter(None, map(str.strip, lines)))
        self.encoded = self.text.encode()
        """The text as the driver takes it: the same object each time, so that it is hashed once."""


class Query(Statement, Generic[T]):
    """A statement whose rows are records of a Struct, or values of its only column.

    It is a row factory of the driver. What makes records of its rows is compiled from the names of its columns when it
    first runs, and kept. `apart`: fields that are not read from the row.
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


class Rows:
    """Statements on one connection. Each commits by itself unless a transaction is open."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.changed: dict[UUID, int] = {}
        """Games whose new versions are announced once this is committed."""

    def first(self, query: Query[T], **arguments: Any) -> T | None:
        """The record of the first row; None without rows."""
        return self._connection.cursor_for(query).execute(query.encoded, arguments).fetchone()

    def one(self, query: Query[T], **arguments: Any) -> T:
        """The record of the row of a statement that always gives one."""
        found = self.first(query, **arguments)
        assert found is not None
        return found

    def all(self, query: Query[T], **arguments: Any) -> list[T]:
        cursor = self._connection.cursor(row_factory=query).execute(query.encoded, arguments)
        rows = cursor.fetchmany(PIECE)
        if len(rows) == PIECE:  # reading many takes a while
            rows.extend(chain.from_iterable(with_pauses(iter(lambda: cursor.fetchmany(PIECE), []))))
        return rows

    def execute(self, statement: Statement | str, **arguments: Any) -> int:
        """Run a statement without records; how many rows it changed or found."""
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
                self.note()
        except BaseException:
            self.changed = before  # or versions would be announced that were rolled back
            raise

    def note(self) -> None:
        """To be called at the end of each transaction: where what is due is not read from the games themselves, note
        beside them what has changed."""

    def settle(self) -> None:
        """To be called after each commit: tell those of it from whom what is due is read."""
