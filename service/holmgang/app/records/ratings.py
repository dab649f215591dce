"""How strong accounts are believed to be, and what games did to it."""

from __future__ import annotations

from datetime import date, datetime
from uuid import UUID

from msgspec import Struct

from holmgang.engine.turn import Seat


class Belief(Struct, frozen=True):
    """How strong an account is believed to be in a ruleset: a mean and a deviation, on the model's own scale."""

    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """What the account is better than almost certainly; leaderboards are sorted by it."""
        return self.mu - 3 * self.sigma


class Rating(Belief, frozen=True, kw_only=True):
    """What an account has shown in the rated games of a ruleset."""

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


class RatingPoint(Struct, frozen=True, kw_only=True):
    """What a rated game made of an account's rating."""

    number: int
    """The game's place in the order in which the ruleset's games were counted."""
    at: datetime
    """When it was counted, moments after its end."""
    game: UUID
    rank: int
    """Of the account's side in the game, from 1."""
    after: Belief


class Listed(Struct, frozen=True, kw_only=True):
    """Who is on a leaderboard. `active_since`: those alone whose last rated game was counted on that day (UTC) or
    later. No more than the day is kept, since it may have been a private game, and its time would tell who met whom."""

    ruleset: str
    bots: bool = True
    active_since: date | None = None


class Standing(Struct, frozen=True, kw_only=True):
    """A line of a leaderboard. `bot`: the built-in bot whose account it is."""

    player: UUID
    name: str
    bot: str | None
    rating: Rating
