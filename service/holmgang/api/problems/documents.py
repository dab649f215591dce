"""Errors as RFC 9457 problem documents, and the pages that their `type` leads to: what they mean and what to do."""

import functools
from http import HTTPStatus
from typing import Any

import msgspec
from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from holmgang import logs
from holmgang.api.pages import HEADERS, render
from holmgang.app.errors import AlreadySubmitted, NotFound, Refusal
from holmgang.engine.messages import Said
from holmgang.languages.catalogue import ENGLISH, in_language, sentence, translation
from holmgang.languages.negotiation import language_headers, language_of
from holmgang.representation import Kept

from .faults import fault
from .table import OF_STATUS, PROBLEMS

CONTENT_TYPE = "application/problem+json"
RETRY_AFTER_S = 1
REQUEST_ID = "holmgang.request_id"
"""The key of a request's environment that holds its id."""

logger = logs.get_logger("holmgang.api")

_POINTED = ("invalid_field", "invalid_option", "malformed_action")
"""Codes of refusals that point to a part of the body."""


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


def answer(problem: dict[str, Any], language: str = ENGLISH) -> tuple[HTTPStatus, list[tuple[str, str]], bytes]:
    """Status, headers and body of the answer that a problem document is."""
    body, code = msgspec.json.encode(problem), problem["code"]
    status = PROBLEMS[code].status
    headers = [
        ("Content-Type", CONTENT_TYPE),
        ("Content-Length", str(len(body))),
        ("Cache-Control", "no-store"),
        *language_headers(language).items(),
    ]
    if status == HTTPStatus.UNAUTHORIZED:
        error = "" if code == "unauthenticated" else ', error="invalid_token"'
        headers.append(("WWW-Authenticate", f'Bearer realm="holmgang"{error}'))
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers.append(("Retry-After", str(RETRY_AFTER_S)))
    return status, headers, body


def add_error_handlers(app: Flask, base: str) -> None:
    """Have the application answer with problem documents whatever is raised while it handles a request."""

    def response(code: str, detail: Said, extra: dict[str, Any] | None = None, ruleset: str | None = None) -> Response:
        language = language_of(request.environ)
        problem = document(code, detail, request.environ.get(REQUEST_ID, ""), base, language, extra, ruleset)
        status, headers, body = answer(problem, language)
        return Response(body, status, headers)

    @app.errorhandler(Refusal)
    def refused(refusal: Refusal) -> Response:
        if refusal.__cause__ is not None:
            logger.warning("refused for a fault below", code=refusal.code, fault=repr(refusal.__cause__))
        extra = {name: value for name, value in refusal.extra.items() if name != "pointer"}
        if refusal.code in _POINTED:
            extra["errors"] = [fault(refusal.extra["pointer"], refusal.code, refusal.detail)]
        if isinstance(refusal, AlreadySubmitted):
            extra["receipt"] = f"{base}/v1/games/{extra['game']}/submissions/{extra['submission']}"
        return response(refusal.code, refusal.detail, extra, refusal.ruleset)

    @app.errorhandler(HTTPException)
    def of_framework(error: HTTPException) -> Response:
        """With the framework's header Allow. There are no redirects: no route has one."""
        status = error.code or 500
        code = OF_STATUS.get(HTTPStatus(status), "malformed_request" if status < 500 else "internal_error")
        answered = response(code, Said(PROBLEMS[code].meaning, {}))
        answered.headers.extend([each for each in error.get_headers(request.environ) if each[0] == "Allow"])
        return answered

    @app.errorhandler(Exception)
    def failed(error: Exception) -> Response:
        """The log gets the trace of a fault, the client the request's id."""
        logger.exception("internal error", method=request.method, route=str(request.url_rule))
        return response("internal_error", Said(PROBLEMS["internal_error"].meaning, {}))


def add_pages(app: Flask, base: str) -> None:
    """A page for each problem, and the list of all. Addresses in them begin with `base`."""

    @functools.cache
    def page(code: str | None, language: str) -> Kept:
        if code is None:
            return render("problems.html", language, base=base, problems=PROBLEMS.values())
        return render("problem.html", language, base=base, problem=PROBLEMS[code])

    @app.get("/problems")
    @app.get("/problems/<code>")
    def problems(code: str | None = None) -> Response:
        if code is not None and code not in PROBLEMS:
            raise NotFound("problem", code)
        language = language_of(request.environ)
        return page(code, language).answer({**HEADERS, **language_headers(language)})
