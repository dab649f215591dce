"""What is asked and answered about ratings."""

from datetime import datetime
from typing import Annotated, Any, Self
from uuid import UUID

from msgspec import Meta, Struct

from holmgang.api.operation.fields import Place
from holmgang.api.operation.shapes import PLACE, Page, PageQuery, shown_as
from holmgang.app.games.ratings import shown
from holmgang.app.records.ratings import Belief, RatingChange, Standing
from holmgang.engine.turn import Seat


class BeliefAnswer(Struct, frozen=True, kw_only=True):
    """How strong an account is believed to be. `rating` is 1500 + 24 (mu - 3 sigma), rounded: a newcomer has 1500."""

    rating: int
    """What the account is better than almost certainly; it grows with certainty too."""
    mu: float
    """The mean; 25 for a newcomer."""
    sigma: float
    """The deviation; 25/3 for a newcomer."""

    @classmethod
    def of(cls, belief: Belief, **more: Any) -> Self:
        return shown_as(cls, belief, rating=shown(belief), **more)


class RatingAnswer(BeliefAnswer, frozen=True, kw_only=True):
    """What an account has shown in the rated games of a ruleset."""

    games: int
    """Rated games that were counted."""
    wins: int
    """Of those, the ones won; shared wins too."""


class RatingChangeAnswer(Struct, frozen=True, kw_only=True):
    """What a rated game did to a seat's account."""

    seat: Seat
    player: UUID
    rank: int
    """Of the seat's side, from 1; equal sides share it."""
    before: BeliefAnswer
    after: BeliefAnswer
    """For a built-in bot with several seats: the mean of their results, the same for each."""

    @classmethod
    def of(cls, change: RatingChange) -> Self:
        return shown_as(cls, change, before=BeliefAnswer.of(change.before), after=BeliefAnswer.of(change.after))


class Contender(Struct, frozen=True, kw_only=True):
    id: UUID
    name: str
    bot: str | None
    """The built-in bot whose account this is; null for others."""


class StandingAnswer(RatingAnswer, frozen=True, kw_only=True):
    """A line of a leaderboard."""

    rank: int
    """From 1, in the list that was asked for; equal ratings share it."""
    player: Contender

    @classmethod
    def at(cls, rank: int, standing: Standing) -> Self:
        player = Contender(id=standing.player, name=standing.name, bot=standing.bot)
        return cls.of(standing.rating, rank=rank, player=player)


class LeaderboardPage(Page[StandingAnswer], frozen=True):
    pass


class LeaderboardQuery(PageQuery, frozen=True, kw_only=True):
    cursor: Annotated[tuple[float, UUID], Meta(extra={"field": Place}), PLACE] | None = None
    bots: bool = True
    """`false` leaves out the built-in bots; ranks are those among the others."""
    active_since: datetime | None = None
    """Those alone whose last rated game was counted on the day of this time (UTC) or later; ranks are those among
    them."""
    player: UUID | None = None
    """The line of this player alone, with the same rank; none where they are not listed."""
