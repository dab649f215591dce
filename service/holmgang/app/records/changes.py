"""What a step does to a game."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from msgspec import Struct

from holmgang.engine.turn import Seat

from .games import Result, Status


class NewEvent(Struct, frozen=True):
    """`public` is what everyone may see, JSON text; `private` maps seats that may see more to their JSON value."""

    turn: int
    public: str
    private: str | None = None


class NewSubmission(Struct, frozen=True, kw_only=True):
    id: UUID
    turn: int
    kind: str
    seat: Seat
    revision: int
    action: str


class Change(Struct, frozen=True, kw_only=True):
    """What one step does to a game, written whole or not at all, if `writes` is still what it was.

    `entry`, `state_hash` are None while a sealed turn is unresolved. `asked` are the seats awaited from now on.
    `resigned` is the seat that gave up, `gone` it and its partners; `absent` are those who let the deadline pass. Only
    a `late` change is made after the deadline. `stopped` says that the turn has no deadline any more. `stops` are the
    seats whose running clocks stop, where seats have clocks; each bank that is charged by it adds an event before
    `events`, which `version` counts. `at` is the time of all of it; None: the moment at which it is written.
    """

    game: UUID
    writes: int
    status: Status
    turn: int
    kind: str | None
    state: bytes | None
    pending: str
    version: int
    entries: int
    draws: int
    head: bytes
    entry: str | None
    state_hash: bytes | None
    events: tuple[NewEvent, ...]
    combats: tuple[tuple[int, str, str], ...]
    asked: tuple[Seat, ...]
    released: tuple[Seat, ...]
    result: Result | None
    submission: NewSubmission | None
    noticed_by: Seat | None = None
    resigned: Seat | None = None
    gone: tuple[Seat, ...] = ()
    absent: tuple[Seat, ...] = ()
    late: bool = False
    stopped: bool = False
    stops: tuple[Seat, ...] = ()
    at: datetime | None = None
