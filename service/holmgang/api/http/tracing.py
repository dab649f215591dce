"""Requests as spans of a trace, if traces are wanted."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from werkzeug.wsgi import ClosingIterator

from holmgang import tracing
from holmgang.api.problems.documents import REQUEST_ID
from holmgang.metrics import METHODS

from .routing import route_of
from .tags import WAITED


@dataclass
class TracingMiddleware:
    """WSGI middleware around everything else: a span for each request, until its answer is written."""

    inner: WSGIApplication

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        given = environ["REQUEST_METHOD"]
        method = given if given in METHODS else "_OTHER"
        headers = {
            name: environ[variable]
            for name, variable in (("traceparent", "HTTP_TRACEPARENT"), ("tracestate", "HTTP_TRACESTATE"))
            if variable in environ
        }
        with tracing.request(method, headers) as span:

            def start(status: str, sent: list[tuple[str, str]], exc_info: Any = None) -> Any:
                route, game = route_of(environ)
                if route is not None:
                    span.update_name(f"{method} {route}")
                attributes = {
                    "http.response.status_code": int(status[:3]),
                    "holmgang.request_id": environ.get(REQUEST_ID, ""),
                    "http.route": route,
                    "holmgang.game": None if game is None else str(game),
                    "holmgang.wait": environ.get(WAITED),
                    "error.type": status[:3] if status.startswith("5") else None,
                }
                span.set_attributes({name: value for name, value in attributes.items() if value is not None})
                return start_response(status, sent, exc_info) if exc_info else start_response(status, sent)

            try:
                answer = self.inner(environ, start)
            except BaseException:
                span.end()
                raise
        return ClosingIterator(answer, span.end)
