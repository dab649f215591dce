"""The line before a process's work: no more requests are worked on than there are database connections.

When hundreds that wait are woken at the same time, each would otherwise be as slow as all of them together. A request
takes a place before it is worked on and gives it back while it waits for news; whoever was woken by news goes first.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager


class Line:
    """`places` requests are at work at the same time; the others stand in line, those in a hurry before the rest."""

    def __init__(self, places: int) -> None:
        self._free = places
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
            self._enter(hurry=True)

    def length(self) -> int:
        """How many stand in line."""
        with self._lock:
            return len(self._hurried) + len(self._others)

    def _enter(self, hurry: bool) -> None:
        with self._lock:
            if self._free:
                self._free -= 1
                return
            turn = threading.Lock()
            turn.acquire()
            (self._hurried if hurry else self._others).append(turn)
        turn.acquire()  # released by whoever hands his place over

    def _leave(self) -> None:
        with self._lock:
            line = self._hurried or self._others
            if line:
                line.popleft().release()
            else:
                self._free += 1
