"""What is to be done as a whole although a signal may come at any moment, and what only looks as if one had come."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

STOPPING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
"""What tells a process to stop: somebody, Ctrl-C, and a terminal that is closed."""


ENDINGS = SystemExit, KeyboardInterrupt
"""What the code of a package may raise where no handler of a signal does. It would end a thread of the worker, the
greenlet of a request or the whole process."""
FAULTS = Exception, *ENDINGS


def as_fault(raised: BaseException) -> Exception:
    """What was raised; if it is not an Exception, one that it is the cause of."""
    if isinstance(raised, Exception):
        return raised
    fault = RuntimeError("the code of a game tried to end the process")
    fault.__cause__ = raised
    return fault


@contextmanager
def undivided() -> Iterator[None]:
    """Handle a signal to stop that comes within the block at the block's end.

    Whoever starts a process does it in such a block, within the `try` whose `finally` ends the process: otherwise a
    handler that raises leaves a process behind that nobody knows.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # Python handles signals in the main thread
        return
    came: list[int] = []
    handlers = {number: handler for number in STOPPING if callable(handler := signal.getsignal(number))}
    for number in handlers:
        signal.signal(number, lambda number, _frame: came.append(number))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    for each in came:
        handlers[signal.Signals(each)](each, None)


@contextmanager
def undivided_and_alone() -> Iterator[None]:
    """The same, and processes that are begun in the block never hear Ctrl-C, which a terminal sends to all: this one
    ends them. To ignore Ctrl-C here meanwhile would lose it."""
    with undivided():
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # which they take over
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
