"""Who is there."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from msgspec import Struct

from holmgang.engine.turn import Seat


class Sight(Struct, frozen=True):
    """When a player was last there."""

    player: UUID
    hides: bool
    """They do not want it told."""
    here: bool
    """Within the last two minutes."""
    minute: datetime | None
    """None if it was never noted."""


class SeatPresence(Struct, frozen=True, kw_only=True):
    seat: Seat
    status: Literal["here", "away", "hidden"]
    """`here` for who asked the service for something within two minutes or so, and for built-in bots."""
    away_since: datetime | None
    """The minute in which they were last there; null for who is not away, and if it is not known."""


class Presence(Struct, frozen=True, kw_only=True):
    game: UUID
    seats: list[SeatPresence]
    """Those that are taken."""
