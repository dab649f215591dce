"""Running the worker: in the foreground, or as a child that is kept alive beside the server."""

from __future__ import annotations

import gc
import multiprocessing
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from holmgang import logs
from holmgang.cli.processes import GRACE_SECONDS, end, end_with_parent, log_to_stderr
from holmgang.config import Settings
from holmgang.interrupts import STOPPING, undivided

AGAIN_SECONDS = 1.0
"""How long after its end a child is started again."""

_log = logs.get_logger("holmgang.serve")


def work(settings: Settings) -> None:
    """Work until SIGTERM, SIGINT or SIGHUP; the choice that is being made is finished first."""
    gc.disable()  # what is loaded stays: the collector begins when that is all there
    from holmgang import registry, tracing
    from holmgang.store.database import open_store
    from holmgang.worker.deliveries import Deliverer
    from holmgang.worker.loop import Worker

    registry.games()
    gc.freeze()
    gc.enable()
    tracing.start(settings.otel_exporter_otlp_endpoint)
    store = open_store(settings)
    worker = Worker(store, archive_days=settings.archive_days, empty_days=settings.empty_games_days)
    deliverer = Deliverer(store, private=settings.webhooks_private)
    sending = threading.Thread(target=deliverer.run, name="deliveries", daemon=True)
    sending.start()
    told = threading.Event()

    def stop(_number: int, _frame: FrameType | None) -> None:
        worker.stop()
        deliverer.stop()
        told.set()

    def end_waiting() -> None:  # not in the handler of a signal, which may not block
        told.wait()
        store.drain()

    threading.Thread(target=end_waiting, name="end-waiting", daemon=True).start()

    for number in STOPPING:
        signal.signal(number, stop)
    try:
        worker.run()
        sending.join(GRACE_SECONDS)
    finally:
        store.close()
        tracing.stop()


def _child(settings: Settings) -> None:
    threading.Thread(target=end_with_parent, name="parent-watch", daemon=True).start()
    log_to_stderr(settings)
    work(settings)


@contextmanager
def working(settings: Settings) -> Iterator[None]:
    """Keep a worker running in a process of its own, however it ends, until the block ends."""
    from holmgang.metrics import forget

    context = multiprocessing.get_context("spawn")  # this process has threads: see `serve`
    leaving = threading.Event()
    starting = threading.Lock()  # one that is being started is not overlooked by whoever ends it
    children: list[multiprocessing.process.BaseProcess] = []

    def keep() -> None:
        while not leaving.is_set():
            child = context.Process(target=_child, args=(settings,), name="worker", daemon=True)
            with starting:
                if leaving.is_set():
                    return
                child.start()
                children[:] = [child]
            child.join()
            forget(child.pid)
            if not leaving.wait(AGAIN_SECONDS):
                _log.warning("the worker ended and is started again", exit_code=child.exitcode)

    keeper = threading.Thread(target=keep, name="worker-keeper", daemon=True)
    try:
        with undivided():
            keeper.start()
        yield
    finally:
        with starting:
            leaving.set()
        for child in children:
            end(child, GRACE_SECONDS)
        keeper.join(GRACE_SECONDS)
