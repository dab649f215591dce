"""Interrupting what never returns: rules of a package may loop for ever, and would hold a thread of the worker."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

_LOOK_SECONDS = 1.0


class TookTooLong(Exception):
    """A thread was interrupted because it took too long."""


class Watch:
    """Raises TookTooLong in a thread that stays within `limited` for longer than `seconds`, and again after as many
    more. A call that waits outside of Python, such as for the database, is interrupted only when it returns."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._since: dict[int, float] = {}
        """When each thread began, or was last interrupted."""
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
            except TookTooLong:  # raised at this very moment; not again once the thread has left
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
    """Raise an exception in a thread. Python notices it between two of its instructions, so never within a call of C
    that does not return, such as an endless sleep."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(what))
