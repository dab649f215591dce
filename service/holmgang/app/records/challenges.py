"""Challenges: a player asks others for a game."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from msgspec import Struct

from holmgang.engine.turn import Seat

from .terms import Terms

ChallengeStatus = Literal["pending", "accepted", "declined", "withdrawn", "expired"]
"""`accepted` once everybody has accepted, and `declined` as soon as one has declined."""
Reason = Literal["later", "too_fast", "too_slow", "rated", "casual", "terms", "opponents", "other"]
"""Why a challenge is declined: not now, the time is too short or too long, the game is rated or not, its ruleset or
options, who else is to play, anything else."""


class Challenged(Struct, frozen=True):
    player: UUID
    name: str
    bot: str | None
    """The built-in bot whose account this is. It accepts at once."""
    answer: Literal["accepted", "declined"] | None
    """Null while there is none."""
    reason: Reason | None
    """Why they declined, if they said so."""


class Challenge(Struct, frozen=True):
    id: UUID
    challenger: UUID
    name: str
    """The challenger's."""
    seat: Seat | None
    """The challenger's seat; null if all seats are drawn."""
    terms: Terms
    status: ChallengeStatus
    created_at: datetime
    expires_at: datetime
    """When it ends if not everybody has accepted it by then."""
    ended_at: datetime | None
    """Since when it is not pending any more."""
    game: UUID | None
    """The game that was made of it."""
    players: tuple[Challenged, ...] = ()
    """Who is challenged, as the challenger named them."""
