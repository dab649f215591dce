"""Games, their seats, and invitations to them. Times are aware UTC datetimes from the database."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from msgspec import Struct

from holmgang.engine.turn import Seat

from .ratings import RatingChange

Status = Literal["open", "active", "over", "archived"]
"""`archived`: nobody has touched it for long. It has started, or not, as it had before."""
Visibility = Literal["public", "private"]
ClockForm = Literal["waits", "runs"]


class SeatClock(Struct, frozen=True, kw_only=True):
    """The clock of one seat, in a game with time banks or leave. It runs while its player owes a choice; built-in bots
    and stand-ins spend nothing. What is left at any time is what is told here less the time since `since`."""

    bank_ms: int | None
    """Milliseconds in the bank, at the time of `since` while the clock runs. Null in a game without banks."""
    turn_ms: int | None
    """Milliseconds left of `turn_seconds`, at the time of `since`. Null without it, and while the clock stands."""
    since: datetime | None
    """Since when the clock runs; null while it stands. Of a seat on leave it lies in the future: the clock runs from
    then on if its player is not back before."""
    deadline: datetime | None
    """When bank or turn are used up, whichever is first. Null while the clock stands."""
    leave_ms: int
    """Milliseconds of leave that the player has left, at the time of `on_leave_since` while they are on leave."""
    on_leave_since: datetime | None
    """Since when the player is on leave, which ends by itself once `leave_ms` are over. Null while they are not."""


class SeatHolder(Struct, frozen=True):
    seat: Seat
    player: UUID
    name: str
    taken_at: datetime
    resigned_at: datetime | None
    entropy: bytes | None
    bot: str | None
    absent_since: datetime | None


class Result(Struct, frozen=True, kw_only=True):
    winners: list[Seat]
    ranking: list[list[Seat]]
    """Seats, best first; those of a group are equal."""
    scores: list[int]
    """One a seat."""
    reason: str
    """Why the game ended: a code of the ruleset."""


class GameFacts(Struct, frozen=True, kw_only=True):
    """What clients see of a game as it is stored."""

    id: UUID
    ruleset: str
    ruleset_version: str
    status: Status
    """Nothing happened in an `archived` game for long: it can be read, nobody is awaited, and it is `open` or `active`
    again when a player returns to it (`/seats/{seat}/return`)."""
    visibility: Visibility
    spectators: bool
    options: dict[str, Any]
    creator: UUID
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    version: int
    """The number of the game's last event."""
    turn: int
    """The current turn; 0 before the start."""
    kind: str | None
    """The kind of choice that the turn asks for."""
    awaited: tuple[Seat, ...] = ()
    """Seats that owe a choice now."""
    turn_seconds: int | None
    """How long a turn may take; null for no limit."""
    bank_seconds: int | None
    """The time that each seat has for all of its choices together; null for no limit."""
    increment_seconds: int | None
    """What each choice adds to its seat's bank."""
    leave_days: int | None
    """For how long in all each player may go on leave; null for not at all."""
    clocks: tuple[SeatClock, ...] | None
    """One a seat; null in a game without time banks or leave."""
    absence: str
    """What happens to a player who misses a deadline."""
    clock: ClockForm
    """What a deadline does when only bots and absent players are left to wait. `waits`: the clock stops until somebody
    chooses or returns. `runs`: the turn ends as among people."""
    deadline: datetime | None
    """When the first of the awaited seats is late. Null if there is no limit, and while the clock stands still."""
    practice: bool
    """Whether its creator may look as any seat."""
    rated: bool
    """Whether its result changes the ratings of its players."""
    tournament: UUID | None = None
    """The tournament whose game it is; null for others."""


class Game(GameFacts, frozen=True, kw_only=True):
    """A game as it is stored. `seed` and `head` are None until the game is over."""

    seat_count: int
    result: Result | None
    commitment: bytes
    seed: bytes | None
    head: bytes | None
    rated_at: datetime | None
    holders: tuple[SeatHolder, ...] = ()
    rating_changes: tuple[RatingChange, ...] | None = None


class Invitation(Struct, frozen=True):
    """An invitation to a private game, without its secret."""

    id: UUID
    game: UUID
    seat: Seat | None
    """The one seat that it is for; null for any."""
    uses: int
    """How many seats may be held by it."""
    used: int
    """How many seats are held by it."""
    created_at: datetime
    expires_at: datetime | None
    """Null for never."""
