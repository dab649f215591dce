"""Which operation a request is for, found once and before anything else is done with it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from uuid import UUID

from flask import Flask
from flask.ctx import RequestContext
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Rule

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

_FOUND = "holmgang.route"
KEPT = 4096
"""Requests whose routes are remembered: bots ask for the same again and again."""
SHORT = 200
"""Below this length of the path."""


class Routes:
    """The addresses of the application, also of those that are added later."""

    def __init__(self, app: Flask) -> None:
        self._addresses = app.url_map.bind("localhost")
        self._match = lru_cache(KEPT)(self._match_anew)

    def endpoint(self, environ: WSGIEnvironment) -> str | None:
        """The operation; None where the address or the method is of none, which the application will tell."""
        path = environ["PATH_INFO"]
        found = (self._match if len(path) < SHORT else self._match_anew)(environ["REQUEST_METHOD"], path)
        if found is None:
            return None
        environ[_FOUND] = found
        return str(found[0].endpoint)

    def _match_anew(self, method: str, path: str) -> tuple[Rule, Mapping[str, Any]] | None:
        path = path.encode("latin-1").decode(errors="replace")  # as the framework reads it (PEP 3333)
        try:
            return self._addresses.match(path, method, return_rule=True)
        except HTTPException:
            return None


class Routed(RequestContext):
    """The framework's context of a request whose route is known already."""

    def match_request(self) -> None:
        found: tuple[Rule, dict[str, Any]] | None = self.request.environ.get(_FOUND)
        if found is None:
            super().match_request()
        else:
            self.request.url_rule, self.request.view_args = found


def endpoint_of(environ: WSGIEnvironment) -> str | None:
    """The operation that was found for the request."""
    found = environ.get(_FOUND)
    return None if found is None else str(found[0].endpoint)


def route_of(environ: WSGIEnvironment) -> tuple[str | None, UUID | None]:
    """The route that was found for the request, and the game in it."""
    found: tuple[Rule, dict[str, Any]] | None = environ.get(_FOUND)
    return (None, None) if found is None else (found[0].rule, found[1].get("game"))
