"""Polls that are told at once that nothing is new, before the application sees them: most requests of bots are such.

Whoever names the tag that he has of a view, a turn or his waiting turns, and asks for nothing else, costs a statement
and no more. All else goes on to the application, and whatever is to be refused, with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING
from uuid import UUID

from flask import Flask, request

from service.app.accounts import authenticate
from service.app.ports import Store
from service.app.queries import turns_of
from service.app.standing import watching
from service.negotiation import names

from .answering import PRIVATE
from .calls import bearer, need_bearer, shown_invitation
from .conditional import TURN, TURN_WITH_VIEW, VIEW, tag_of, tag_of_turns
from .limiting import Limiter

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_GAME = re.compile(r"/v1/games/([0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})/(view|turn)")
_FORMS = {("view", ""): VIEW, ("turn", ""): TURN, ("turn", "include=view"): TURN_WITH_VIEW}
_TURNS = "/v1/me/turns"
_OPERATIONS = {"view": "games.getView", "turn": "games.getTurn", _TURNS: "me.listWaitingTurns"}

ROUTE = "holmgang.route"
"""Where the route of a request that was looked at before the application is kept, with the game in it."""
_FAULT = "holmgang.early_fault"


class Early:
    """WSGI middleware around `inner`, the application that `attend` was told of."""

    def __init__(self, inner: WSGIApplication, store: Store, limiter: Limiter) -> None:
        self.inner = inner
        self.store = store
        self.limiter = limiter

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        wanted = environ.get("HTTP_IF_NONE_MATCH")
        if wanted is not None and "HTTP_PREFER" not in environ and environ["REQUEST_METHOD"] in ("GET", "HEAD"):
            try:
                tag = self._tag(environ)
            except Exception as fault:  # which is the application's to tell
                environ[_FAULT] = fault
            else:
                if tag is not None and names(wanted, tag):
                    start_response("304 NOT MODIFIED", [("ETag", tag), *PRIVATE.items()])
                    return []
        return self.inner(environ, start_response)

    def _tag(self, environ: WSGIEnvironment) -> str | None:
        """What the request would get, by its tag; None where that is not to be told here."""
        path, query = environ["PATH_INFO"], environ.get("QUERY_STRING", "")
        game = form = None
        if found := _GAME.fullmatch(path):
            form = _FORMS.get((found[2], query))
            game, path = UUID(found[1]), f"/v1/games/<uuid:game>/{found[2]}"
        if form is None and (path != _TURNS or query):
            return None
        environ[ROUTE] = path, game
        self.limiter.check(environ, _OPERATIONS[found[2] if found else path])
        secret = bearer(environ)
        if game is None or form is None:
            return self._tag_of_turns(need_bearer(secret))
        with self.store.reading() as tables:
            caller = watching(tables, secret, game, shown_invitation(environ))
        # Before the start there is no view that `*` could mean.
        return tag_of(caller, form) if caller.started or form != VIEW else None

    def _tag_of_turns(self, secret: str) -> str:
        with self.store.reading() as tables:
            principal = authenticate(tables, secret)
            return tag_of_turns(principal, turns_of(tables, principal))


def attend(app: Flask) -> None:
    """Have the application answer for what was refused before it."""

    def refuse() -> None:
        fault: Exception | None = request.environ.pop(_FAULT, None)
        if fault is not None:
            try:
                raise fault
            finally:
                del fault  # which would keep itself, by its trace

    app.before_request(refuse)
