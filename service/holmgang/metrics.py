"""Figures for Prometheus.

A service consists of several processes, and whichever is asked answers for all: each keeps its figures in files of one
folder (prometheus_client's multiprocess mode), which `holmgang serve` makes and names to its children by the
environment. Without a folder, as in tests, a process answers for itself. Nothing here tells of single games or players.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import psutil
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    start_http_server,
)
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

if TYPE_CHECKING:
    from prometheus_client.registry import Collector

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""Looked at by prometheus_client when it is first imported: set before that, for processes yet to be started."""
CONTENT_TYPE = CONTENT_TYPE_LATEST
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

_QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)

REQUESTS = Histogram(
    "holmgang_request_seconds",
    "Requests, and how long until their answers began. Those that waited for news are told apart as held.",
    ["route", "method", "status", "held"],
    buckets=(*_QUICK, 25, 60),
)
WAITING = Gauge("holmgang_requests_waiting", "Requests and streams that wait for news.", multiprocess_mode="livesum")
QUEUED = Gauge("holmgang_requests_in_line", "Requests that wait to be worked on.", multiprocess_mode="livesum")
WAKEUPS = Histogram(
    "holmgang_wakeup_seconds",
    "From the commit of a move to the waking of a request that waits for it, where one process does both.",
    buckets=_QUICK,
)
POOL = Gauge(
    "holmgang_database_connections", "Connections of the pools, by state.", ["state"], multiprocess_mode="livesum"
)
POOL_WAITING = Gauge(
    "holmgang_database_connections_awaited", "Requests that wait for a connection.", multiprocess_mode="livesum"
)
MEMORY = Gauge(
    "holmgang_memory_bytes", "Resident memory of each process, by what it does.", ["part"], multiprocess_mode="liveall"
)
CHOICES = Histogram(
    "holmgang_bot_choice_seconds",
    "Choices of built-in bots, and how long they thought.",
    ["bot", "ruleset"],
    buckets=_QUICK,
)
BOT_DEFAULTS = Counter(
    "holmgang_bot_defaults",
    "Choices that bots could not make and that were made by the rules' default, by why.",
    ["bot", "ruleset", "reason"],
)
ENDED = Counter("holmgang_deadlines_ended", "Turns that the worker ended because their time was up.")
WORKER_FAULTS = Counter("holmgang_worker_faults", "Tasks of the worker that failed by a fault of ours.")
SEEKS_MATCHED = Counter("holmgang_seeks_matched", "Seeks that the worker has brought together in games.")
ANALYSED = Histogram(
    "holmgang_analysed_position_seconds",
    "Positions that were judged for analyses of games, and the processor time of each.",
    ["ruleset"],
    buckets=_QUICK,
)
ATTEMPTS = Counter("holmgang_webhook_attempts", "Attempts to deliver a webhook, by what came of them.", ["outcome"])

_requests: dict[tuple[str, str, str, bool], Histogram] = {}


def request_done(route: str, method: str, status: str, held: bool, seconds: float) -> None:
    """Count a request. `status` is the line that begins with the code."""
    key = route, method, status[0], held
    child = _requests.get(key)
    if child is None:
        known = method if method in METHODS else "other"
        child = _requests[key] = REQUESTS.labels(route, known, f"{status[0]}xx", "yes" if held else "no")
        if known == "other":
            del _requests[key]  # whatever a client writes there must not pile up
    child.observe(seconds)


def note_memory(part: str) -> None:
    """Note how much memory this process takes; `part` is what it does, `server` or `worker`."""
    MEMORY.labels(part).set(psutil.Process().memory_info().rss)


@contextmanager
def shared() -> Iterator[None]:
    """Have processes that are started in the block keep their figures together. One that exists already is used."""
    if os.environ.get(FOLDER):
        yield
        return
    folder = tempfile.mkdtemp(prefix="holmgang-metrics-")
    os.environ[FOLDER] = folder
    try:
        yield
    finally:
        del os.environ[FOLDER]
        shutil.rmtree(folder, ignore_errors=True)


def forget(pid: int | None) -> None:
    """A process has ended: what it was doing at that moment counts no more; what it had done does."""
    if pid is not None and os.environ.get(FOLDER):
        mark_process_dead(pid)  # type: ignore[no-untyped-call]


def text(*more: Collector) -> bytes:
    """All figures of all processes, and what `more` collectors add, in Prometheus' text format."""
    if os.environ.get(FOLDER):
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        parts = [generate_latest(registry)]
    else:
        parts = [generate_latest(REGISTRY)]
    for collector in more:
        registry = CollectorRegistry()
        registry.register(collector)
        parts.append(generate_latest(registry))
    return b"".join(parts)


def listen(host: str, port: int) -> None:
    """Answer with this process's figures on a port, for processes that have no other."""
    start_http_server(port, host)
