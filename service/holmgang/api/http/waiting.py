"""Long polling: `?wait=` and `Prefer: wait` (RFC 7240) hold a poll until there is news for the caller.

A request that waits looks once, and then only when it is woken. Meanwhile it holds its connection, but no slot and
nothing of the database. Its answer is what a request without `wait` would get at that moment.
"""

import re
import select
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar
from uuid import UUID
from wsgiref.types import WSGIEnvironment

from flask import Response, after_this_request, request
from marshmallow import ValidationError
from msgspec.structs import replace

from holmgang.api.operation.declaration import Operation, Poll, declared
from holmgang.api.operation.gate import bearer, need_bearer, shown_invitation
from holmgang.api.operation.input import read_query
from holmgang.api.operation.service import Service
from holmgang.api.operation.showing import Body
from holmgang.api.operation.terms import asked
from holmgang.api.problems.faults import InvalidRequest, MalformedRequest
from holmgang.app.access import viewer
from holmgang.app.accounts.tokens import authenticate, current_principal, digest_of, token_digest
from holmgang.app.ports import Watch
from holmgang.app.reading.queries import turns_by_token
from holmgang.app.records.contexts import GameCaller
from holmgang.app.records.play import Waiting
from holmgang.app.records.players import Principal
from holmgang.negotiation import matches, media_type, preferred_wait

from .admission import SLOT
from .callers import CLIENT, client_of
from .process import Process
from .tags import WAITED, given, not_modified, tag_of, tag_of_revision, tag_of_turns

T = TypeVar("T")

LONGEST = 50
"""Seconds: less than the time after which proxies commonly give up on a request."""
CHECK_SECONDS = 5.0
"""How often a request that waits checks whether its client is still connected."""
CONNECTION = "gunicorn.socket"
"""The key of a request's environment that holds the client's connection."""
STREAM = "text/event-stream"

_TCP_INFO, _ESTABLISHED = getattr(socket, "TCP_INFO", None), b"\x01"
"""On Linux (tcp(7)): what is known of a connection, and its first byte while neither side has closed it."""
_PAST = ("as_seat", "at", "after_turn")
"""Parameters that ask for what no news can change."""
_PLAIN = re.compile(rb"wait=([1-9]|[1-4][0-9]|50)")


def polls(environ: WSGIEnvironment, operation: Operation) -> bool:
    """Whether a request is a poll: it names what the client has, or would wait, and does not ask for the past."""
    if operation.polls is None or environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
        return False
    query = environ.get("QUERY_STRING", "")
    if query and operation.cost.at is not None and asked(query).keys() & {"at", "after_turn"}:
        return False
    if "HTTP_IF_NONE_MATCH" in environ or _may_wait(environ):
        return True
    return "HTTP_PREFER" in environ and preferred_wait(environ["HTTP_PREFER"]) is not None


def _may_wait(environ: WSGIEnvironment) -> bool:
    """Whether the query may have the parameter: its letters may be written as `%77` too."""
    query = environ.get("QUERY_STRING", "")
    return "wait=" in query or "%" in query


def _query(operation: Operation) -> Any:
    """What the request asks for; None if the operation will refuse it."""
    if (plain := _PLAIN.fullmatch(request.query_string)) is not None:  # as most queries are
        return replace(operation.nothing_asked, wait=int(plain[1]))
    try:
        return operation.read(read_query(request.query_string))
    except (ValidationError, InvalidRequest, MalformedRequest):
        return None


def _seconds(wait: int | None) -> int:
    """How long the request may wait. A preference that cannot be met, or read, is ignored (RFC 7240, 2)."""
    if wait is not None:
        return wait
    preferred = preferred_wait(request.environ.get("HTTP_PREFER", ""))
    return 0 if preferred is None else min(preferred, LONGEST)


def wants_stream() -> bool:
    """Whether the feed is asked for as a stream, rather than as JSON."""
    accept = request.environ.get("HTTP_ACCEPT")
    return accept is not None and media_type(accept, "application/json", STREAM) == STREAM


@dataclass
class LongPolls:
    """Holds requests that ask for it, before the application does anything else with them."""

    service: Service
    process: Process

    def hold(self) -> Response | None:
        """304 if no news comes in time. None if the operation is to answer: with news, or because it does not wait."""
        environ = request.environ
        if "HTTP_PREFER" not in environ and not _may_wait(environ):
            return None
        operation = declared(request.endpoint)
        if operation is None or operation.polls is None or request.method not in ("GET", "HEAD"):
            return None
        query = _query(operation)
        if query is None or any(getattr(query, name, None) is not None for name in _PAST):
            return None
        if operation.polls.streams and wants_stream():
            return None
        seconds = _seconds(query.wait)
        if not seconds:
            return None
        with self.process.waiting_room.seat(environ[CLIENT]) as admitted:
            if not admitted:
                return None
            environ[WAITED] = seconds
            if "HTTP_PREFER" in environ:
                after_this_request(partial(_applied, seconds))
            known = environ.get("HTTP_IF_NONE_MATCH")
            if operation.polls.of is not None:
                return self._hold_for_revision(operation, operation.polls, query, known, seconds)
            if operation.polls.form is None:
                return self._hold_for_turns(known, seconds)
            return self._hold_for_game(operation.polls, operation.polls.form(query), known, seconds)

    def _hold_for_game(self, poll: Poll, form: str, known: str | None, seconds: int) -> Response | None:
        after = int(request.args["after"]) if "after" in request.args else None
        if known is None and after is None and not poll.asks:
            return None
        game: UUID = (request.view_args or {})["game"]
        asks = digest_of(bearer(request.environ)), game, digest_of(shown_invitation(request.environ))
        first = tag = ""
        found: GameCaller | None = None
        body: Body | None = None

        def is_news(caller: GameCaller) -> bool:
            """Whether there is, or nothing to wait for any more."""
            nonlocal tag, found
            found, tag = caller, tag_of(caller, form)
            if caller.status != "active" and (caller.status != "open" or poll.started):
                return True
            if known is not None:
                return not matches(known, tag)
            return tag != first if after is None else caller.version > after

        def look() -> GameCaller | None:
            nonlocal first
            with self.service.store.reading() as tables:
                caller = viewer(tables.caller(*asks), game)
                first = first or tag_of(caller, form)
                awaited = known is None and after is None and tables.awaits(game, caller.seat)
            return None if is_news(caller) or awaited else caller

        def look_again() -> GameCaller | None:
            nonlocal body
            caller = viewer(self.process.looks.caller(asks), game)
            if not is_news(caller):
                return caller
            body = self.service.kept.find(caller, tag)
            request.environ[SLOT].answered = body is not None
            return None

        def shares(caller: GameCaller) -> bool:
            """Whether others may have asked for the same answer."""
            return caller.seat is None and poll.shows is not None

        def sure(caller: GameCaller) -> bool:
            return not shares(caller) and watch.newer(max(caller.version, after or 0))

        with self.service.store.watch_game(game, asks[0], asks[2]) as watch:
            news = self._wait(watch, seconds, look, look_again, sure)
        if not news:
            return not_modified(tag) if known is not None else None
        if found is None or not shares(found) or (known is not None and matches(known, tag)):
            return None
        body = body or self.service.kept.find(found, tag)  # somebody else may have had it made meanwhile
        if body is None:
            return None
        content, headers = given(self.service.kept, found, tag, body, request.headers.get("Accept-Encoding", ""))
        return Response(content, headers=headers)

    def _hold_for_revision(
        self, operation: Operation, poll: Poll, query: Any, known: str | None, seconds: int
    ) -> Response | None:
        if known is None and (poll.later is None or "after" not in request.args):
            return None
        secret, path = bearer(request.environ), request.view_args or {}
        form, of, tag = "" if poll.form is None else poll.form(query), poll.of, ""
        assert of is not None
        is_news = False

        def thing() -> tuple[UUID, int]:
            nonlocal tag, is_news
            with self.service.store.reading() as tables:
                call = operation.admit(tables, secret, path)
                ident = of(call, **path)
                tag, revision = tag_of_revision(call, ident, form)
                if known is not None:
                    is_news = not matches(known, tag)
                else:
                    is_news = poll.later is not None and poll.later(call, query, **path)
            return ident, revision

        def look() -> int | None:
            _, revision = thing()
            return None if is_news else revision

        def look_again() -> int | None:
            with self.process.admission.slot(client_of(request.environ).queue_key, urgent=True):
                return look()

        with self.service.store.watch_revision(thing()[0]) as watch:
            news = self._wait(watch, seconds, look, look_again, lambda _: False)
        return None if news or known is None else not_modified(tag)

    def _hold_for_turns(self, known: str | None, seconds: int) -> Response | None:
        secret = need_bearer(bearer(request.environ))
        with self.service.store.reading() as tables:
            principal = authenticate(tables, secret)
        tag = ""

        def look() -> tuple[Principal, list[Waiting]] | None:
            nonlocal tag
            with self.service.store.reading() as tables:
                me, turns = turns_by_token(tables, secret)
            tag = tag_of_turns(me, turns)
            news = bool(turns) if known is None else not matches(known, tag)
            return None if news else (me, turns)

        def look_again() -> tuple[Principal, list[Waiting]] | None:
            with self.process.admission.slot(client_of(request.environ).queue_key, urgent=True):
                return look()

        with self.service.store.watch_player(principal.player, token_digest(secret)) as watch:
            news = self._wait(watch, seconds, look, look_again, lambda _: False)
        return not_modified(tag) if known is not None and not news else None

    def _wait(
        self,
        watch: Watch,
        seconds: float,
        look: Callable[[], T | None],
        look_again: Callable[[], T | None],
        sure: Callable[[T], bool],
    ) -> bool:
        """Look, and look again whenever the watch rings, until there is news (None) or the time is up. Returns whether
        there is news. `sure`: whether what rang is news without a look, for who has seen this. The request has its slot
        for `look`, and none for `look_again`."""
        until = time.monotonic() + seconds
        watch.listen()
        seen = look()
        if seen is None:
            return True
        self.process.presence.note(current_principal.get())
        with self.process.admission.released(request.environ[SLOT], client_of(request.environ).queue_key):
            while True:
                watch.seen = seen
                if not rung(watch, until, request.environ.get(CONNECTION)):
                    break
                if sure(seen):
                    return True
                watch.listen()
                seen = look_again()
                if seen is None:
                    return True
        return not watch.over and look() is None  # raises if the caller may not see it any more


def _applied(seconds: int, response: Response) -> Response:
    response.headers["Preference-Applied"] = f"wait={seconds}"
    return response


def rung(watch: Watch, until: float, connection: socket.socket | None) -> bool | None:
    """Whether the watch rings in time; None if the client disconnects meanwhile."""
    while (left := until - time.monotonic()) > 0 and not watch.over:
        if watch.wait(min(left, CHECK_SECONDS)):
            return True
        if _disconnected(connection):
            return None
    return False


def _disconnected(connection: socket.socket | None) -> bool:
    """Whether the client has closed its connection, as far as the server shows it."""
    if connection is None:
        return False
    if _TCP_INFO is not None and connection.family in (socket.AF_INET, socket.AF_INET6):
        with suppress(OSError):  # far cheaper than to poll
            return connection.getsockopt(socket.IPPROTO_TCP, _TCP_INFO, 1) != _ESTABLISHED
    readable = select.poll()
    try:
        readable.register(connection, select.POLLIN)
        return bool(readable.poll(0)) and not connection.recv(1, socket.MSG_PEEK)
    except OSError:
        return True
