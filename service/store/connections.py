"""Connections that do not wait for ever for a server that has gone silent.

The server's own limits (`statement_timeout`, `lock_timeout`) end what is slow, as long as it is alive and heard. One
that is frozen, or behind a network that swallows everything, answers nothing at all and closes nothing.
"""

from __future__ import annotations

from functools import cached_property

import psycopg
from psycopg.abc import RV, PQGen

from .rows import Row

SILENCE_SECONDS = 20.0
"""Longer than a statement may take, so that only a server that is not heard is given up; shorter than clients wait."""
CONNECT_SECONDS = 5
_LOOK_SECONDS = 0.1
"""How often a signal is looked for meanwhile, as the driver has it."""


class Connection(psycopg.Connection[Row]):
    """One that is closed, with an OperationalError, when its server has said nothing for SILENCE_SECONDS."""

    @cached_property
    def kept_cursor(self) -> psycopg.Cursor[Row]:
        """For one statement after another. It knows how to read each type once it has met it, which a new one would
        find out again, at a third of what a statement costs its client."""
        return self.cursor()

    def wait(self, gen: PQGen[RV], interval: float = _LOOK_SECONDS, timeout: float | None = None) -> RV:
        if timeout is not None:  # the driver's own, which it sees to itself
            return super().wait(gen, interval, timeout)
        try:
            return super().wait(gen, interval, SILENCE_SECONDS)
        except psycopg.errors._WaitTimeout as fault:
            self.pgconn.finish()  # whatever it still says would be taken for the answer to something else
            raise psycopg.OperationalError(f"the server has said nothing for {SILENCE_SECONDS:g} s") from fault
