"""Errors as RFC 9457 problem documents."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

import msgspec
from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from service import logs
from service.app.errors import AlreadySubmitted, Refusal
from service.engine.messages import Said
from service.languages.catalogue import ENGLISH, in_language, sentence, translation
from service.languages.negotiation import language_headers, language_of

from .faults import fault
from .table import OF_STATUS, PROBLEMS

CONTENT_TYPE = "application/problem+json"
RETRY_AFTER_S = 1
REQUEST_ID = "holmgang.request_id"
"""The key of a request's environment that holds its id."""

logger = logs.get_logger("holmgang.api")

_POINTED = {"invalid_field": "body", "invalid_option": "body", "malformed_action": "body"}


def document(
    code: str,
    detail: str,
    request_id: str,
    base: str,
    language: str = ENGLISH,
    extra: dict[str, Any] | None = None,
    ruleset: str | None = None,
) -> dict[str, Any]:
    """The problem document of a code. `base` is what addresses begin with; `ruleset` names the game that wrote the
    detail, if one did."""
    row = PROBLEMS[code]
    return {
        "type": f"{base}/problems/{code}",
        "title": translation(row.title, language),
        "status": int(row.status),
        "detail": sentence(detail, language, ruleset),
        "code": code,
        "request_id": request_id,
        "retryable": row.retryable,
        **in_language(extra or {}, language, ruleset),
    }


def headers_of(code: str, language: str) -> list[tuple[str, str]]:
    """The headers of a problem besides its content type."""
    status = PROBLEMS[code].status
    headers = [("Cache-Control", "no-store"), *language_headers(language).items()]
    if status == HTTPStatus.UNAUTHORIZED:
        error = "" if code == "unauthenticated" else ', error="invalid_token"'
        headers.append(("WWW-Authenticate", f'Bearer realm="holmgang"{error}'))
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers.append(("Retry-After", str(RETRY_AFTER_S)))
    return headers


def extra_of(refusal: Refusal, base: str) -> dict[str, Any]:
    """The other members of a refusal's document: a single pointer becomes the one entry of `errors`."""
    extra = {name: value for name, value in refusal.extra.items() if name != "pointer"}
    if refusal.code in _POINTED:
        extra["errors"] = [fault(refusal.extra["pointer"], refusal.code, refusal.detail)]
    if isinstance(refusal, AlreadySubmitted):
        extra["receipt"] = f"{base}/v1/games/{extra['game']}/submissions/{extra['submission']}"
    return extra


class Problems:
    """Turns what is raised while a request is handled into problem documents."""

    def __init__(self, base: str) -> None:
        self.base = base

    def response(
        self, code: str, detail: Said, extra: dict[str, Any] | None = None, ruleset: str | None = None
    ) -> Response:
        language = language_of(request.environ)
        body = document(code, detail, request.environ.get(REQUEST_ID, ""), self.base, language, extra, ruleset)
        response = Response(msgspec.json.encode(body), PROBLEMS[code].status, content_type=CONTENT_TYPE)
        response.headers.extend(headers_of(code, language))
        return response

    def of_refusal(self, refusal: Refusal) -> Response:
        if refusal.__cause__ is not None:
            logger.warning("refused for a fault below", code=refusal.code, fault=repr(refusal.__cause__))
        return self.response(refusal.code, refusal.detail, extra_of(refusal, self.base), refusal.ruleset)

    def of_http(self, error: HTTPException) -> Response:
        """The framework's own errors, with their header Allow. There are no redirects: no route has one."""
        status = error.code or 500
        code = OF_STATUS.get(HTTPStatus(status), "malformed_request" if status < 500 else "internal_error")
        response = self.response(code, Said(PROBLEMS[code].meaning, {}))
        for name, value in error.get_headers(request.environ):
            if name == "Allow":
                response.headers[name] = value
        return response

    def of_fault(self, error: Exception) -> Response:
        """Any other fault: the log gets its trace, the client the request's id."""
        logger.exception("internal error", method=request.method, route=str(request.url_rule))
        return self.response("internal_error", Said(PROBLEMS["internal_error"].meaning, {}))

    def attach(self, app: Flask) -> None:
        app.register_error_handler(Refusal, self.of_refusal)
        app.register_error_handler(HTTPException, self.of_http)
        app.register_error_handler(Exception, self.of_fault)
