"""Requests that wait: `?wait=` and `Prefer: wait` (RFC 7240) hold a poll until there is news for the caller.

A waiting request looks once, and then only when it is woken; between looks it holds its connection, and nothing of the
database. Its answer is the one that a request without `wait` would get at that moment.
"""

from __future__ import annotations

import re
import select
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import UUID

from flask import Flask, Response, after_this_request, request
from marshmallow import ValidationError
from msgspec.structs import replace

from service.api.operation.costs import asked
from service.api.operation.declaration import Operation, Poll, declared
from service.api.operation.gate import bearer, need_bearer, shown_invitation
from service.api.operation.input import read_query
from service.api.problems.faults import InvalidRequest, MalformedRequest
from service.app.access import find_viewer
from service.app.accounts.tokens import authenticate, digest_of, token_digest
from service.app.ports import Store, Watch
from service.app.reading.queries import turns_by_token
from service.app.records.contexts import GameCaller
from service.app.records.play import Waiting
from service.app.records.players import Principal
from service.negotiation import matches, media_type, preferred_wait

from .admission import SLOT, Admission
from .callers import CLIENT, client_of
from .process import Process
from .tags import WAITED, not_modified, tag_of, tag_of_turns

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

LONGEST = 50
"""Seconds: below the time after which proxies commonly give up on a request."""

THERE_SECONDS = 5.0
"""How often it is seen to that the client of a request that waits is still there."""

_TCP_INFO, _ESTABLISHED = getattr(socket, "TCP_INFO", None), b"\x01"
"""On Linux (tcp(7)): what is known of a connection, and the first byte of that while neither side has closed it."""
CONNECTION = "gunicorn.socket"
"""Where the server shows the client's connection."""

_NEVER_WAITS = ("as_seat", "at")
"""Parameters that ask for something which no news can change."""
STREAM = "text/event-stream"
_PLAIN = re.compile(rb"wait=([1-9]|[1-4][0-9]|50)")


def polls(environ: WSGIEnvironment, operation: Operation) -> bool:
    """Whether a request is a poll: one that names what it has, or would wait. Whoever asks for the past does not
    poll."""
    if operation.polls is None or environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
        return False
    query = environ.get("QUERY_STRING", "")
    if query and operation.cost.at is not None and "at" in asked(query):
        return False
    if "HTTP_IF_NONE_MATCH" in environ or _may_wait(environ):
        return True
    return "HTTP_PREFER" in environ and preferred_wait(environ["HTTP_PREFER"]) is not None


def _may_wait(environ: WSGIEnvironment) -> bool:
    """Whether the query may ask for it: its letters may be written as `%77` too."""
    query = environ.get("QUERY_STRING", "")
    return "wait=" in query or "%" in query


def _query(operation: Operation) -> Any:
    """What the request asks for; None where the operation will refuse it, which it need not wait for."""
    if (plain := _PLAIN.fullmatch(request.query_string)) is not None:  # as most do, again and again
        return replace(operation.nothing_asked, wait=int(plain[1]))
    try:
        return operation.read(read_query(request.query_string))
    except (ValidationError, InvalidRequest, MalformedRequest):
        return None


def _seconds(wait: int | None) -> int:
    """How long the request may wait. A preference that cannot be met, or read, is none (RFC 7240, 2)."""
    if wait is not None:
        return wait
    preferred = preferred_wait(request.environ.get("HTTP_PREFER", ""))
    return 0 if preferred is None else min(preferred, LONGEST)


def wants_stream() -> bool:
    """Whether the feed is asked for as a stream, rather than as JSON."""
    accept = request.environ.get("HTTP_ACCEPT")
    return accept is not None and media_type(accept, "application/json", STREAM) == STREAM


def hold_requests(app: Flask, store: Store, process: Process) -> None:
    """Have requests that ask for it held before anything else is done with them."""

    def hold() -> Response | None:
        environ = request.environ
        if "HTTP_PREFER" not in environ and not _may_wait(environ):
            return None
        operation = declared(request.endpoint)
        if operation is None or operation.polls is None or request.method not in ("GET", "HEAD"):
            return None
        query = _query(operation)
        if query is None or any(getattr(query, name, None) is not None for name in _NEVER_WAITS):
            return None
        if operation.polls.streams and wants_stream():
            return None
        seconds = _seconds(query.wait)
        if not seconds:
            return None
        with process.waiting_room.seat(request.environ[CLIENT]) as admitted:
            if not admitted:
                return None
            environ[WAITED] = seconds
            if "HTTP_PREFER" in environ:
                after_this_request(partial(_applied, seconds))
            if operation.polls.form is None:
                return _hold_for_turns(store, process.admission, seconds)
            return _hold_for_game(store, process.admission, operation.polls, operation.polls.form(query), seconds)

    app.before_request(hold)


def _applied(seconds: int, response: Response) -> Response:
    response.headers["Preference-Applied"] = f"wait={seconds}"
    return response


def _wait(
    admission: Admission, watch: Watch, seconds: float, look: Callable[[], Any], floor: int | None = None
) -> bool:
    """Look, and look again whenever the watch rings, until `look` finds something to answer with (gives None) or the
    time is up; whether it did. That a game is beyond what was seen, and beyond `floor`, is news without a look."""
    until = time.monotonic() + seconds
    while True:
        watch.listen()
        seen = look()
        if seen is None:
            return True
        watch.seen = seen
        with admission.released(request.environ[SLOT], client_of(request.environ).queue_key):
            news = rung(watch, until, request.environ.get(CONNECTION))
        if not news:
            return not watch.over and look() is None  # which tells whoever may no longer see it
        if floor is not None and watch.newer(max(seen.version, floor)):
            return True


def rung(watch: Watch, until: float, connection: socket.socket | None) -> bool | None:
    """Whether the watch rings in time; None when the client has hung up, who is not waited for."""
    while (left := until - time.monotonic()) > 0 and not watch.over:
        if watch.wait(min(left, THERE_SECONDS)):
            return True
        if _hung_up(connection):
            return None
    return False


def _hung_up(connection: socket.socket | None) -> bool:
    """Whether the client has closed its connection, as far as the server shows it."""
    if connection is None:
        return False
    if _TCP_INFO is not None and connection.family in (socket.AF_INET, socket.AF_INET6):
        with suppress(OSError):  # far cheaper than to ask whether it can be read
            return connection.getsockopt(socket.IPPROTO_TCP, _TCP_INFO, 1) != _ESTABLISHED
    readable = select.poll()
    try:
        readable.register(connection, select.POLLIN)
        return bool(readable.poll(0)) and not connection.recv(1, socket.MSG_PEEK)
    except OSError:
        return True


def _hold_for_game(store: Store, admission: Admission, poll: Poll, form: str, seconds: int) -> Response | None:
    known = request.environ.get("HTTP_IF_NONE_MATCH")
    after = int(request.args["after"]) if "after" in request.args else None
    if known is None and after is None and not poll.asks:
        return None
    secret, invitation = bearer(request.environ), shown_invitation(request.environ)
    game: UUID = (request.view_args or {})["game"]
    first = tag = ""

    def look() -> GameCaller | None:
        nonlocal first, tag
        with store.reading() as tables:
            caller = find_viewer(tables, secret, game, invitation)
            tag = tag_of(caller, form)
            first = first or tag
            if known is not None:
                news = not matches(known, tag)
            elif after is not None:
                news = caller.version > after
            else:
                news = tag != first or tables.awaits(game, caller.seat)
        still = caller.status == "active" or (caller.status == "open" and not poll.started)
        return None if news or not still else caller

    with store.watch_game(game, digest_of(secret), digest_of(invitation)) as watch:
        news = _wait(admission, watch, seconds, look, after or 0)
    return not_modified(tag) if known is not None and not news else None


def _hold_for_turns(store: Store, admission: Admission, seconds: int) -> Response | None:
    known = request.environ.get("HTTP_IF_NONE_MATCH")
    secret = need_bearer(bearer(request.environ))
    with store.reading() as tables:
        principal = authenticate(tables, secret)
    tag = ""

    def look() -> tuple[Principal, list[Waiting]] | None:
        nonlocal tag
        with store.reading() as tables:
            me, turns = turns_by_token(tables, secret)
        tag = tag_of_turns(me, turns)
        news = bool(turns) if known is None else not matches(known, tag)
        return None if news else (me, turns)

    with store.watch_player(principal.player, token_digest(secret)) as watch:
        news = _wait(admission, watch, seconds, look)
    return not_modified(tag) if known is not None and not news else None
