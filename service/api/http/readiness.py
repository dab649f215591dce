"""Whether the database can be used, asked on behalf of all who want to know.

/readyz has no budget and does not stand in line, so that it can be asked under any load. Nobody may slow the database
down by it, nor be told "not ready" because many ask at once: it is asked by one at a time, and the others get what that
one was told.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

KEEP_SECONDS = 1.0


class Readiness:
    """The answer of `ask`, at most `keep` seconds old."""

    def __init__(self, ask: Callable[[], bool], keep: float = KEEP_SECONDS) -> None:
        self._ask = ask
        self._keep = keep
        self._lock = threading.Lock()
        self._answer = False
        self._until = time.monotonic()

    def now(self) -> bool:
        if time.monotonic() >= self._until:
            with self._lock:
                if time.monotonic() >= self._until:  # nobody has asked while this one waited
                    self._answer = self._ask()
                    self._until = time.monotonic() + self._keep
        return self._answer
