"""What stands between a client and the service: it notes every answer, and loses or refuses what a test says."""

from __future__ import annotations

import http.client
import json
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

BUSY, GATEWAY, UNHEARD, UNANSWERED = "busy", "gateway", "unheard", "unanswered"
"""The request is refused with 503; with 502 by a proxy, which does not say whether to ask again; its connection is cut
before the service hears it; or after, so that the answer is lost."""

_OF_A_CONNECTION = ("connection", "keep-alive", "transfer-encoding", "host")


class Seen(NamedTuple):
    """What a client was answered: `status` 0 where it was not."""

    method: str
    path: str
    status: int
    tag: str | None = None


class Nth(NamedTuple):
    """The nth request with this method whose path, without its query, ends so."""

    method: str
    end: str
    n: int


@dataclass
class Between:
    port: int
    faults: dict[Nth, str] = field(default_factory=dict)
    """What happens to which request. Those to which it happened are taken out."""
    seen: list[Seen] = field(default_factory=list)
    url: str = ""
    below: str = ""
    """The path that it takes off before it passes a request on. What is not below it is not the service's: 404."""
    _counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def fault(self, method: str, path: str) -> str | None:
        with self._lock:
            end = path.partition("?")[0].rpartition("/")[2]
            self._counts[method, end] += 1
            return self.faults.pop(Nth(method, end, self._counts[method, end]), None)

    def taken_off(self, path: str) -> str | None:
        rest = path.removeprefix(self.below)
        if not path.startswith(self.below) or rest[:1] not in ("", "/", "?"):
            return None
        return rest if rest.startswith("/") else f"/{rest}"

    def statuses(self) -> Counter[int]:
        with self._lock:
            return Counter(each.status for each in self.seen)

    def note(self, seen: Seen) -> None:
        with self._lock:
            self.seen.append(seen)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    between: Between


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        between = self.server.between
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        taken_off = between.taken_off(self.path)
        if taken_off is None:
            self._answer(404, [("Content-Type", "text/plain")], b"Nothing of the service is here.")
            return
        fault = between.fault(self.command, self.path)
        if fault == BUSY:
            problem = {"code": "busy", "detail": "Not now.", "retryable": True, "status": 503}
            self._answer(503, [("Retry-After", "0")], json.dumps(problem).encode())
            return
        if fault == GATEWAY:
            self._answer(502, [("Content-Type", "application/json")], b'{"message": "no backend"}')
            return
        if fault != UNHEARD:
            try:
                status, headers, text = self._passed_on(between.port, taken_off, body)
            except (OSError, http.client.HTTPException):
                fault = UNHEARD
        if fault is not None:
            between.note(Seen(self.command, self.path, 0))
            self.close_connection = True
            return
        self._answer(status, headers, text)

    def do_POST(self) -> None:
        self.do_GET()

    def do_PUT(self) -> None:
        self.do_GET()

    def do_PATCH(self) -> None:
        self.do_GET()

    def do_DELETE(self) -> None:
        self.do_GET()

    def _passed_on(self, port: int, path: str, body: bytes) -> tuple[int, list[tuple[str, str]], bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=70)
        try:
            kept = {name: value for name, value in self.headers.items() if name.lower() not in _OF_A_CONNECTION}
            connection.request(self.command, path, body or None, kept)
            answer = connection.getresponse()
            return answer.status, answer.getheaders(), answer.read()
        finally:
            connection.close()

    def _answer(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        tag = next((value for name, value in headers if name.lower() == "etag"), None)
        self.server.between.note(Seen(self.command, self.path, status, tag))
        self.send_response_only(status)
        for name, value in headers:
            if name.lower() not in (*_OF_A_CONNECTION, "content-length"):
                self.send_header(name, value)
        if status != http.client.NOT_MODIFIED:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """What was seen is noted instead."""


@contextmanager
def between(port: int, faults: dict[Nth, str] | None = None, below: str = "") -> Iterator[Between]:
    """Stand before the service on `port`, which is found below the path."""
    here = Between(port, dict(faults or {}), below=below)
    with _Server(("127.0.0.1", 0), _Handler) as server:
        server.between = here
        here.url = f"http://127.0.0.1:{server.server_port}{below}/v1"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield here
        finally:
            server.shutdown()
            thread.join()
