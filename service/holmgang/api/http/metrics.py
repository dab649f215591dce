"""`/metrics`: the service's figures for Prometheus. It is not part of the API or its document.

By default only this machine gets them: a request must come from a loopback address, and not through a proxy, behind
which every request does. All others get 404. `METRICS=on` is for services that only a trusted network reaches, or
whose proxy withholds the path.
"""

from collections.abc import Iterable, Mapping
from ipaddress import ip_address
from typing import Any

from flask import Flask, Response, abort, request
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from holmgang import metrics
from holmgang.api.operation.service import Service
from holmgang.app.errors import Refusal
from holmgang.app.ports import Health
from holmgang.app.records.figures import Figures

from .process import Cached, Process

PATH = "/metrics"
KEPT_SECONDS = 10.0
"""How long the database's figures are kept."""
_FORWARDED = {"HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_X_REAL_IP", "HTTP_VIA"}


class DatabaseCollector(Collector):
    """What is counted in the database, the same for every process."""

    def __init__(self, store: Health) -> None:
        self._store = store
        self._kept = Cached(self._figures, KEPT_SECONDS)

    def _figures(self) -> Figures | None:
        try:
            return self._store.figures()
        except Refusal:
            return None

    def collect(self) -> Iterable[Metric]:
        figures = self._kept.get()
        yield GaugeMetricFamily(
            "holmgang_database_up", "Whether the database answered the process that was asked.", figures is not None
        )
        if figures is None:
            return
        yield _gauges("holmgang_games", "Games by status.", "status", figures.games)
        yield _gauges("holmgang_turns_awaited", "Choices that are waited for.", "of", figures.awaited)
        yield _gauges("holmgang_tournaments", "Tournaments by status.", "status", figures.tournaments)
        yield _gauges("holmgang_analyses", "Analyses of games by status.", "status", figures.analyses)
        yield _gauges("holmgang_webhooks", "Webhook messages by state.", "state", figures.deliveries)
        yield GaugeMetricFamily(
            "holmgang_deadlines_behind_seconds", "By how much the oldest missed deadline is late.", figures.behind
        )
        if figures.pulse is not None:
            yield GaugeMetricFamily(
                "holmgang_worker_pulse_seconds", "How long ago a worker was last at work.", figures.pulse
            )


def _gauges(name: str, meaning: str, label: str, values: Mapping[str, float]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, meaning, labels=[label])
    for value, number in sorted(values.items()):
        family.add_metric([value], number)
    return family


def add_metrics(app: Flask, service: Service, process: Process) -> None:
    """Add `/metrics`, and `app.sample`, which notes what this process is doing now."""
    database = DatabaseCollector(service.store)
    mode = service.settings.metrics

    def sample() -> None:
        metrics.WAITING.set(process.waiting_room.taken())
        metrics.QUEUED.set(process.admission.waiting())
        metrics.note_memory("server")
        pool = service.store.pool_figures()
        for state, number in pool.connections.items():
            metrics.POOL.labels(state).set(number)
        metrics.POOL_WAITING.set(pool.awaited)

    def show() -> Response:
        if mode != "on" and not _is_local(request.environ):
            abort(404)
        sample()
        return Response(
            metrics.text(database), content_type=metrics.CONTENT_TYPE, headers={"Cache-Control": "no-store"}
        )

    app.sample = sample  # type: ignore[attr-defined]
    if mode != "off":
        app.add_url_rule(PATH, "metrics", show, methods=["GET"])


def _is_local(environ: dict[str, Any]) -> bool:
    try:
        return ip_address(environ.get("REMOTE_ADDR", "")).is_loopback and not environ.keys() & _FORWARDED
    except ValueError:
        return False
