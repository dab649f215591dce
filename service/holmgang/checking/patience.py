"""A limit on how long a game may take over one thing, so that one that hangs is told rather than waited for."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

_limit = 0.0
"""Seconds that may pass between two signs of going on; 0 while nobody is watching."""


class TooLong(BaseException):
    """Something took longer than the limit. No Exception, lest a game's own handler takes it for one of its own."""


def still_going() -> None:
    """A sign of going on: the time begins anew."""
    if _limit:
        signal.setitimer(signal.ITIMER_REAL, _limit, _limit)


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raise TooLong where so many seconds pass in here without a sign of going on.

    It takes a timer of the main thread, which Windows has not: there, and in other threads, nothing is watched. Another
    timer that is set goes on afterwards, less the time that has passed.
    """
    global _limit
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    outer, begun = _limit, time.monotonic()
    handler = signal.signal(signal.SIGALRM, lambda _number, _frame: _end(seconds))
    left, interval = signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
    _limit = seconds
    try:
        yield
    finally:
        _limit = outer
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        if left:
            signal.setitimer(signal.ITIMER_REAL, max(0.001, left - (time.monotonic() - begun)), interval)


def _end(seconds: float) -> None:
    raise TooLong(f"it took longer than {seconds:g} seconds")
