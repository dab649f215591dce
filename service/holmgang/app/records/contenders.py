"""How those stand who meet without rounds, in an arena or on a ladder."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from msgspec import Struct

from .ratings import Belief


class Contender(Struct, frozen=True, kw_only=True):
    """Where an entry stands, and what a pairing has to know of it, so that none reads all that was played."""

    entry: UUID
    bot: bool
    """Whether it is a built-in bot."""
    free_since: datetime | None
    """Null while they play, or are out."""
    points: float
    """Of an arena."""
    streak: int
    """How many tables in a row they have won."""
    games: int
    wins: int
    mu: float
    sigma: float
    tables: tuple[Sequence[str], ...]
    """The last ones, the last one last: entries as text, by place."""

    @property
    def belief(self) -> Belief:
        return Belief(self.mu, self.sigma)
