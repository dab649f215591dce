"""The feed of a game as server-sent events (HTML Living Standard, 9.2)."""

import re
import time
from collections.abc import Iterator
from uuid import UUID

from flask import Response, request

from holmgang.api.operation.answers import PRIVATE, nothing
from holmgang.api.operation.gate import Call
from holmgang.api.operation.service import service
from holmgang.api.operation.showing import Body, Shown
from holmgang.app.access import view_as, viewer
from holmgang.app.accounts.tokens import digest_of
from holmgang.app.errors import Refusal
from holmgang.app.reading import queries
from holmgang.app.records.contexts import GameCaller
from holmgang.engine.codec import encode_json
from holmgang.engine.turn import Seat

from .callers import client_of
from .process import process
from .waiting import CONNECTION, STREAM, rung

HEARTBEAT_SECONDS = 15.0
_BATCH = 200
_NUMBER = re.compile("[0-9]{1,18}")
ENDED = ("over", "archived")
"""The statuses of games after which no event follows."""


def stream(call: Call, game: UUID, after: int, seat: Seat | None) -> Response:
    """The events after `after`, or after the request's Last-Event-ID, and all that follow until the game ends or is
    archived. With a `seat` they are shown as to that seat.

    204 if the client has them all already: an EventSource connects again whenever a stream ends, and 204 tells it to
    stop (HTML Living Standard, 9.2.3).
    """
    headers = {**PRIVATE, "Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    caller, last = call.here, request.headers.get("Last-Event-ID", "")
    if _NUMBER.fullmatch(last):
        after = int(last)
        if caller.status in ENDED and after >= caller.version:
            return nothing(headers)
    store, kept, at_work, client = service().store, service().kept, process(), client_of(request.environ)
    connection, asks = request.environ.get(CONNECTION), (digest_of(call.secret), game, digest_of(call.invitation))

    def next_lines(caller: GameCaller, after: int) -> tuple[bytes, int]:
        """Some events after `after`, and the number of the last. Spectators read the same, so that it is kept."""
        form = f"lines {after} {caller.version}"
        if (body := kept.find(caller, form)) is not None:
            return body.content, caller.version
        with at_work.admission.slot(client.queue_key, urgent=True):
            if (body := kept.find(caller, form)) is not None:  # somebody else was first
                return body.content, caller.version
            with store.reading() as tables:
                found = queries.events(tables, caller, after, _BATCH)
            body = Body(b"".join(b"id: %d\ndata: %s\n\n" % (event.seq, encode_json(event)) for event in found))
            last = found[-1].seq if found else after
            return (
                kept.body(Shown(caller, form, True, lambda: body)) if last == caller.version else body
            ).content, last

    def lines(after: int) -> Iterator[bytes]:
        with (
            at_work.waiting_room.seat(client) as admitted,
            store.watch_game(game, asks[0], asks[2]) as watch,
        ):
            # Without room to wait the client gets what there is, and comes back after a while.
            yield b"retry: 2000\n\n" if admitted else b"retry: 10000\n\n"
            beat = time.monotonic() + HEARTBEAT_SECONDS
            sent = False
            while True:
                watch.listen()
                try:
                    caller = view_as(viewer(at_work.looks.caller(asks), game), seat)
                    while after < caller.version:
                        chunk, last = next_lines(caller, after)
                        if last == after:
                            break
                        sent, after = True, last
                        beat = time.monotonic() + HEARTBEAT_SECONDS
                        yield chunk
                except Refusal:
                    return  # a token that is no longer good, a database that is away: the client connects anew
                if caller.status in ENDED:
                    # A client that began at the end has no id yet to come back with.
                    yield b"event: end\ndata: {}\n\n" if sent else b"id: %d\nevent: end\ndata: {}\n\n" % after
                    return
                if not admitted or watch.over:
                    return
                watch.seen = caller
                # By the clock, whatever rang meanwhile: others must not notice that a sealed choice was replaced.
                news = rung(watch, beat, connection)
                if news is None:
                    return
                if not news:
                    beat += HEARTBEAT_SECONDS
                    yield b": still here\n\n"

    return Response(lines(after), mimetype=STREAM, headers=headers)
