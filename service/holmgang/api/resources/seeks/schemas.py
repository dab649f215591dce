"""What is sent and answered about seeks."""

from datetime import datetime
from typing import Annotated, Self
from uuid import UUID

from msgspec import Meta, Struct

from holmgang.api.operation.shapes import CursorQuery, Slug, shown_as
from holmgang.api.resources.games.schemas import GameTerms
from holmgang.app.games import ratings
from holmgang.app.records.players import Kind
from holmgang.app.records.seeks import SeekStatus, SoughtGame, Wanted
from holmgang.app.records.terms import Terms

LONGEST_SECONDS = 14 * 24 * 60 * 60
_MOST_POINTS = 10_000
_Points = Annotated[int, Meta(ge=0, le=_MOST_POINTS)]


class NewSeek(GameTerms, frozen=True, kw_only=True):
    seats: Annotated[list[Annotated[int, Meta(ge=2, le=100)]], Meta(min_length=1, max_length=99)]
    """With how many at the table you would play, yourself included: `[2]`, or `[3, 4, 5]`. You get the largest table
    that can be filled when you are matched."""
    wanted: Wanted = "both"
    """Against whom you would play: `people`, `bots` of other players, or `both`."""
    rating_below: _Points | None = None
    """By how many points others may be weaker, by their ratings in this ruleset; null for any."""
    rating_above: _Points | None = None
    """By how many points others may be stronger; null for any."""
    rating_widens: _Points = 0
    """By how many points both limits grow with each minute that you wait."""
    expires_in: Annotated[int, Meta(ge=5, le=LONGEST_SECONDS)] = 600
    """For how many seconds you wait; less if your token expires before. Renew short ones while you are there, so that
    no game begins without you."""


class SeeksQuery(CursorQuery, frozen=True, kw_only=True):
    ruleset: Slug | None = None


class MySeeksQuery(CursorQuery, frozen=True, kw_only=True):
    status: SeekStatus | None = None


class Seeker(Struct, frozen=True, kw_only=True):
    id: UUID
    name: str
    kind: Kind
    rating: int
    """In the ruleset; a newcomer has 1500."""


class SoughtGameAnswer(Struct, frozen=True, kw_only=True):
    """A game that is sought. By which ratings it is, only who seeks it knows."""

    id: UUID
    player: Seeker
    terms: Terms
    seats: tuple[int, ...]
    """With how many at the table."""
    wanted: Wanted
    """Against whom."""
    created_at: datetime
    expires_at: datetime

    @classmethod
    def of(cls, sought: SoughtGame) -> Self:
        rating = ratings.shown(sought.belief or ratings.NEWCOMER)
        return shown_as(cls, sought, player=Seeker(id=sought.player, name=sought.name, kind=sought.kind, rating=rating))
