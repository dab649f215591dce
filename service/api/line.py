"""The line before a process's work: no more requests are worked on than there are database connections.

When hundreds that wait are woken at the same time, each would otherwise be as slow as all of them together. A request
takes a place before it is worked on and gives it back while it waits for news; whoever was woken by news goes first.
Where the work does not get on, as with a database that is slow, nobody stands there for ever: he is told to try again.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from service.app.errors import Busy
from service.engine.said import say

PATIENCE_SECONDS = 10.0
"""How long one stands in line, each time. What a slow database takes after it is limited by statement alone, so that
all of a request may take longer than its client waits."""


class Line:
    """`places` requests are at work at the same time; the others stand in line, those in a hurry before the rest.

    Who has stood there for `patience` seconds is refused as Busy.
    """

    def __init__(self, places: int, patience: float = PATIENCE_SECONDS) -> None:
        self._free = places
        self._patience = patience
        self._lock = threading.Lock()
        self._hurried: deque[threading.Lock] = deque()
        self._others: deque[threading.Lock] = deque()

    @contextmanager
    def place(self, *, hurry: bool = False) -> Iterator[None]:
        """A place, as long as the block lasts."""
        self._enter(hurry)
        try:
            yield
        finally:
            self._leave()

    @contextmanager
    def outside(self) -> Iterator[None]:
        """Give one's place back as long as the block lasts, and be first in line for another after it."""
        self._leave()
        try:
            yield
        finally:
            try:
                self._enter(hurry=True)
            except Busy:
                with self._lock:
                    self._free -= 1  # one too many for a moment: the block around this one gives a place back
                raise

    def length(self) -> int:
        """How many stand in line."""
        with self._lock:
            return len(self._hurried) + len(self._others)

    def _enter(self, hurry: bool) -> None:
        line = self._hurried if hurry else self._others
        with self._lock:
            if self._free > 0:
                self._free -= 1
                return
            turn = threading.Lock()
            turn.acquire()
            line.append(turn)
        if turn.acquire(timeout=self._patience):  # released by whoever hands his place over
            return
        with self._lock:
            if turn in line:
                line.remove(turn)
                raise Busy(
                    say("Too many requests wait for the database at this moment. Nothing has changed; try again.")
                )
        # It was handed over at the last moment.

    def _leave(self) -> None:
        with self._lock:
            line = self._hurried or self._others
            if line and self._free >= 0:
                line.popleft().release()
            else:
                self._free += 1
