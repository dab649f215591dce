"""What one process of the service knows of its own work, and of the database."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from flask import current_app

from .admission import Admission, WaitingRoom
from .looks import Looks
from .presence import Presence

EXTENSION = "holmgang.process"

T = TypeVar("T")


class Cached(Generic[T]):
    """The answer of `ask`, at most `seconds` old, which is asked for once on behalf of all who want to know.

    /readyz has no budget and needs no slot, so that it can be asked under any load. It must neither slow the database
    down nor answer "not ready" because many ask at once: one request asks the database, and the others get its answer.
    """

    def __init__(self, ask: Callable[[], T], seconds: float) -> None:
        self._ask = ask
        self._seconds = seconds
        self._lock = threading.Lock()
        self._answer: T
        self._until = time.monotonic()

    def get(self) -> T:
        if time.monotonic() >= self._until:
            with self._lock:
                if time.monotonic() >= self._until:  # nobody else has asked while this one waited
                    self._answer = self._ask()
                    self._until = time.monotonic() + self._seconds
        return self._answer


@dataclass(frozen=True, slots=True)
class Process:
    """`admission` is for requests that are worked on, `waiting_room` for those that wait for news, `looks` for those
    that were woken, `exporting` for answers that take long to send. `ready`: whether the database can be used.
    `presence`: who was there."""

    admission: Admission
    waiting_room: WaitingRoom
    exporting: WaitingRoom
    ready: Cached[bool]
    looks: Looks
    presence: Presence


def process() -> Process:
    found: Process = current_app.extensions[EXTENSION]
    return found
