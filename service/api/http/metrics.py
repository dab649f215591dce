"""`/metrics`: the service's figures for Prometheus. No part of the API: not in its document, not for clients.

By default only this machine may ask: who asks must come from a loopback address, and not through a proxy, behind which
everybody does. To all others there is no such address. `METRICS=on` is for services that only a trusted
network reaches, or whose proxy keeps the path back.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from ipaddress import ip_address
from typing import Any

from flask import Flask, Response, abort, request
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from service import metrics
from service.api.operation.service import Service
from service.app.errors import Refusal
from service.app.ports import Store
from service.app.records.figures import Figures

from .process import Process

PATH = "/metrics"
KEPT_SECONDS = 10.0
"""For how long the database's figures are told again without asking it."""
_FORWARDED = ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_X_REAL_IP", "HTTP_VIA")


class OfTheDatabase(Collector):
    """What is counted in the database, which says the same to every process."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._kept: Figures | None = None
        self._until = 0.0

    def _figures(self) -> Figures | None:
        with self._lock:
            if time.monotonic() >= self._until:
                try:
                    self._kept = self._store.figures()
                except Refusal:
                    self._kept = None
                self._until = time.monotonic() + KEPT_SECONDS
            return self._kept

    def collect(self) -> Iterable[Metric]:
        figures = self._figures()
        up = GaugeMetricFamily("holmgang_database_up", "Whether the database answered the process that was asked.")
        up.add_metric([], figures is not None)
        yield up
        if figures is None:
            return
        yield _family("holmgang_games", "Games by status.", "status", figures.games)
        yield _family("holmgang_turns_awaited", "Choices that are waited for.", "of", figures.awaited)
        yield _family("holmgang_webhooks", "Webhook messages by state.", "state", figures.deliveries)
        behind = GaugeMetricFamily(
            "holmgang_deadlines_behind_seconds", "By how much the oldest missed deadline is late."
        )
        behind.add_metric([], figures.behind)
        yield behind
        if figures.pulse is not None:
            pulse = GaugeMetricFamily("holmgang_worker_pulse_seconds", "How long ago a worker was last at work.")
            pulse.add_metric([], figures.pulse)
            yield pulse


def _family(name: str, meaning: str, label: str, values: Any) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, meaning, labels=[label])
    for value, number in sorted(values.items()):
        family.add_metric([value], number)
    return family


def show_figures(app: Flask, service: Service, process: Process) -> None:
    """Add `/metrics`, for those who may see it, and `app.sample`, which notes what this process is doing now."""
    database = OfTheDatabase(service.store)
    who = service.settings.metrics

    def sample() -> None:
        metrics.WAITING.set(process.room.taken())
        metrics.IN_LINE.set(process.line.length())
        metrics.note_memory("server")
        pool = service.store.pool_figures()
        for state, number in pool.connections.items():
            metrics.POOL.labels(state).set(number)
        metrics.POOL_WAITING.set(pool.awaited)

    def show() -> Response:
        if who != "on" and not _from_here(request.environ):
            abort(404)
        sample()
        return Response(
            metrics.text(database), content_type=metrics.CONTENT_TYPE, headers={"Cache-Control": "no-store"}
        )

    app.sample = sample  # type: ignore[attr-defined]
    if who != "off":
        app.add_url_rule(PATH, "metrics", show, methods=["GET"])


def _from_here(environ: dict[str, Any]) -> bool:
    if any(header in environ for header in _FORWARDED):
        return False
    try:
        return ip_address(environ.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False
