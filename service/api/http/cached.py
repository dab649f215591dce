"""Answers of the database that are asked for once, on behalf of all who want to know.

/readyz has no budget and needs no slot, so that it can be asked under any load. It must neither slow the database down
nor answer "not ready" because many ask at once: one request asks the database, and the others get its answer.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Cached(Generic[T]):
    """The answer of `ask`, at most `seconds` old."""

    def __init__(self, ask: Callable[[], T], seconds: float) -> None:
        self._ask = ask
        self._seconds = seconds
        self._lock = threading.Lock()
        self._answer: T
        self._until = time.monotonic()

    def get(self) -> T:
        if time.monotonic() >= self._until:
            with self._lock:
                if time.monotonic() >= self._until:  # nobody else has asked while this one waited
                    self._answer = self._ask()
                    self._until = time.monotonic() + self._seconds
        return self._answer
