"""The feed of a game as server-sent events (HTML Living Standard, 9.2)."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import msgspec
from flask import Response, current_app, request

from service.app import queries
from service.app.errors import Refusal
from service.app.standing import watching
from service.app.values import ARCHIVED, Event

from .answering import PRIVATE, encode
from .calls import Service, service
from .waiting import CONNECTION, Room, caller_key, rung

ROOM = "holmgang.room"
HEARTBEAT_SECONDS = 15.0
_BATCH = 200
_NUMBER = re.compile("[0-9]{1,18}")


def event_answer(event: Event) -> dict[str, Any]:
    """An event as lists and streams give it."""
    return {"seq": event.seq, "at": event.at, "turn": event.turn, "payload": msgspec.Raw(event.payload.encode())}


def stream(secret: str | None, game: UUID, after: int, invitation: str | None) -> Response:
    """The events after `after`, or after the request's Last-Event-ID, and all that follow up to end or archive."""
    last = request.headers.get("Last-Event-ID", "")
    if _NUMBER.fullmatch(last):
        after = int(last)
    room: Room = current_app.extensions[ROOM]
    connection = request.environ.get(CONNECTION)
    told = _told(service(), room, caller_key(), secret, game, after, invitation, connection)
    headers = {**PRIVATE, "Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Response(told, mimetype="text/event-stream", headers=headers)


def _told(
    service: Service,
    room: Room,
    who: Any,
    secret: str | None,
    game: UUID,
    after: int,
    invitation: str | None,
    connection: socket.socket | None,
) -> Iterator[bytes]:
    """Whoever finds no room to wait is told what there is, and to come back in a while."""
    with room.seat(who) as admitted, service.store.watch_game(game) as watch:
        yield b"retry: 2000\n\n" if admitted else b"retry: 10000\n\n"
        beat = time.monotonic() + HEARTBEAT_SECONDS
        while True:
            watch.listen()
            try:
                with service.line.place(hurry=True), service.store.reading() as tables:
                    caller = watching(tables, secret, game, invitation)
                    found = queries.events(tables, caller, after, _BATCH)
            except Refusal:
                return  # a token that is no longer good, a database that is away: the client connects anew
            for event in found:
                after = event.seq
                beat = time.monotonic() + HEARTBEAT_SECONDS
                yield b"id: %d\ndata: %s\n\n" % (event.seq, encode(event_answer(event)))
            if len(found) == _BATCH:
                continue
            if caller.status in ("over", ARCHIVED):
                yield b"event: end\ndata: {}\n\n"
                return
            if not admitted or watch.over:
                return
            watch.seen = caller.version
            # By the clock, whatever rang meanwhile: others must not notice that a sealed choice was replaced.
            news = rung(watch, beat, connection)
            if news is None:
                return
            if not news:
                beat += HEARTBEAT_SECONDS
                yield b": still here\n\n"
