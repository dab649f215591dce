"""The pages that the `type` of a problem leads to: what it means and what to do."""

from __future__ import annotations

import functools

from flask import Flask, Response, request

from service.api.pages import HEADERS, render
from service.app.errors import NotFound
from service.languages.negotiation import language_headers, language_of
from service.representation import Kept

from .table import PROBLEMS


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
