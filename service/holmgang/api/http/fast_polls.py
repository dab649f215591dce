"""Polls without news, and what is shown of a game as it stands, answered before the application sees them: most
requests are such.

A poll that names the tag the client has of a view, a turn or its waiting turns, and asks for nothing else, costs one
statement. So does a view or a turn that a client has none of. All others go on to the application, which also answers
those that are refused.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple
from uuid import UUID
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import request

from holmgang.api.operation.answers import PRIVATE
from holmgang.api.operation.declaration import OPERATIONS, Poll
from holmgang.api.operation.gate import Call, bearer, need_bearer, shown_invitation
from holmgang.api.operation.service import Service
from holmgang.api.operation.showing import Body
from holmgang.api.operation.terms import asked
from holmgang.app.access import find_viewer
from holmgang.app.accounts.tokens import authenticate
from holmgang.app.reading.queries import turns_of
from holmgang.app.records.contexts import GameCaller
from holmgang.interrupts import FAULTS, as_fault
from holmgang.negotiation import matches

from .routing import endpoint_of, route_of
from .tags import given, tag_of, tag_of_turns

_FAULT = "holmgang.fast_polls.fault"


class _Fast(NamedTuple):
    """What a query asks of an operation. Without a `form` the answer is the caller's waiting turns."""

    poll: Poll
    query: Any
    form: str | None


class _Found(NamedTuple):
    """The tag of the answer, and the answer, to whom; without these the client has it already."""

    tag: str
    caller: GameCaller | None = None
    body: Body | None = None


class FastPolls:
    """WSGI middleware around `inner`. What fails is answered by the application (`raise_fault`)."""

    def __init__(self, inner: WSGIApplication, service: Service) -> None:
        self.inner = inner
        self.store = service.store
        self.kept = service.kept
        self._fast: dict[tuple[str | None, str], _Fast] = {}
        """By endpoint and query string."""
        for each in OPERATIONS.values():
            if each.polls is not None:
                for text in each.polls.fast:
                    query = each.read(asked(text)) if each.polls.form else None
                    form = each.polls.form(query) if each.polls.form else None
                    self._fast[each.endpoint, text] = _Fast(each.polls, query, form)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        method, wanted = environ["REQUEST_METHOD"], environ.get("HTTP_IF_NONE_MATCH")
        if "HTTP_PREFER" not in environ and (method == "GET" or (method == "HEAD" and wanted is not None)):
            fast = self._fast.get((endpoint_of(environ), environ.get("QUERY_STRING", "")))
            if fast is not None and (wanted is not None or fast.poll.shows is not None):
                try:
                    found = self._find(environ, fast, wanted)
                except FAULTS as fault:
                    hand_on(environ, fault)
                else:
                    if found is not None:
                        return self._answer(environ, start_response, found)
        return self.inner(environ, start_response)

    def _find(self, environ: WSGIEnvironment, fast: _Fast, wanted: str | None) -> _Found | None:
        """What the request gets; None if that is for the application to say."""
        secret = bearer(environ)
        if fast.form is None:
            secret = need_bearer(secret)
            with self.store.reading() as tables:
                principal = authenticate(tables, secret)
                tag = tag_of_turns(principal, turns_of(tables, principal))
            return _Found(tag) if wanted is not None and matches(wanted, tag) else None
        _, game = route_of(environ)
        assert game is not None
        with self.store.reading() as tables:
            call = Call(tables, secret, invitation=shown_invitation(environ))
            if wanted is None:
                return self._shown(call, fast, game, None)
            caller = find_viewer(tables, secret, game, call.invitation)
            tag = tag_of(caller, fast.form)
            # Before the start there is no view that `*` could match.
            if (caller.started or not fast.poll.started) and matches(wanted, tag):
                return _Found(tag)
            if environ["REQUEST_METHOD"] == "HEAD":
                return None
            kept = self.kept.find(caller, tag)
            return self._shown(call, fast, game, wanted) if kept is None else _Found(tag, caller, kept)

    def _shown(self, call: Call, fast: _Fast, game: UUID, wanted: str | None) -> _Found:
        assert fast.poll.shows is not None
        shown = fast.poll.shows(call, fast.query, game)
        if wanted is not None and shown.there and matches(wanted, shown.tag):
            return _Found(shown.tag)
        return _Found(shown.tag, shown.caller, self.kept.body(shown))

    def _answer(self, environ: WSGIEnvironment, start_response: StartResponse, found: _Found) -> Iterable[bytes]:
        if found.body is None or found.caller is None:
            start_response("304 NOT MODIFIED", [("ETag", found.tag), *PRIVATE.items()])
            return []
        accepted = environ.get("HTTP_ACCEPT_ENCODING", "")
        content, headers = given(self.kept, found.caller, found.tag, found.body, accepted)
        start_response("200 OK", headers)
        return [content]


def raise_fault() -> None:
    """Raise in the application, which answers it, what was raised before it."""
    fault: Exception | None = request.environ.pop(_FAULT, None)
    if fault is not None:
        try:
            raise fault
        finally:
            del fault  # its trace refers to this frame


def hand_on(environ: WSGIEnvironment, fault: BaseException) -> None:
    """Have the application answer for a fault."""
    environ[_FAULT] = as_fault(fault)
