"""The addresses of the web table: the page, and the files that it is made of.

The page is the same for everybody and for every game; who may see what is for the API to say.
"""

from __future__ import annotations

from uuid import UUID

from flask import Blueprint, Response, current_app, request

from holmgang.app.errors import NotFound
from holmgang.negotiation import media_type
from holmgang.representation import Kept

from .files import PAGE, files, page

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Cache-Control": "public, no-cache",
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
"""Kept by browsers and caches, and asked for by tag each time: a new release is never mixed with an old one."""

ROOT = "HOLMGANG_ROOT"
"""The path in the application's configuration below which clients find the service; empty for a host of its own."""

web = Blueprint("web", __name__)


@web.before_app_request
def lobby() -> Response | None:
    """The page for browsers; programs, which do not ask for HTML in the first place, get the API's index from `/`."""
    if request.path != "/" or request.method not in ("GET", "HEAD"):
        return None
    if media_type(request.headers.get("Accept", ""), "application/json", "text/html") != "text/html":
        return None
    response = _page().answer(HEADERS)
    response.vary.add("Accept")
    return response


@web.get("/games/<uuid:game>")
def invited(game: UUID) -> Response:  # noqa: ARG001 # the address has it
    """The page again, under the address that invitations to a private game name. Any game's, since it tells nothing."""
    return _page().answer(HEADERS)


@web.get("/web/<path:name>")
def file(name: str) -> Response:
    found = _page() if name == PAGE else files().get(name)
    if found is None:
        raise NotFound("file", name)
    return found.answer(HEADERS)


def _page() -> Kept:
    return page(current_app.config[ROOT])
