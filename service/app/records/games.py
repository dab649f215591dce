"""Games, their seats, and invitations to them. Times are aware UTC datetimes from the database."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from msgspec import Meta, Struct

from service.engine.turn import Seat

from .ratings import RatingChange

ARCHIVED = "archived"
"""The status of a game that nobody has touched for long. It has started, or not, as it had before."""

Status = Literal["open", "active", "over", "archived"]
Visibility = Literal["public", "private"]


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
    """How a game ended. `winners` are the first group of the ranking."""

    winners: list[Seat]
    ranking: Annotated[list[list[Seat]], Meta(description="Seats, best first; those of a group are equal.")]
    scores: Annotated[list[int], Meta(description="One a seat.")]
    reason: Annotated[str, Meta(description="Why the game ended: a code of the ruleset.")]


class GameFacts(Struct, frozen=True, kw_only=True):
    """What clients see of a game as it is stored."""

    id: UUID
    ruleset: str
    ruleset_version: str
    status: Annotated[
        Status,
        Meta(
            description="An `archived` game was not touched for long: it can be read, nobody is awaited, and it is "
            "`open` or `active` again when a player returns to it (`/seats/{seat}/return`)."
        ),
    ]
    visibility: Visibility
    spectators: bool
    options: dict[str, Any]
    creator: UUID
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    version: Annotated[int, Meta(description="The number of the game's last event.")]
    turn: Annotated[int, Meta(description="The current turn; 0 before the start.")]
    kind: Annotated[str | None, Meta(description="What kind of choice the turn asks for.")]
    awaited: Annotated[tuple[Seat, ...], Meta(description="Seats that owe a choice now.")] = ()
    turn_seconds: Annotated[int | None, Meta(description="How long a turn may take; null for as long as it likes.")]
    absence: Annotated[str, Meta(description="What happens to who lets a deadline pass.")]
    deadline: Annotated[datetime | None, Meta(description="Of the current turn.")]
    practice: Annotated[bool, Meta(description="Whether its creator may look as any seat.")]
    rated: Annotated[bool, Meta(description="Whether its result changes the ratings of its players.")]


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
    seat: Annotated[Seat | None, Meta(description="The one seat that it is good for; null for any.")]
    uses: Annotated[int, Meta(description="How many seats may be held by it.")]
    used: Annotated[int, Meta(description="How many are.")]
    created_at: datetime
    expires_at: Annotated[datetime | None, Meta(description="Null for never.")]
