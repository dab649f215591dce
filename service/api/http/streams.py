"""The feed of a game as server-sent events (HTML Living Standard, 9.2)."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Iterator
from uuid import UUID

from flask import Response, request

from service.api.operation.answers import PRIVATE, nothing
from service.api.operation.gate import Call
from service.api.operation.service import service
from service.app.access import find_viewer
from service.app.accounts.tokens import digest_of
from service.app.errors import Refusal
from service.app.ports import Store
from service.app.reading import queries
from service.app.records.games import ARCHIVED
from service.engine.codec import encode_json

from .callers import Client, client_of
from .process import Process, process
from .waiting import CONNECTION, STREAM, rung

HEARTBEAT_SECONDS = 15.0
_BATCH = 200
_NUMBER = re.compile("[0-9]{1,18}")
ENDED = ("over", ARCHIVED)
"""What a game is in whose feed nothing follows."""


def stream(call: Call, game: UUID, after: int) -> Response:
    """The events after `after`, or after the request's Last-Event-ID, and all that follow up to end or archive.

    204 where the request has all of them already: by that an EventSource, which otherwise connects anew whenever a
    stream ends, knows that it is the end (HTML Living Standard, 9.2.3).
    """
    headers = {**PRIVATE, "Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    caller, last = call.here, request.headers.get("Last-Event-ID", "")
    if _NUMBER.fullmatch(last):
        after = int(last)
        if caller.status in ENDED and after >= caller.version:
            return nothing(headers)
    connection = request.environ.get(CONNECTION)
    told = _told(
        service().store, process(), client_of(request.environ), call.secret, game, after, call.invitation, connection
    )
    return Response(told, mimetype=STREAM, headers=headers)


def _told(
    store: Store,
    process: Process,
    client: Client,
    secret: str | None,
    game: UUID,
    after: int,
    invitation: str | None,
    connection: socket.socket | None,
) -> Iterator[bytes]:
    """Whoever finds no room to wait is told what there is, and to come back in a while."""
    digests = digest_of(secret), digest_of(invitation)
    with process.room.seat(client) as admitted, store.watch_game(game, *digests) as watch:
        yield b"retry: 2000\n\n" if admitted else b"retry: 10000\n\n"
        beat = time.monotonic() + HEARTBEAT_SECONDS
        told = False
        while True:
            watch.listen()
            try:
                with process.line.place(client.turn, hurry=True), store.reading() as tables:
                    caller = find_viewer(tables, secret, game, invitation)
                    found = queries.events(tables, caller, after, _BATCH)
            except Refusal:
                return  # a token that is no longer good, a database that is away: the client connects anew
            for event in found:
                told, after = True, event.seq
                beat = time.monotonic() + HEARTBEAT_SECONDS
                yield b"id: %d\ndata: %s\n\n" % (event.seq, encode_json(event))
            if len(found) == _BATCH:
                continue
            if caller.status in ENDED:
                # Who began at the end has no id yet to come back with.
                yield b"event: end\ndata: {}\n\n" if told else b"id: %d\nevent: end\ndata: {}\n\n" % after
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
