"""What is to be done as a whole although a signal may come at any moment."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

STOPPING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
"""What tells a process to stop: somebody, Ctrl-C, and a terminal that is closed."""


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
