"""What a game under way leaves: receipts, events, combats, the log, and what waits for whom."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from holmgang.engine.legal import Legal
from holmgang.engine.rules import of_rules
from holmgang.engine.turn import Seat

from .games import Result, SeatClock, Status

ReceiptState = Literal["sealed", "applied"]


class Receipt(Struct, frozen=True, kw_only=True):
    """A submission that was accepted. `sealed` until its turn is resolved, then `applied`."""

    id: UUID
    game: UUID
    turn: int
    kind: str
    seat: Seat
    revision: int
    """Grows by one with each replacement."""
    action: Annotated[Raw, of_rules("Action")]
    received_at: datetime
    state: ReceiptState


class DryRun(Struct, frozen=True, kw_only=True):
    """The action would be accepted now; nothing has happened."""

    dry_run: Literal[True] = True
    turn: int
    seat: Seat
    kind: str
    action: Annotated[Any, of_rules("Action")]


HouseEventType = Literal[
    "game_created",
    "seat_taken",
    "seat_left",
    "game_started",
    "choice_sealed",
    "choice_defaulted",
    "seat_absent",
    "seat_forfeited",
    "clock_stopped",
    "seat_returned",
    "deadline_put_off",
    "bank_charged",
    "leave_begun",
    "leave_ended",
    "game_archived",
    "game_revived",
]


class HouseEvent(Struct, frozen=True, kw_only=True):
    """Events of the service itself: seats taken and left, start and archive, a sealed choice (never its content).

    `bank_charged` says what a seat has spent of its bank, what was added to it, and what is left: a bank is at any time
    what it was at the start, less all that was spent, plus all that was added. `leave_begun` says how much leave its
    player has left, after which it ends without an event.
    """

    type: HouseEventType
    seat: Seat | UnsetType = UNSET
    player: UUID | UnsetType = UNSET
    creator: UUID | UnsetType = UNSET
    bot: str | UnsetType = UNSET
    seats: int | UnsetType = UNSET
    spent_ms: int | UnsetType = UNSET
    added_ms: int | UnsetType = UNSET
    left_ms: int | UnsetType = UNSET


class Event(Struct, frozen=True, kw_only=True):
    seq: int
    """From 1, without gaps."""
    at: datetime
    turn: int
    """The turn in which it happened."""
    payload: Annotated[Raw, of_rules("Effect", HouseEvent)]
    """As the caller may see it; `type` says what it is."""


class Combat(Struct, frozen=True, kw_only=True):
    """A combat resolution. `record` is the ruleset's own account of it."""

    number: int
    """From 1, in the order in which the game's combats began."""
    status: Literal["open", "resolved", "abandoned"]
    """`abandoned` if the game ended before the combat."""
    turn: int
    opened_at: datetime
    resolved_at: datetime | None
    """Null unless it was resolved."""
    record: Annotated[Raw, of_rules("Combat")]


class LastTurn(Struct, frozen=True, kw_only=True):
    turn: int
    kind: str | None
    ended: Literal["played", "resigned"]
    defaulted: tuple[Seat, ...]
    """Seats that were played for: they did not choose in time, or their bot could not."""
    ended_at: datetime


class Turn(Struct, frozen=True, kw_only=True):
    """What the game asks now, and of whom."""

    game: UUID
    version: int
    """The number of the game's last event."""
    status: Status
    turn: int
    kind: str | None
    sealed: bool
    """Whether choices are kept secret until all are in."""
    awaited: tuple[Seat, ...]
    """Seats that owe a choice."""
    submitted: tuple[Seat, ...]
    """Seats whose sealed choice is in."""
    defaulted: tuple[Seat, ...]
    """Seats for which a sealed choice was made: absent ones, or those of bots that could not."""
    seat: Seat | None
    """The caller's seat; null for a spectator."""
    yours: bool
    """Whether the caller owes a choice."""
    submission: UUID | None
    """The caller's sealed submission to this turn."""
    context: dict[str, Any]
    """What the turn is about, such as the combat it belongs to."""
    legal: Legal | None
    last_turn: LastTurn | None
    deadline: datetime | None
    """When the turn ends by itself, by the clock of `server_time`; a later choice is refused as `stale_turn`. When only
    bots and absent players are left to wait, it is taken all the same unless the game's `clock` runs or its `absence`
    is `forfeit`. Where seats have clocks of their own, it is when the first of them is late; `clocks` has that of each.
    Null if the turn has no limit, and while the clock stands still."""
    clocks: tuple[SeatClock, ...] | None
    """One a seat; null in a game without time banks or leave."""
    server_time: datetime
    next_poll_ms: int
    """When to poll again without `wait`."""
    view: Annotated[Any, of_rules("View")] = UNSET
    """With `?include=view` once the game has begun."""


class LogEntry(Struct, frozen=True, kw_only=True, omit_defaults=True):
    turn: int
    kind: str | UnsetType = UNSET
    actions: list[Any] | UnsetType = UNSET
    """Pairs of seat and action, in the order they are played."""
    resigned: Seat | UnsetType = UNSET
    chance: list[Any] | UnsetType = UNSET
    """Pairs of label and value, in the order they are drawn."""


class LogLine(Struct, frozen=True, kw_only=True):
    seq: int
    entry: Annotated[Raw, Meta(extra={"holds": LogEntry})]
    state_hash: str
    """BLAKE2b-256 of the canonical state after this entry."""
    row_hash: str
    """BLAKE2b-256 that chains this row to all before it."""


class GameTime(Struct, frozen=True, kw_only=True):
    """How long players might think, and what was left to them in the end."""

    turn_seconds: int | None
    bank_seconds: int | None
    increment_seconds: int | None
    leave_days: int | None
    banks_ms: tuple[int, ...] | None
    """Milliseconds in each seat's bank at the end; null without banks."""


class GameRecord(Struct, frozen=True, kw_only=True):
    """All that is needed to play the game again, and to compare it with the commitment."""

    game: UUID
    ruleset: str
    version: str
    seats: int
    teams: tuple[tuple[Seat, ...], ...]
    options: dict[str, Any]
    terms: str
    """Canonical JSON of ruleset, version, seats and options: part of the commitment."""
    commitment: str
    seed: str
    entropy: list[str | None]
    """Hexadecimal, one a seat."""
    log: list[LogLine]
    head: str
    """The last row's hash."""
    result: Result
    time: GameTime | UnsetType = UNSET
    """Of a game with time banks or leave. Nothing follows from it, so nothing proves it; events tell how it was spent.
    """


class LogRow(Struct, frozen=True, kw_only=True):
    """A row of the log: `entry` is JSON text."""

    seq: int
    at: datetime
    entry: str
    state_hash: bytes
    row_hash: bytes


class Waiting(Struct, frozen=True, kw_only=True):
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
