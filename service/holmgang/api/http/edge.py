"""The outermost layer, around every request and answer.

It gives request ids, headers for other origins and for security, limits the size of bodies, refuses NUL characters in
addresses, and writes the access log: a line for each request with method, route, status, milliseconds, request id and
game. Tokens never get here. Answers without news (304) are logged at level debug, since bots poll all the time.
"""

import io
import logging
import re
import time
from collections.abc import Iterable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from uuid_utils import uuid7

from holmgang.api.operation.declaration import OPERATIONS
from holmgang.api.operation.gate import network_of
from holmgang.api.problems.documents import REQUEST_ID, answer, document
from holmgang.api.problems.faults import MalformedRequest, PayloadTooLarge
from holmgang.app.errors import Refusal
from holmgang.engine.messages import say
from holmgang.languages.negotiation import language_of
from holmgang.logs import ACCESS
from holmgang.metrics import request_done

from .admission import SLOT, Admission
from .callers import CLIENT
from .limits import Limiter
from .metrics import PATH as METRICS
from .pacing import TokenBuckets
from .routing import Router, route_of
from .tags import WAITED

_REQUEST_ID = re.compile(r"[A-Za-z0-9._:/+=-]{1,128}")
_HOST = re.compile(r"(?:[A-Za-z0-9._~-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{0,5})?")
"""A name or an address with its port. Links in answers may begin with it."""
EXPOSED = (
    "ETag, Location, Link, Retry-After, WWW-Authenticate, Allow, Preference-Applied, RateLimit, RateLimit-Policy,"
    " X-Request-ID"
)
ALLOWED_HEADERS = (
    "Accept, Accept-Language, Authorization, Baggage, Cache-Control, Content-Language, Content-Type,"
    " Holmgang-Invitation, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Pragma, Prefer, Traceparent,"
    " Tracestate, X-Request-ID, X-Requested-With, *"
)
"""What pages of other origins may send: anything, since there are no cookies. `*` does not stand for Authorization
(Fetch, 4.10), and not all browsers know it: hence the names of what clients send."""
REFUSED_SECONDS, WATCHED_SECONDS = 10.0, 2.0
"""How long refusals, and answers to monitoring, are delayed at most if there are too many."""
PREFLIGHT = (
    ("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"),
    ("Access-Control-Allow-Headers", ALLOWED_HEADERS),
    ("Access-Control-Max-Age", "86400"),
)

Headers = list[tuple[str, str]]

access = logging.getLogger(ACCESS)

_current: ContextVar[WSGIEnvironment | None] = ContextVar("request", default=None)


def request_ids() -> dict[str, str]:
    """The ids of the current request and of its game, for lines of the log."""
    environ = _current.get()
    if environ is None:
        return {}
    ids = {"request_id": str(environ.get(REQUEST_ID, ""))}
    _, game = route_of(environ)
    return ids if game is None else {**ids, "game": str(game)}


def common_headers(base: str) -> Headers:
    """The headers of every answer. If `base` is an https address, browsers are told to stay with https."""
    strict = [("Strict-Transport-Security", "max-age=31536000")] if base.startswith("https://") else []
    return [
        ("Access-Control-Allow-Origin", "*"),
        ("Access-Control-Expose-Headers", EXPOSED),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("X-Frame-Options", "DENY"),
        ("Cross-Origin-Resource-Policy", "cross-origin"),
        *strict,
    ]


@dataclass
class Edge:
    """WSGI middleware around `inner`."""

    inner: WSGIApplication
    router: Router
    admission: Admission
    limiter: Limiter
    max_body_bytes: int
    base: str

    def __post_init__(self) -> None:
        self.common = common_headers(self.base)
        self.refused, self.watched = TokenBuckets(), TokenBuckets()
        self.unlimited = {METRICS, *(each.rule for each in OPERATIONS.values() if each.budget is None)}

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        token = _current.set(environ)
        try:
            return self._answer(environ, start_response)
        finally:
            _current.reset(token)

    def _answer(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        started = time.perf_counter()
        given = environ.get("HTTP_X_REQUEST_ID")
        ident = given if given is not None and _REQUEST_ID.fullmatch(given) else str(uuid7())
        environ[REQUEST_ID] = ident
        # With one slash in front: the router would redirect others, to whatever host the request names.
        environ["PATH_INFO"] = "/" + environ["PATH_INFO"].lstrip("/")

        def start(status: str, headers: Headers, exc_info: Any = None) -> Any:
            if not any(name == "Cache-Control" for name, _ in headers):
                headers.append(("Cache-Control", "no-cache"))
            if CLIENT in environ:
                self.limiter.settle(environ, status, headers)
                headers.extend(self.limiter.headers(environ))
            headers += self.common
            headers.append(("X-Request-ID", ident))
            seconds = time.perf_counter() - started
            route, game = route_of(environ)
            request_done(route or "none", environ["REQUEST_METHOD"], status, WAITED in environ, seconds)
            level = logging.DEBUG if status.startswith("304") else logging.INFO
            if access.isEnabledFor(level):
                line = {
                    "method": environ["REQUEST_METHOD"],
                    "route": route,
                    "status": int(status[:3]),
                    "ms": round(seconds * 1000, 2),
                    "request_id": ident,
                }
                access.log(level, line if game is None else {**line, "game": str(game)})
            return start_response(status, headers, exc_info) if exc_info else start_response(status, headers)

        if environ["REQUEST_METHOD"] == "OPTIONS" and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in environ:
            _delay(self.refused, environ, REFUSED_SECONDS)
            start("204 No Content", list(PREFLIGHT))
            return []
        try:
            self._check(environ)
            endpoint = self.router.endpoint(environ)
            if environ["PATH_INFO"] in self.unlimited:
                _delay(self.watched, environ, WATCHED_SECONDS)
                return self.inner(environ, start)
            client = self.limiter.charge(environ, endpoint)
            if environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
                most = int(environ.get("CONTENT_LENGTH") or self.max_body_bytes + 1)
                environ["wsgi.input"] = _body(environ["wsgi.input"], most)
            self.limiter.delay(environ)
            with self.admission.slot(client.queue_key) as environ[SLOT]:
                return self.inner(environ, start)
        except Refusal as refusal:  # of this layer: the application answers its own
            return self._refuse(environ, start, refusal)

    def _check(self, environ: WSGIEnvironment) -> None:
        length = environ.get("CONTENT_LENGTH")
        if length and (len(length) > 18 or int(length) > self.max_body_bytes):
            raise PayloadTooLarge(say("Bodies end at {limit} bytes.", limit=self.max_body_bytes))
        if not _HOST.fullmatch(environ.get("HTTP_HOST", "")) and environ["SERVER_PROTOCOL"] != "HTTP/1.0":
            raise MalformedRequest(say("The header Host is missing or no host's name."))
        if "\0" in environ["PATH_INFO"] or "%00" in environ.get("QUERY_STRING", ""):
            raise MalformedRequest(say("The address holds a NUL character."))

    def _refuse(self, environ: WSGIEnvironment, start: StartResponse, refusal: Refusal) -> Iterable[bytes]:
        _delay(self.refused, environ, REFUSED_SECONDS)
        language = language_of(environ)
        problem = document(refusal.code, refusal.detail, environ[REQUEST_ID], self.base, language)
        status, headers, body = answer(problem, language)
        start(f"{status.value} {status.phrase}", headers)
        return [] if environ["REQUEST_METHOD"] == "HEAD" else [body]


def _delay(buckets: TokenBuckets, environ: WSGIEnvironment, longest: float) -> None:
    """Delay an answer that needs no slot."""
    buckets.delay(network_of(environ.get("REMOTE_ADDR")), longest)


def _body(stream: Any, most: int) -> io.BytesIO:
    """The whole body, read before the request takes a slot: its sender may be slow. A body of unknown length is cut off
    one byte beyond the limit, so that it is known to be too large."""
    body = bytearray()
    while len(body) < most and (part := stream.read(most - len(body))):
        body += part
    return io.BytesIO(body)
