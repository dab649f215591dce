"""What a client gets whose request the server cannot read as HTTP, so that the application never sees it.

Gunicorn's own page would be HTML, would repeat what was sent, and would call an unknown transfer coding a fault of the
server. The answer is a problem document like every other refusal, with the headers of every other answer, and the
connection is closed: nobody knows where the next request would begin.
"""

from __future__ import annotations

import logging
from http import HTTPStatus

import msgspec
from gunicorn.http import errors
from uuid_utils.compat import uuid7

from service.api.edge import common_headers
from service.api.problem_table import PROBLEMS
from service.api.problems import CONTENT_TYPE, document, headers_of
from service.languages.catalogue import ENGLISH

_log = logging.getLogger(__name__)


def refusal(error: BaseException, base: str) -> bytes | None:
    """The whole answer to a request that cannot be read; None for what is no fault of the client's."""
    if not isinstance(error, errors.ParseException) or isinstance(error, errors.ConfigurationProblem):
        return None
    code = {errors.LimitRequestLine: "address_too_long", errors.LimitRequestHeaders: "headers_too_large"}.get(
        type(error), "malformed_request"
    )
    ident, status = str(uuid7()), HTTPStatus(PROBLEMS[code].status)
    # In English: what languages the client prefers cannot be read either.
    detail = PROBLEMS[code].meaning if code != "malformed_request" else "This is no request by RFC 9112."
    body = msgspec.json.encode(document(code, detail, ident, base))
    headers = [
        ("Connection", "close"),
        ("Content-Type", CONTENT_TYPE),
        ("Content-Length", str(len(body))),
        *headers_of(code, ENGLISH),
        *common_headers(base),
        ("X-Request-ID", ident),
    ]
    _log.info("request %s cannot be read: %s", ident, type(error).__name__)
    lines = [f"HTTP/1.1 {status.value} {status.phrase}", *(f"{name}: {value}" for name, value in headers)]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body
