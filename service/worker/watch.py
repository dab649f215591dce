"""Breaking off what does not come back: rules of a package may loop for ever, and would keep a thread of the worker."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

_LOOK_SECONDS = 1.0


class TookTooLong(Exception):
    """What a thread was doing was broken off."""


class Watch:
    """Raises TookTooLong in a thread that is within `limited` for longer than so many seconds, and again after as many
    more. What waits outside of Python, as for the database, is not broken off before it comes back."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._since: dict[int, float] = {}
        """When each thread began, or was last told."""
        self._ended = threading.Event()

    @contextmanager
    def limited(self) -> Iterator[None]:
        thread = threading.get_ident()
        with self._lock:
            self._since[thread] = time.monotonic()
        try:
            yield
        finally:
            try:
                self._leave(thread)
            except TookTooLong:  # raised just now, and not again once it has left
                self._leave(thread)
                raise

    def _leave(self, thread: int) -> None:
        with self._lock:
            self._since.pop(thread, None)

    def run(self) -> None:
        """Look, in a thread of its own, until `stop` is called."""
        while not self._ended.wait(min(_LOOK_SECONDS, self._seconds)):
            now = time.monotonic()
            with self._lock:
                for thread in [each for each, since in self._since.items() if since < now - self._seconds]:
                    self._since[thread] = now
                    raise_in(thread, TookTooLong)

    def stop(self) -> None:
        self._ended.set()


def raise_in(thread: int, what: type[BaseException]) -> None:
    """Raise it where a thread is. Python notices between two of its instructions: in a call of C that does not come
    back, such as an endless sleep, it never does."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(what))
