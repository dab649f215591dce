"""What is shown of a game as bytes, made once for all spectators who ask for the same.

An answer is kept under its game and its tag. The tag says all that the answer depends on, so that whoever is given what
was kept gets what a client that names the tag has already. Who calls, what they may see, and with it the tag, is asked
of the database for every request before. What seats see is never kept: hidden things are not here to be mixed up.
"""

from collections import OrderedDict
from collections.abc import Callable
from datetime import datetime, timedelta
from threading import Lock
from time import monotonic
from typing import NamedTuple
from uuid import UUID

from holmgang.app.records.contexts import GameCaller
from holmgang.engine.codec import encode_json
from holmgang.negotiation import takes_gzip
from holmgang.representation import QUICK, SMALLEST, gzipped

MOST_BYTES = 16_000_000
"""How much one process keeps."""
SECONDS = 10.0
"""How long, so that a database that was set back shows its own state soon. Those who wait for the same news come
together."""
_BESIDE = 700
"""Bytes that keeping one takes besides its content."""


class Body(NamedTuple):
    """The bytes of an answer, with the time between `head` and `tail` if it tells that: `at` by the database's clock,
    when this process's showed `read` seconds."""

    head: bytes
    tail: bytes = b""
    at: datetime | None = None
    read: float = 0.0

    @property
    def content(self) -> bytes:
        if self.at is None:
            return self.head
        return self.head + encode_json(self.at + timedelta(seconds=monotonic() - self.read)) + self.tail


def body_with_time(content: bytes, name: str, at: datetime) -> Body:
    """A JSON object whose member `name` is the time `at`."""
    before = f'"{name}":'.encode()
    head, _, tail = content.partition(before + encode_json(at))
    return Body(head + before, tail, at, monotonic())


def unhidden(caller: GameCaller) -> bool:
    """Whether what the caller sees of their game is hidden from nobody, and may be compressed with what others say."""
    return caller.seat is None or caller.status == "over"


class Shown(NamedTuple):
    """What a request is to be shown of a game. `there`: whether there is something that a client could have already."""

    caller: GameCaller
    tag: str
    there: bool
    make: Callable[[], Body]


class KeptBodies:
    """The answers to spectators that were asked for last, up to so many bytes, each for so many seconds."""

    def __init__(self, most: int = MOST_BYTES, seconds: float = SECONDS) -> None:
        self.most = most
        self.seconds = seconds
        self._kept: OrderedDict[tuple[UUID, str], tuple[float, Body]] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def find(self, caller: GameCaller, tag: str) -> Body | None:
        """What was kept of the answer with this tag; None unless the caller is a spectator."""
        if caller.seat is not None:
            return None
        key = caller.game, tag
        with self._lock:
            found = self._kept.get(key)
            if found is None:
                return None
            until, body = found
            if monotonic() >= until:
                self._drop(key)
                return None
            self._kept.move_to_end(key)
            return body

    def body(self, shown: Shown) -> Body:
        """The answer: as it was kept, or else made now."""
        found = self.find(shown.caller, shown.tag)
        if found is None:
            found = shown.make()
            if shown.caller.seat is None:
                self._keep((shown.caller.game, shown.tag), found)
        return found

    def written(self, caller: GameCaller, tag: str, body: Body, accept_encoding: str) -> tuple[bytes, bool]:
        """The bytes to send, and whether they are compressed, as they are where everyone may see all of it."""
        content = body.content
        if len(content) < SMALLEST or not unhidden(caller) or not takes_gzip(accept_encoding):
            return content, False
        if body.at is not None:  # other bytes each time
            return gzipped(content, QUICK), True
        packed = self.body(Shown(caller, f"{tag} packed", True, lambda: Body(gzipped(content, QUICK))))
        return packed.content, True

    def _keep(self, key: tuple[UUID, str], body: Body) -> None:
        with self._lock:
            self._drop(key)
            self._kept[key] = monotonic() + self.seconds, body
            self._size += _size(body)
            while self._size > self.most:
                self._drop(next(iter(self._kept)))

    def _drop(self, key: tuple[UUID, str]) -> None:
        found = self._kept.pop(key, None)
        if found is not None:
            self._size -= _size(found[1])


def _size(body: Body) -> int:
    return _BESIDE + len(body.head) + len(body.tail)
