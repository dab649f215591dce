"""Polls that are told at once that nothing is new, before the application sees them: most requests of bots are such.

Whoever names the tag that he has of a view, a turn or his waiting turns, and asks for nothing else, costs a statement
and no more. All else goes on to the application, and whatever is to be refused, with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from flask import Flask, request

from service.api.operation.answers import PRIVATE
from service.api.operation.costs import asked
from service.api.operation.declaration import OPERATIONS
from service.api.operation.gate import bearer, need_bearer, shown_invitation
from service.app.access import find_viewer
from service.app.accounts.tokens import authenticate
from service.app.ports import Connections
from service.app.reading.queries import turns_of
from service.negotiation import matches

from .routing import endpoint_of, route_of
from .tags import tag_of, tag_of_turns

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_FAULT = "holmgang.fast_polls.fault"


class FastPolls:
    """WSGI middleware around `inner`, the application that `attend` was told of."""

    def __init__(self, inner: WSGIApplication, store: Connections) -> None:
        self.inner = inner
        self.store = store
        self._polls = {
            (each.endpoint, query): (poll, poll.form and poll.form(each.read(asked(query))))
            for each in OPERATIONS.values()
            if (poll := each.polls) is not None
            for query in poll.fast
        }
        """Each with the form of its answer, by endpoint and query string."""

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        wanted = environ.get("HTTP_IF_NONE_MATCH")
        if wanted is not None and "HTTP_PREFER" not in environ and environ["REQUEST_METHOD"] in ("GET", "HEAD"):
            try:
                tag = self._tag(environ)
            except Exception as fault:  # which is the application's to tell
                environ[_FAULT] = fault
            else:
                if tag is not None and matches(wanted, tag):
                    start_response("304 NOT MODIFIED", [("ETag", tag), *PRIVATE.items()])
                    return []
        return self.inner(environ, start_response)

    def _tag(self, environ: WSGIEnvironment) -> str | None:
        """What the request would get, by its tag; None where that is not to be told here."""
        found = self._polls.get((endpoint_of(environ) or "", environ.get("QUERY_STRING", "")))
        if found is None:
            return None
        poll, form = found
        if form is None:
            return self._tag_of_turns(environ)
        _, game = route_of(environ)
        assert game is not None
        secret = bearer(environ)
        with self.store.reading() as tables:
            caller = find_viewer(tables, secret, game, shown_invitation(environ))
        # Before the start there is no view that `*` could mean.
        return tag_of(caller, form) if caller.started or not poll.started else None

    def _tag_of_turns(self, environ: WSGIEnvironment) -> str:
        secret = need_bearer(bearer(environ))
        with self.store.reading() as tables:
            principal = authenticate(tables, secret)
            return tag_of_turns(principal, turns_of(tables, principal))


def add_fast_polls(app: Flask) -> None:
    """Have the application answer for what was refused before it."""

    def refuse() -> None:
        fault: Exception | None = request.environ.pop(_FAULT, None)
        if fault is not None:
            try:
                raise fault
            finally:
                del fault  # which would keep itself, by its trace

    app.before_request(refuse)
