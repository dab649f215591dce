"""Players, their tokens, and who is calling."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from msgspec import Struct

from service.engine.turn import Seat

SCOPES = ("read", "play", "manage")
"""What a token may do: see what its player sees; play, join and create; give out and revoke tokens."""


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
