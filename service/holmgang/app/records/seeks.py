"""Seeks: players who wait for others to play with."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Literal
from uuid import UUID

from msgspec import Struct

from holmgang.engine.turn import Seat

from .players import Kind
from .ratings import Belief
from .terms import Terms

Wanted = Literal["people", "bots", "both"]
SeekStatus = Literal["waiting", "matched", "withdrawn", "expired"]


class Seek(Struct, frozen=True, kw_only=True):
    """A seek as its player sees it."""

    id: UUID
    player: UUID
    status: SeekStatus
    """`withdrawn`: by its player, or because another of theirs led to a game."""
    terms: Terms
    """On what terms. Options are those that were asked for."""
    seats: tuple[int, ...]
    """With how many at the table."""
    wanted: Wanted
    """Against whom."""
    rating_below: int | None
    """By how many points others may be weaker; null for any."""
    rating_above: int | None
    """By how many points others may be stronger; null for any."""
    rating_widens: int
    """By how many points both limits grow with each minute."""
    created_at: datetime
    expires_at: datetime
    game: UUID | None
    """Which it led to."""
    seat: Seat | None
    """Your seat there."""


class NewSeek(Struct, frozen=True, kw_only=True):
    """A seek to be kept. `games`: for each number of seats a digest of what would be played. It expires after so many
    `seconds`, or with its token."""

    id: UUID
    player: UUID
    token: UUID
    terms: Terms
    pool: str
    games: Mapping[int, str]
    wanted: Wanted
    rating_below: int | None
    rating_above: int | None
    rating_widens: int
    live: bool
    seconds: int


class SoughtGame(Struct, frozen=True, kw_only=True):
    """A line of the lobby: what everybody may know of a seek. `belief` is None for who has no rating yet."""

    id: UUID
    player: UUID
    name: str
    kind: Kind
    belief: Belief | None
    terms: Terms
    seats: tuple[int, ...]
    wanted: Wanted
    created_at: datetime
    expires_at: datetime


class Seeking(Struct, frozen=True, kw_only=True):
    """A waiting seek as it is matched. `waited` is in seconds."""

    id: UUID
    player: UUID
    kind: Kind
    belief: Belief | None
    live: bool
    tried: bool
    seats: tuple[int, ...]
    games: tuple[str, ...]
    wanted: Wanted
    rating_below: int | None
    rating_above: int | None
    rating_widens: int
    waited: float


class EndedSeek(Struct, frozen=True):
    id: UUID
    player: UUID
