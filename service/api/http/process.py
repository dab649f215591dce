"""What one process of the service knows of its own work: its line, its waiting room, its readiness."""

from __future__ import annotations

from dataclasses import dataclass

from flask import current_app

from .admission import Line
from .readiness import Readiness
from .room import Room

EXTENSION = "holmgang.process"


@dataclass(frozen=True, slots=True)
class Process:
    """`room` is for requests that wait, `line` for those that are worked on."""

    line: Line
    room: Room
    readiness: Readiness


def process() -> Process:
    found: Process = current_app.extensions[EXTENSION]
    return found
