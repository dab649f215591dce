"""What is sent and answered about players."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Annotated, Protocol, Self
from uuid import UUID

from msgspec import Meta, Struct

from holmgang.api.operation.fields import MAX_INT, NamePlace, OneLine
from holmgang.api.operation.pictures import Theme
from holmgang.api.operation.shapes import PLACE, PageQuery, shown_as
from holmgang.api.resources.leaderboards.schemas import BeliefAnswer, RatingAnswer
from holmgang.app.accounts.names import mistakable, unseen
from holmgang.app.accounts.players import SHOWN_DAYS
from holmgang.app.ports import LeaderboardsTable, ProfilesTable
from holmgang.app.records.players import FormerName, Kind, Player, Score
from holmgang.app.records.ratings import Rating, RatingPoint

Name = Annotated[str, Meta(extra={"field": partial(OneLine, unseen, mistakable)})]


class NewPlayer(Struct, frozen=True, kw_only=True):
    name: Name
    """For people to read: others may have the same, but none that looks the same and is another (UTS 39). At most 64
    code points, all to be seen, kept in Normalization Form C; single plain blanks; at most four marks on a letter;
    joiners and selectors only where they change what is seen (UAX 31, UTS 51). Each word is in one script, or in Latin
    with Chinese, Japanese or Korean letters (UTS 39, Highly Restrictive). What looks like the name of the service or of
    a built-in bot is refused."""
    kind: Kind = "person"
    """What others will meet. A `bot` that is registered with your token is shown as yours."""


class PlayerChange(Struct, frozen=True, kw_only=True):
    """What is left out, or null, stays as it is."""

    name: Name | None = None
    """As at registration. The one that you had is shown with you for a year."""
    kind: Kind | None = None
    """Before your first game."""
    hides_presence: bool | None = None
    """`true` lets nobody know any more whether you are there."""


class Farewell(Struct, frozen=True, kw_only=True):
    name: str
    """Your name, just as it is, so that no account is deleted by mistake."""


class PlayersQuery(PageQuery, frozen=True, kw_only=True):
    name: Annotated[str, Meta(min_length=1, max_length=64)]
    """How the name begins, in whatever case."""
    exact: bool = False
    """`true` finds those alone who are called just so, in whatever case."""
    cursor: Annotated[tuple[str, UUID], Meta(extra={"field": NamePlace}), PLACE] | None = None


class FoundPlayer(Player, frozen=True):
    """A line of a list of players."""


class PlayerAnswer(Player, frozen=True, kw_only=True):
    ratings: dict[str, RatingAnswer]
    """By ruleset; empty until a rated game of the player has been counted."""

    former_names: list[FormerName]
    """Those of the last year, the latest first."""

    @classmethod
    def of(cls, player: Player, ratings: dict[str, Rating], former_names: Sequence[FormerName] = ()) -> Self:
        told = {ruleset: RatingAnswer.of(rating) for ruleset, rating in ratings.items()}
        return shown_as(cls, player, ratings=told, former_names=list(former_names))


class HeadToHead(Struct, frozen=True, kw_only=True):
    """What one player has to show against another, by ruleset."""

    items: list[Score]


class RatingPointAnswer(BeliefAnswer, frozen=True, kw_only=True):
    """What a rated game made of a rating."""

    number: int
    """The game's place in the order in which the ruleset's games were counted."""
    at: datetime
    """When it was counted, moments after its end."""
    game: UUID
    rank: int
    """Of the player's side in the game, from 1."""

    @classmethod
    def at_point(cls, point: RatingPoint) -> Self:
        return cls.of(point.after, number=point.number, at=point.at, game=point.game, rank=point.rank)


class HistoryQuery(PageQuery, frozen=True, kw_only=True):
    cursor: Annotated[int, Meta(ge=1, le=MAX_INT), PLACE] | None = None


class HistoryPictureQuery(Struct, frozen=True, kw_only=True):
    theme: Theme = "auto"


class Registration(Struct, frozen=True, kw_only=True):
    player: PlayerAnswer
    token: str
    """The secret of the player's first token, which has all scopes; shown this once."""
    token_id: UUID


class ProfileTables(ProfilesTable, LeaderboardsTable, Protocol): ...


def profile(tables: ProfileTables, player: Player) -> PlayerAnswer:
    """What is shown of a player; hardly anything of an account that was deleted."""
    if player.deleted:
        return PlayerAnswer.of(player, {})
    return PlayerAnswer.of(player, tables.ratings_of(player.id), tables.former_names(player.id, SHOWN_DAYS))
