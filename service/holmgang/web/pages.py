"""The addresses of the web table: the page, and the files that it is made of.

The page is the same for everybody and for every game; who may see what is for the API to say.
"""

from __future__ import annotations

import re
from uuid import UUID

from flask import Blueprint, Response, current_app, request

from holmgang.app.errors import NotFound
from holmgang.negotiation import media_type
from holmgang.representation import Kept

from .files import PAGE, beginning, digest, files, page

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Cache-Control": "public, no-cache",
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
"""Kept by browsers and caches, and asked for by tag each time."""
FOR_EVER = {**HEADERS, "Cache-Control": "public, max-age=31536000, immutable"}
"""For what is never another under its address."""

_BOARD = re.compile(r"boards/([a-z0-9_]{1,40})-([0-9]{1,2})\.([a-z]{2})(\.svg|\.json)")
_DIGEST = re.compile(r"([0-9a-f]{16})/(.+)")

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
    """A file, also by an address with a digest. Another release's is answered with this one's file, for now: pages that
    are open while the service is replaced go on."""
    of, rest = found.groups() if (found := _DIGEST.fullmatch(name)) else (None, name)
    kept = _page() if rest == PAGE else files().get(rest) or _board(rest)
    if kept is None:
        raise NotFound("file", name)
    return kept.answer(FOR_EVER if of == digest() else HEADERS)


def _board(name: str) -> Kept | None:
    """A board that waits for its players, if that is what a file is called; by the `options` of the address."""
    found = _BOARD.fullmatch(name)
    if found is None:
        return None
    return beginning(found[1], int(found[2]), found[3], request.args.get("options", "{}"), found[4])


def _page() -> Kept:
    return page(current_app.config[ROOT])
