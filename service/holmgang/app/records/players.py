"""Players, their tokens, and who is calling."""

from __future__ import annotations

from datetime import datetime
from enum import Enum
from typing import Literal, get_args
from uuid import UUID

from msgspec import Struct

from holmgang.engine.turn import Seat

Scope = Literal["read", "play", "manage"]
"""What a token may do: see what its player sees; play, join and create; give out and revoke tokens."""
SCOPES: tuple[Scope, ...] = get_args(Scope)


Kind = Literal["person", "bot"]


class Player(Struct, frozen=True):
    id: UUID
    name: str
    created_at: datetime
    kind: Kind = "person"
    """As the account says itself; a built-in bot's is `bot`."""
    bot: str | None = None
    """The built-in bot whose account this is, which is the house's; null for others."""
    owner: UUID | None = None
    """The player who registered this bot; null if nobody says whose it is."""
    deleted: bool = False
    """Whether the account was deleted. What it played stays, without its name."""


class FormerName(Struct, frozen=True):
    """What a player was called before."""

    name: str
    until: datetime


class Meetings(Struct, frozen=True):
    """So many finished games of two players that went alike: who sat where, and the result's ranking as JSON."""

    ruleset: str
    seat_count: int
    mine: tuple[Seat, ...]
    theirs: tuple[Seat, ...]
    ranking: str
    games: int


class Score(Struct, frozen=True, kw_only=True):
    """What a player has to show against another in the games of a ruleset."""

    ruleset: str
    games: int
    wins: int
    shared: int
    """Games in which both came in on the same rank."""
    losses: int


class Block(Struct, frozen=True):
    """A player whom another blocks."""

    player: UUID
    """The id of who is blocked."""
    name: str
    created_at: datetime


class Token(Struct, frozen=True):
    """A token without its secret."""

    id: UUID
    label: str
    scopes: tuple[str, ...]
    game: UUID | None
    """The one game that the token is limited to; null for all."""
    seat: Seat | None
    """The one seat that the token is limited to."""
    created_at: datetime
    expires_at: datetime | None
    """Null for never."""
    last_used_at: datetime | None
    """The hour (UTC) in which something was last asked for with it, told to its player alone. It is noted within a
    minute; null if no use was noted."""


class TokenFault(Enum):
    """Why a token is no good."""

    UNKNOWN = "unknown"
    EXPIRED = "expired"


class Principal(Struct, frozen=True):
    """Who is calling: a player by one of their tokens."""

    player: UUID
    token: UUID
    scopes: tuple[str, ...]
    game: UUID | None = None
    seat: Seat | None = None
