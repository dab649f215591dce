"""Traces: what is in them, that secrets are not, and that nothing of it is there for who does not want it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import psycopg
import pytest

from holmgang import tracing
from holmgang.store.database import PostgresStore
from holmgang.worker.loop import Worker
from tests.citus.databases import ports
from tests.waiting import wait_until

from .calling import Api, legal_action

pytest.importorskip("opentelemetry.sdk", reason="comes with holmgang[otel]")
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import ReadableSpan


@pytest.fixture
def kept() -> Iterator[InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    tracing.start(None, exporter)
    yield exporter
    tracing.stop()


def one(spans: tuple[ReadableSpan, ...], name: str) -> ReadableSpan:
    (found,) = [span for span in spans if span.name == name]
    return found


def test_a_request_and_its_statements_are_one_trace(database: str, kept: InMemorySpanExporter) -> None:
    api = Api(database)
    table = api.table()
    kept.clear()
    trace = "0af7651916cd43dd8448eb211c80319c"
    table.submit(0, traceparent=f"00-{trace}-b7ad6b7169203331-01", X_Request_ID="find-me", status=201).close()
    spans = kept.get_finished_spans()
    request = one(spans, "POST /v1/games/<uuid:game>/submissions")
    asked = {span.context.trace_id for span in spans if span.name == "GET /v1/games/<uuid:game>/turn"}
    assert request.context.trace_id == int(trace, 16) not in asked
    assert request.parent is not None
    assert request.parent.span_id == int("b7ad6b7169203331", 16)
    attributes = dict(request.attributes or {})
    assert attributes == {
        "http.request.method": "POST",
        "http.route": "/v1/games/<uuid:game>/submissions",
        "http.response.status_code": 201,
        "holmgang.request_id": "find-me",
        "holmgang.game": table.game,
    }
    inside = [span for span in spans if span.parent and span.parent.span_id == request.context.span_id]
    # Where games have nodes of their own, their coordinator is asked before, and told afterwards.
    assert [span.name for span in inside] == ["SELECT"] * (4 if ports() else 2), "a move reads once and writes once"
    assert all(str((span.attributes or {})["db.query.text"]).startswith(span.name) for span in inside)
    assert all(request.start_time <= span.start_time <= span.end_time <= request.end_time for span in inside)  # type: ignore[operator]
    api.close()


def test_faults_and_streams_end_their_spans(database: str, kept: InMemorySpanExporter) -> None:
    api = Api(database)
    table = api.table(2, ruleset="claim")
    table.play()
    kept.clear()
    api.call("GET", "/v1/nowhere", status=404).close()
    api.call("BREW", "/v1/games", status=405).close()
    stream = api.client.get(f"{table.path}/events", headers={"Accept": "text/event-stream"})
    assert "event: end" in stream.get_data(as_text=True)
    stream.close()
    api.app.extensions["holmgang"].store.pool.close()
    api.call("GET", f"{table.path}/view", status=503).close()
    spans = kept.get_finished_spans()
    assert (one(spans, "GET").attributes or {})["http.response.status_code"] == 404
    assert (one(spans, "_OTHER").attributes or {})["http.response.status_code"] == 405
    assert one(spans, "GET /v1/games/<uuid:game>/events").end_time is not None
    assert (one(spans, "GET /v1/games/<uuid:game>/view").attributes or {})["error.type"] == "503"
    api.close()


def test_what_the_worker_does_is_traced(database: str, kept: InMemorySpanExporter) -> None:
    api = Api(database)
    me = api.register()
    game = api.call("POST", "/v1/games", token=me.token, json={"ruleset": "claim", "seats": 2}).get_json()["id"]
    api.call("POST", f"/v1/games/{game}/seats", token=me.token, json={"bot": "greedy"}, status=201)
    turn = api.get(f"/v1/games/{game}/turn", me.token)
    if turn["yours"]:
        body = {"turn": turn["turn"], "action": legal_action(turn)}
        api.call("POST", f"/v1/games/{game}/submissions", token=me.token, json=body, status=201)
    store = PostgresStore(database, pool_size=1)
    worker = Worker(store)
    wait_until(lambda: not worker.work(), "the bot has nothing to choose")
    spans = kept.get_finished_spans()
    choice = next(span for span in spans if span.name == "worker: choice")
    attributes = dict(choice.attributes or {})
    assert attributes["holmgang.game"] == game
    assert attributes["holmgang.seat"] in (0, 1)
    assert any(span.parent and span.parent.span_id == choice.context.span_id for span in spans)
    everything = "".join(span.to_json() for span in spans)
    assert me.token not in everything
    assert {span.parent is not None for span in spans if span.name == "UPDATE"} <= {True}
    store.close()
    api.close()


def test_a_statement_that_fails_is_told_without_its_values(database: str, kept: InMemorySpanExporter) -> None:
    store = PostgresStore(database, pool_size=1)
    player, digest = uuid4(), b"D" * 32
    token = (digest, "for the bot", ("read",), None, None, None)
    with store.transaction() as tables:
        tables.add_player(player, "Ragna")
        tables.add_token(player, uuid4(), *token)
    with pytest.raises(psycopg.errors.UniqueViolation), tracing.span("work"), store.transaction() as tables:
        tables.add_token(player, uuid4(), *token)
    store.close()
    everything = "".join(span.to_json() for span in kept.get_finished_spans())
    assert "UniqueViolation" in everything
    assert digest.hex() not in everything


def test_nothing_is_imported_where_nothing_is_wanted(database: str) -> None:
    program = (
        "import sys\n"
        "from holmgang.bootstrap import create_app\n"
        "from holmgang.config import Settings\n"
        f"app = create_app(Settings(database_url={database!r}))\n"
        "assert app.test_client().get('/v1/games').status_code == 200\n"
        "print([name for name in sys.modules if name.startswith('opentelemetry')])\n"
        "app.extensions['holmgang'].store.close()\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert ended.stdout.strip() == "[]"


def test_traces_are_sent_where_the_setting_says(database: str) -> None:
    got: list[tuple[str, bytes]] = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.append((self.path, self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None: ...

    server = HTTPServer(("127.0.0.1", 0), Collector)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        api = Api(database, otel_exporter_otlp_endpoint=f"http://127.0.0.1:{server.server_port}")
        api.call("GET", "/v1/games", status=200).close()
        api.close()
        tracing.stop()
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    assert [path for path, _ in got] == ["/v1/traces"]
    assert b"GET /v1/games" in got[0][1]
    assert b"holmgang" in got[0][1]
