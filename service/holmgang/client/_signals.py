"""SIGTERM and Ctrl-C as a wish to stop."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
from collections.abc import Iterator


@contextlib.contextmanager
def signals(stopping: asyncio.Event) -> Iterator[None]:
    """SIGTERM and Ctrl-C ask to stop; the second one is as ever. Elsewhere than in the main thread nothing is done."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    caught: list[signal.Signals] = []

    def stop() -> None:
        stopping.set()
        release()

    def release() -> None:
        while caught:
            loop.remove_signal_handler(caught.pop())

    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # Windows
            loop.add_signal_handler(number, stop)
            caught.append(number)
    try:
        yield
    finally:
        release()
