"""Which operation a request is for, found once and before anything else is done with it."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from uuid import UUID
from wsgiref.types import WSGIEnvironment

from flask import Flask
from flask.ctx import RequestContext
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Rule

_ROUTE = "holmgang.route"
KEPT = 4096
"""Requests whose routes are remembered: bots ask for the same again and again."""
SHORT = 200
"""Only paths below this length are remembered."""


class Router:
    """The addresses of the application, also of those that are added later."""

    def __init__(self, app: Flask) -> None:
        self._addresses = app.url_map.bind("localhost")
        self._cached = lru_cache(KEPT)(self._match)

    def endpoint(self, environ: WSGIEnvironment) -> str | None:
        """The operation; None for another address or method, which the application answers."""
        path = environ["PATH_INFO"]
        found = (self._cached if len(path) < SHORT else self._match)(environ["REQUEST_METHOD"], path)
        if found is None:
            return None
        environ[_ROUTE] = found
        return str(found[0].endpoint)

    def _match(self, method: str, path: str) -> tuple[Rule, Mapping[str, Any]] | None:
        path = path.encode("latin-1").decode(errors="replace")  # as the framework reads it (PEP 3333)
        try:
            return self._addresses.match(path, method, return_rule=True)
        except HTTPException:
            return None


class RoutedContext(RequestContext):
    """The framework's context of a request whose route is known already."""

    def match_request(self) -> None:
        found: tuple[Rule, dict[str, Any]] | None = self.request.environ.get(_ROUTE)
        if found is None:
            super().match_request()
        else:
            self.request.url_rule, self.request.view_args = found


def endpoint_of(environ: WSGIEnvironment) -> str | None:
    """The operation that was found for the request."""
    found = environ.get(_ROUTE)
    return None if found is None else str(found[0].endpoint)


def route_of(environ: WSGIEnvironment) -> tuple[str | None, UUID | None]:
    """The route that was found for the request, and the game in it."""
    found: tuple[Rule, dict[str, Any]] | None = environ.get(_ROUTE)
    return (None, None) if found is None else (found[0].rule, found[1].get("game"))
