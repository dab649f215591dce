"""Games, their seats, and invitations to them. Times are aware UTC datetimes from the database."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import Struct

from service.engine.turn import Seat

from .ratings import RatingChange

ARCHIVED = "archived"
"""The status of a game that nobody has touched for long. It has started, or not, as it had before."""


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
