"""Rematches of games that are over."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from msgspec import Struct

from holmgang.engine.turn import Seat


class Agreement(Struct, frozen=True):
    player: UUID
    expires_at: datetime


class Rematch(Struct, frozen=True):
    """Who wants to play a game again."""

    game: UUID
    """The one that is over."""
    agreed: list[Seat]
    """Seats of that game whose players have agreed. Built-in bots always have."""
    missing: list[Seat]
    """Seats of the others."""
    expires_at: datetime | None
    """When the first agreement ends; null without any."""
    next: UUID | None
    """The game that was made once all had agreed."""
