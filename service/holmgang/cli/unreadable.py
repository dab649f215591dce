"""Answers to requests that the application never sees: the server cannot read them as HTTP, or their network has too
many connections.

Gunicorn's own page is HTML, repeats what was sent, and calls an unknown transfer coding a fault of the server. Ours is
a problem document like every other refusal, with the headers of every other answer. It closes the connection, since
nobody knows where the next request would begin.
"""

from __future__ import annotations

import logging

from gunicorn.http import errors
from uuid_utils.compat import uuid7

from holmgang.api.http.edge import common_headers
from holmgang.api.problems.documents import RETRY_AFTER_S, answer, document
from holmgang.api.problems.table import PROBLEMS

CROWDED = "Too many connections from one network."

_log = logging.getLogger(__name__)


def refusal(error: BaseException, base: str) -> bytes | None:
    """The whole answer to a request that cannot be read; None for what is no fault of the client's."""
    if not isinstance(error, errors.ParseException) or isinstance(error, errors.ConfigurationProblem):
        return None
    code = {errors.LimitRequestLine: "address_too_long", errors.LimitRequestHeaders: "headers_too_large"}.get(
        type(error), "malformed_request"
    )
    # In English: what languages the client prefers cannot be read either.
    detail = PROBLEMS[code].meaning if code != "malformed_request" else "This is no request by RFC 9112."
    ident = str(uuid7())
    _log.info("request %s cannot be read: %s", ident, type(error).__name__)
    return _answer(code, detail, ident, base)


def crowded(base: str) -> bytes:
    """The whole answer on a connection that is one too many of its network."""
    return _answer("too_many_requests", CROWDED, str(uuid7()), base, ("Retry-After", str(RETRY_AFTER_S)))


def _answer(code: str, detail: str, ident: str, base: str, *more: tuple[str, str]) -> bytes:
    status, headers, body = answer(document(code, detail, ident, base))
    headers = [("Connection", "close"), *headers, *more, *common_headers(base), ("X-Request-ID", ident)]
    lines = [f"HTTP/1.1 {status.value} {status.phrase}", *(f"{name}: {value}" for name, value in headers)]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body
