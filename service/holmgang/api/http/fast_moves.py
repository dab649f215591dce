"""Moves that are sent with nothing but a body, made before the application sees them: nearly all are such.

What cannot be read as such a request goes on to the application, which says what is wrong with it. So do refusals and
faults of such a move.
"""

from collections.abc import Iterable
from http import HTTPStatus
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import msgspec

from holmgang.api.operation.answers import PRIVATE
from holmgang.api.operation.declaration import OPERATIONS, Operation
from holmgang.api.operation.gate import Call, bearer, need_bearer
from holmgang.api.operation.input import read_json
from holmgang.api.operation.service import Service
from holmgang.engine.codec import encode_json
from holmgang.interrupts import FAULTS

from .fast_polls import hand_on
from .routing import endpoint_of, route_of

_ASKS_FOR_MORE = ("HTTP_IDEMPOTENCY_KEY", "HTTP_CONTENT_ENCODING")


class FastMoves:
    """WSGI middleware around `inner`, behind `Edge`, which has taken the body in."""

    def __init__(self, inner: WSGIApplication, service: Service) -> None:
        self.inner = inner
        self.service = service
        self._moves = {each.endpoint: each for each in OPERATIONS.values() if each.plain is not None}

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        move = self._moves.get(endpoint_of(environ) or "")
        if move is not None and move.plain is not None and (read := self._read(environ, move)) is not None:
            secret, body = read
            _, game = route_of(environ)
            assert game is not None
            try:
                with self.service.store.reading() as tables:
                    answer, path = move.plain(Call(tables, secret), body, game)
            except FAULTS as fault:
                hand_on(environ, fault)
            else:
                return self._answer(start_response, answer, path)
        return self.inner(environ, start_response)

    def _read(self, environ: WSGIEnvironment, move: Operation) -> tuple[str, Any] | None:
        """The token and the body; None for what the application has to look at."""
        if environ.get("QUERY_STRING") or environ.get("CONTENT_TYPE") != "application/json":
            return None
        if any(header in environ for header in _ASKS_FOR_MORE):
            return None
        body: bytes = environ["wsgi.input"].getvalue()
        if len(body) > self.service.settings.max_body_bytes:
            return None
        assert move.body is not None
        try:
            sent = read_json(body)
            if len(sent) != len(move.body.__struct_fields__):
                return None
            return need_bearer(bearer(environ)), msgspec.convert(sent, move.body)
        except Exception:
            return None

    def _answer(self, start_response: StartResponse, answer: Any, path: str | None) -> Iterable[bytes]:
        content = encode_json(answer)
        headers = [
            *PRIVATE.items(),
            ("Content-Type", "application/json"),
            ("Content-Length", str(len(content))),
        ]
        status = HTTPStatus.OK
        if path is not None:
            status = HTTPStatus.CREATED
            headers.append(("Location", self.service.base + path))
        start_response(f"{status.value} {status.phrase}", headers)
        return [content]
