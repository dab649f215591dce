"""Connections that keep their cursors, and do not wait for ever for a server that has gone silent.

The server's own limits (`statement_timeout`, `lock_timeout`) end what is slow, as long as it is alive and heard. One
that is frozen, or behind a network that swallows everything, answers nothing at all and closes nothing.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import psycopg
from psycopg.abc import RV, PQGen
from psycopg.rows import TupleRow

from .rows import Query, T

SILENCE_SECONDS = 25.0
"""Longer than a statement may take and a pooler keep it waiting, so that only a server that is not heard is given up;
shorter than clients wait."""
CONNECT_SECONDS = 5
_LOOK_SECONDS = 0.1
"""How often a signal is looked for meanwhile, as the driver has it."""


class Connection(psycopg.Connection[TupleRow]):
    """One that is closed, with an OperationalError, when its server has said nothing for SILENCE_SECONDS."""

    @cached_property
    def _cursors(self) -> dict[Query[Any], psycopg.Cursor[Any]]:
        return {}

    def cursor_for(self, query: Query[T]) -> psycopg.Cursor[T]:
        """The cursor of a query, which nothing else is executed by. When it repeats its statement it knows how each
        column is read; a new one finds that out again, at a third of what a statement costs its client. It keeps its
        last result until then."""
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
        try:
            return super().wait(gen, interval, SILENCE_SECONDS)
        except psycopg.errors._WaitTimeout as fault:
            self.pgconn.finish()  # whatever it still says would be taken for the answer to something else
            raise psycopg.OperationalError(f"the server has said nothing for {SILENCE_SECONDS:g} s") from fault


def without_values(fault: psycopg.Error) -> None:
    """Have a fault say what Postgres says of it, without the details: these hold values of rows, such as seeds."""
    if fault.diag.message_primary is not None:
        fault.args = (fault.diag.message_primary,)
