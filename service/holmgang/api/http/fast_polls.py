"""Polls without news, answered before the application sees them: most requests of bots are such.

A poll that names the tag the client has of a view, a turn or its waiting turns, and asks for nothing else, costs one
statement. All others go on to the application, which also answers those that are refused.
"""

from collections.abc import Iterable
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import request

from holmgang.api.operation.answers import PRIVATE
from holmgang.api.operation.declaration import OPERATIONS
from holmgang.api.operation.gate import bearer, need_bearer, shown_invitation
from holmgang.api.operation.terms import asked
from holmgang.app.access import find_viewer
from holmgang.app.accounts.tokens import authenticate
from holmgang.app.ports import Connections
from holmgang.app.reading.queries import turns_of
from holmgang.negotiation import matches

from .routing import endpoint_of, route_of
from .tags import tag_of, tag_of_turns

_FAULT = "holmgang.fast_polls.fault"


class FastPolls:
    """WSGI middleware around `inner`. What fails is answered by the application (`raise_fault`)."""

    def __init__(self, inner: WSGIApplication, store: Connections) -> None:
        self.inner = inner
        self.store = store
        self._polls = {
            (each.endpoint, query): (poll, poll.form and poll.form(each.read(asked(query))))
            for each in OPERATIONS.values()
            if (poll := each.polls) is not None
            for query in poll.fast
        }
        """Polls and the forms of their answers, by endpoint and query string."""

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        wanted = environ.get("HTTP_IF_NONE_MATCH")
        if wanted is not None and "HTTP_PREFER" not in environ and environ["REQUEST_METHOD"] in ("GET", "HEAD"):
            try:
                tag = self._tag(environ)
            except Exception as fault:  # for the application to answer
                environ[_FAULT] = fault
            else:
                if tag is not None and matches(wanted, tag):
                    start_response("304 NOT MODIFIED", [("ETag", tag), *PRIVATE.items()])
                    return []
        return self.inner(environ, start_response)

    def _tag(self, environ: WSGIEnvironment) -> str | None:
        """The tag of what the request would get; None if that is for the application to say."""
        found = self._polls.get((endpoint_of(environ) or "", environ.get("QUERY_STRING", "")))
        if found is None:
            return None
        poll, form = found
        secret = bearer(environ)
        if form is None:
            secret = need_bearer(secret)
            with self.store.reading() as tables:
                principal = authenticate(tables, secret)
                return tag_of_turns(principal, turns_of(tables, principal))
        _, game = route_of(environ)
        assert game is not None
        with self.store.reading() as tables:
            caller = find_viewer(tables, secret, game, shown_invitation(environ))
        # Before the start there is no view that `*` could match.
        return tag_of(caller, form) if caller.started or not poll.started else None


def raise_fault() -> None:
    """Raise in the application, which answers it, what was raised before it."""
    fault: Exception | None = request.environ.pop(_FAULT, None)
    if fault is not None:
        try:
            raise fault
        finally:
            del fault  # its trace refers to this frame
