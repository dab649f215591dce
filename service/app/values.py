"""The records that pass between the application and its ports. Times are aware UTC datetimes from the database."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import Struct

from service.engine.turn import Seat

SCOPES = ("read", "play", "manage")
"""What a token may do: see what its player sees; play, join and create; give out and revoke tokens."""


ARCHIVED = "archived"
"""The status of a game that nobody has touched for long. It has started, or not, as it had before."""


class Player(Struct, frozen=True):
    id: UUID
    name: str
    created_at: datetime


class Token(Struct, frozen=True):
    """A token without its secret. `game` and `seat` limit it to one seat, if set."""

    id: UUID
    label: str
    scopes: tuple[str, ...]
    game: UUID | None
    seat: Seat | None
    created_at: datetime
    expires_at: datetime | None


class Principal(Struct, frozen=True):
    """Who is calling: a player by one of his tokens."""

    player: UUID
    token: UUID
    scopes: tuple[str, ...]
    game: UUID | None = None
    seat: Seat | None = None


class SeatHolder(Struct, frozen=True):
    seat: Seat
    player: UUID
    name: str
    taken_at: datetime
    resigned_at: datetime | None
    entropy: bytes | None
    bot: str | None
    absent_since: datetime | None


class Game(Struct, frozen=True, kw_only=True):
    """A game's public facts. `seed` is None until the game is over; `version` counts its events."""

    id: UUID
    ruleset: str
    ruleset_version: str
    status: str
    visibility: str
    spectators: bool
    seat_count: int
    options: dict[str, Any]
    creator: UUID
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    version: int
    turn: int
    kind: str | None
    result: dict[str, Any] | None
    commitment: bytes
    seed: bytes | None
    head: bytes | None
    turn_seconds: int | None
    absence: str
    deadline: datetime | None
    practice: bool
    rated: bool
    rated_at: datetime | None
    holders: tuple[SeatHolder, ...] = ()
    awaited: tuple[Seat, ...] = ()
    rating_changes: tuple[RatingChange, ...] | None = None


class Belief(Struct, frozen=True):
    """How strong an account is believed to be in a ruleset: a mean and a deviation, on the model's own scale."""

    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """What the account is better than almost certainly; leaderboards are sorted by it."""
        return self.mu - 3 * self.sigma


class Rating(Struct, frozen=True, kw_only=True):
    """What an account has shown in the rated games of a ruleset."""

    mu: float
    sigma: float
    games: int
    wins: int

    @property
    def belief(self) -> Belief:
        return Belief(self.mu, self.sigma)


class RatingChange(Struct, frozen=True, kw_only=True):
    """What a rated game did to the rating of a seat's account. Partners share a `side`, equal sides a `rank`."""

    seat: Seat
    player: UUID
    side: int
    rank: int
    before: Belief
    after: Belief


class Standing(Struct, frozen=True, kw_only=True):
    """A line of a leaderboard. `bot`: the built-in bot whose account it is."""

    player: UUID
    name: str
    bot: str | None
    rating: Rating


class Beat(Struct, frozen=True, kw_only=True):
    """What a worker's look at the pulse came to. `outage`: seconds for which there was none, below 0 where the clock
    was set back. While it is not `finished`, deadlines are to be put off: those that are not after `below`; where that
    is None all have been gone through, and the rest were held by others."""

    outage: float = 0.0
    finished: bool = True
    below: datetime | None = None


class Scene(Struct, frozen=True):
    """All that is needed to show a game, from one row. `state` is None where the snapshot was thrown away.

    `state` stands where the log stands: `pending` holds the sealed choices of the current turn that it does not yet
    contain, as a JSON list of [seat, action], in seat order. `writes` grows with every change, noticeable or not.
    """

    game: UUID
    ruleset: str
    ruleset_version: str
    status: str
    seat_count: int
    options: dict[str, Any]
    version: int
    writes: int
    turn: int
    kind: str | None
    state: bytes | None
    pending: str
    entries: int
    deadline: datetime | None

    @property
    def started(self) -> bool:
        return self.entries > 0


class Desk(Scene, frozen=True):
    """All that a move needs to know of its game, from the same row: among it what decides all chance to come, which is
    not even read to show a game. `late`: the turn's deadline has passed, by the database's clock.
    """

    draws: int
    seed: bytes
    entropy: bytes
    head: bytes
    absence: str
    rated: bool
    late: bool


class Sight(Struct, frozen=True, kw_only=True):
    """A game as its caller finds it, read at one moment: all that a view is made of."""

    caller: Caller
    scene: Scene


class Approach(Struct, frozen=True, kw_only=True):
    """Whoever comes to a game's desk, read at one moment: all that a move is made from."""

    caller: Caller
    desk: Desk


class TurnSight(Sight, frozen=True, kw_only=True):
    """With it all that the answer to "what is asked now?" is made of, `now` by the database's clock.

    `last` is the log's last row of an earlier turn with the seats that made a submission to it; `chosen` are those that
    made one to the current turn, `own` is the id of the caller's.
    """

    now: datetime
    last: tuple[int, datetime, str, frozenset[Seat]] | None
    chosen: frozenset[Seat]
    own: UUID | None


class Caller(Struct, frozen=True, kw_only=True):
    """A caller's standing in one game, enough to answer a conditional poll. `revision` counts what he alone notices;
    `absent`: the service plays for the seat until its player returns."""

    principal: Principal | None
    game: UUID
    status: str
    spectators: bool
    version: int
    turn: int
    seat: Seat | None
    revision: int
    seat_count: int
    practice: bool
    creator: UUID
    absent: bool
    ruleset: str

    @property
    def started(self) -> bool:
        """Whether the game has."""
        return self.turn > 0


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


class Invitation(Struct, frozen=True):
    """To a private game, without its secret: good for so many `uses`, on one `seat` or on any. `used` counts the seats
    that are held by it now."""

    id: UUID
    game: UUID
    seat: Seat | None
    uses: int
    used: int
    created_at: datetime
    expires_at: datetime | None


class Webhook(Struct, frozen=True):
    """Where a player wants to be told of `events`. `old_until`: how long the secret before signs as well. `held_until`:
    until when the receiver asked for nothing new. `gone_at`: when it asked for nothing any more."""

    id: UUID
    player: UUID
    url: str
    events: list[str]
    active: bool
    created_at: datetime
    old_until: datetime | None
    held_until: datetime | None
    gone_at: datetime | None


class Delivery(Struct, frozen=True):
    """A message to a webhook: `pending`, `delivered`, or `dead` after the last attempt."""

    id: UUID
    type: str
    state: str
    attempts: int
    created_at: datetime
    next_at: datetime
    last_at: datetime | None
    last_status: int | None
    last_error: str | None


class Outgoing(Struct, frozen=True):
    """A message to be sent now to a webhook of `player`; `attempts` counts this one."""

    message: UUID
    player: UUID
    url: str
    secrets: tuple[str, ...]
    body: str
    attempts: int


class LogRow(Struct, frozen=True, kw_only=True):
    """A row of the log: `entry` is JSON text."""

    seq: int
    at: datetime
    entry: str
    state_hash: bytes
    row_hash: bytes


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
    a `late` change is made after the deadline. `stopped` says that the turn has no deadline any more. `at` is the time
    of all of it; None: the moment at which it is written.
    """

    game: UUID
    writes: int
    status: str
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
    result: dict[str, Any] | None
    submission: NewSubmission | None
    noticed_by: Seat | None = None
    resigned: Seat | None = None
    gone: tuple[Seat, ...] = ()
    absent: tuple[Seat, ...] = ()
    late: bool = False
    stopped: bool = False
    at: datetime | None = None
