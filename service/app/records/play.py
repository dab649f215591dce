"""What a game under way leaves: receipts, events, combats, the log, and what waits for whom."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from msgspec import Struct

from service.engine.turn import Seat


class Submission(Struct, frozen=True, kw_only=True):
    """A receipt, at its latest revision. `applied` once its turn is resolved, `sealed` before."""

    id: UUID
    game: UUID
    turn: int
    kind: str
    seat: Seat
    revision: int
    action: str
    received_at: datetime
    state: str


class Event(Struct, frozen=True, kw_only=True):
    """One line of a game's feed, for one viewer: `payload` is JSON text. `turn` is the turn it happened in."""

    seq: int
    at: datetime
    turn: int
    payload: str


class CombatRow(Struct, frozen=True, kw_only=True):
    """A combat resolution: `record` is JSON text."""

    number: int
    status: str
    turn: int
    opened_at: datetime
    resolved_at: datetime | None
    record: str


class LogRow(Struct, frozen=True, kw_only=True):
    """A row of the log: `entry` is JSON text."""

    seq: int
    at: datetime
    entry: str
    state_hash: bytes
    row_hash: bytes


class Waiting(Struct, frozen=True, kw_only=True):
    """A turn that waits for a player."""

    game: UUID
    ruleset: str
    seat: Seat
    turn: int
    kind: str
    since: datetime
    deadline: datetime | None


class Task(Struct, frozen=True, kw_only=True):
    """A choice that the service itself is to make, in a game of `creator`: by a built-in bot, or by the rules' default
    (`default`)."""

    game: UUID
    creator: UUID
    seat: Seat
    turn: int
    by: str


class Beat(Struct, frozen=True, kw_only=True):
    """What a worker's look at the pulse came to. `outage`: seconds for which there was none, below 0 where the clock
    was set back. While it is not `finished`, deadlines are to be put off: those that are not after `below`; where that
    is None all have been gone through, and the rest were held by others."""

    outage: float = 0.0
    finished: bool = True
    below: datetime | None = None
