"""Connections that keep their cursors, and give up a server that has gone silent.

The server's own limits (`statement_timeout`, `lock_timeout`) end what is slow while it is alive and can be reached. A
server that is frozen, or behind a network that drops everything, neither answers nor closes the connection.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import psycopg
from psycopg.rows import TupleRow

from .rows import Query, T

if TYPE_CHECKING:
    from psycopg.abc import RV, PQGen

SILENCE_SECONDS = 25.0
"""Longer than a statement may take and a pooler may hold it, so that only an unreachable server is given up; shorter
than clients wait."""
CONNECT_SECONDS = 5
_LOOK_SECONDS = 0.1
"""How often signals are looked for meanwhile: the driver's own default."""


class Connection(psycopg.Connection[TupleRow]):
    """One that is closed, with an OperationalError, when its server has said nothing for SILENCE_SECONDS, or for
    `patience` where that is set."""

    patience: float | None = None
    waits: ClassVar[Callable[[Any, int, float], Any] | None] = None
    """How to run a generator of the driver on a socket, with at most so many seconds of silence; None: as the driver
    does. A server whose threads are greenlets sets its own."""

    @cached_property
    def _cursors(self) -> dict[Query[Any], psycopg.Cursor[Any]]:
        return {}

    def cursor_for(self, query: Query[T]) -> psycopg.Cursor[T]:
        """The cursor of a query, which executes nothing else. When a cursor repeats its statement it knows how to read
        each column; a new cursor finds that out again, at a third of what a statement costs the client. The cursor
        keeps its last result until then."""
        found = self._cursors.get(query)
        if found is None:
            found = self._cursors[query] = self.cursor(row_factory=query)
        return found

    def close(self) -> None:
        self._cursors.clear()
        super().close()

    def wait(self, gen: PQGen[RV], interval: float = _LOOK_SECONDS, timeout: float | None = None) -> RV:
        if timeout is not None:  # the driver's own, which it sees to itself
            return super().wait(gen, interval, timeout)
        waits = type(self).waits
        silence = SILENCE_SECONDS if self.patience is None else self.patience
        try:
            if waits is not None:
                found: RV = waits(gen, self.pgconn.socket, silence)
                return found
            return super().wait(gen, interval, silence)
        except psycopg.errors._WaitTimeout as fault:
            self.pgconn.finish()  # whatever it still says would be taken for the answer to something else
            raise psycopg.OperationalError(f"the server has said nothing for {silence:g} s") from fault


def without_values(fault: psycopg.Error) -> None:
    """Reduce a fault to the primary message of Postgres: its details hold values of rows, such as seeds."""
    if fault.diag.message_primary is not None:
        fault.args = (fault.diag.message_primary,)
