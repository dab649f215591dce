"""What one process of the service knows of its own work."""

from __future__ import annotations

from dataclasses import dataclass

from flask import current_app

from .admission import Admission, WaitingRoom
from .cached import Cached

EXTENSION = "holmgang.process"


@dataclass(frozen=True, slots=True)
class Process:
    """`admission` is for requests that are worked on, `waiting_room` for those that wait for news. `ready`: whether the
    database can be used."""

    admission: Admission
    waiting_room: WaitingRoom
    ready: Cached[bool]


def process() -> Process:
    found: Process = current_app.extensions[EXTENSION]
    return found
