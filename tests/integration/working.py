"""A worker at work in a thread, while a test looks at what it does."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from holmgang.store.database import PostgresStore
from holmgang.worker.loop import Worker


@contextmanager
def at_work(store: PostgresStore, worker: Worker) -> Iterator[None]:
    """The worker works until the end of the block, and waits for no news any more after it; nor does anybody else of
    the store's."""
    running = threading.Thread(target=worker.run)
    running.start()
    try:
        yield
    finally:
        worker.stop()
        store.drain()
        running.join()
