"""Which operation a request is for, found once and before anything else is done with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from flask import Flask
from flask.ctx import RequestContext
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Rule

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

_FOUND = "holmgang.route"


class Routes:
    """The addresses of the application, also of those that are added later."""

    def __init__(self, app: Flask) -> None:
        self._addresses = app.url_map.bind("localhost")

    def endpoint(self, environ: WSGIEnvironment) -> str | None:
        """The operation; None where the address or the method is of none, which the application will tell."""
        path = environ["PATH_INFO"].encode("latin-1").decode(errors="replace")  # as the framework reads it (PEP 3333)
        try:
            found = self._addresses.match(path, environ["REQUEST_METHOD"], return_rule=True)
        except HTTPException:
            return None
        environ[_FOUND] = found
        return str(found[0].endpoint)


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
