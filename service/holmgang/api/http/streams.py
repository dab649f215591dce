"""Feeds as server-sent events (HTML Living Standard, 9.2): of a game, or of anything else whose events are numbered."""

import re
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Any, NamedTuple
from uuid import UUID

from flask import Response, request

from holmgang.api.operation.answers import PRIVATE, nothing
from holmgang.api.operation.gate import Call
from holmgang.api.operation.service import service
from holmgang.api.operation.showing import Body, Shown
from holmgang.app.access import view_as, viewer
from holmgang.app.accounts.tokens import current_principal, digest_of
from holmgang.app.errors import Refusal
from holmgang.app.ports import Watch
from holmgang.app.reading import queries
from holmgang.app.records.contexts import GameCaller
from holmgang.engine.codec import encode_json
from holmgang.engine.turn import Seat

from .callers import client_of
from .process import process
from .waiting import CONNECTION, STREAM, rung

HEARTBEAT_SECONDS = 15.0
BATCH = 200
"""Events that are read at a time."""
_NUMBER = re.compile("[0-9]{1,18}")
ENDED = ("over", "archived")
"""The statuses of games after which no event follows."""


class Seen(NamedTuple):
    """What a feed has come to: `of` is what the watch compares, `last` the number of the last event, and `over`
    whether none follows."""

    of: Any
    last: int
    over: bool


class Feed(NamedTuple):
    """What is streamed: how one hears of changes, what is seen then (Refusal if that is for the caller no more), and
    some lines after a number, with that of the last event in them."""

    watch: Callable[[], AbstractContextManager[Watch]]
    look: Callable[[], Seen]
    lines: Callable[[Seen, int], tuple[bytes, int]]


def lines_of(events: Iterable[Any]) -> bytes:
    """Events with a `seq`, as messages."""
    return b"".join(b"id: %d\ndata: %s\n\n" % (event.seq, encode_json(event)) for event in events)


def stream(call: Call, game: UUID, after: int, seat: Seat | None) -> Response:
    """The events of a game; with a `seat` they are shown as to that seat. It ends when the game ends or is archived."""
    store, kept, at_work, client = service().store, service().kept, process(), client_of(request.environ)
    asks = digest_of(call.secret), game, digest_of(call.invitation)

    def seen(caller: GameCaller) -> Seen:
        return Seen(caller, caller.version, caller.status in ENDED)

    def look() -> Seen:
        return seen(view_as(viewer(at_work.looks.caller(asks), game), seat))

    def next_lines(there: Seen, after: int) -> tuple[bytes, int]:
        """Spectators read the same, so that it is kept."""
        caller: GameCaller = there.of
        form = f"lines {after} {caller.version}"
        if (body := kept.find(caller, form)) is not None:
            return body.content, caller.version
        with at_work.admission.slot(client.queue_key, urgent=True):
            if (body := kept.find(caller, form)) is not None:  # somebody else was first
                return body.content, caller.version
            with store.reading() as tables:
                found = queries.events(tables, caller, after, BATCH)
            body = Body(lines_of(found))
            last = found[-1].seq if found else after
            return (
                kept.body(Shown(caller, form, True, lambda: body)) if last == caller.version else body
            ).content, last

    return streamed(Feed(lambda: store.watch_game(game, asks[0], asks[2]), look, next_lines), seen(call.here), after)


def streamed(feed: Feed, there: Seen, after: int) -> Response:
    """The events after `after`, or after the request's Last-Event-ID, and all that follow until the end.

    204 if the client has them all already: an EventSource connects again whenever a stream ends, and 204 tells it to
    stop (HTML Living Standard, 9.2.3).
    """
    headers = {**PRIVATE, "Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    given = request.headers.get("Last-Event-ID", "")
    if _NUMBER.fullmatch(given):
        after = int(given)
        if there.over and after >= there.last:
            return nothing(headers)
    at_work, client = process(), client_of(request.environ)
    connection, principal = request.environ.get(CONNECTION), current_principal.get()

    def lines(after: int) -> Iterator[bytes]:
        with at_work.waiting_room.seat(client) as admitted, feed.watch() as watch:
            # Without room to wait the client gets what there is, and comes back after a while.
            yield b"retry: 2000\n\n" if admitted else b"retry: 10000\n\n"
            beat = time.monotonic() + HEARTBEAT_SECONDS
            sent = False
            while True:
                watch.listen()
                try:
                    there = feed.look()
                    at_work.presence.note(principal)
                    while after < there.last:
                        chunk, last = feed.lines(there, after)
                        if last == after:
                            break
                        sent, after = True, last
                        beat = time.monotonic() + HEARTBEAT_SECONDS
                        yield chunk
                except Refusal:
                    return  # a token that is no longer good, a database that is away: the client connects anew
                if there.over:
                    # A client that began at the end has no id yet to come back with.
                    yield b"event: end\ndata: {}\n\n" if sent else b"id: %d\nevent: end\ndata: {}\n\n" % after
                    return
                if not admitted or watch.over:
                    return
                watch.seen = there.of
                # By the clock, whatever rang meanwhile: others must not notice that a sealed choice was replaced.
                news = rung(watch, beat, connection)
                if news is None:
                    return
                if not news:
                    beat += HEARTBEAT_SECONDS
                    yield b": still here\n\n"

    return Response(lines(after), mimetype=STREAM, headers=headers)
