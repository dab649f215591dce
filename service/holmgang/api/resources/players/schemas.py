"""What is sent and answered about players."""

from functools import partial
from typing import Annotated, Self
from uuid import UUID

from msgspec import Meta, Struct

from holmgang.api.operation.fields import OneLine
from holmgang.api.operation.shapes import shown_as
from holmgang.api.resources.leaderboards.schemas import RatingAnswer
from holmgang.app.accounts.names import mistakable, unseen
from holmgang.app.records.players import Player
from holmgang.app.records.ratings import Rating


class NewPlayer(Struct, frozen=True, kw_only=True):
    name: Annotated[str, Meta(extra={"field": partial(OneLine, unseen, mistakable)})]
    """For people to read: others may have the same, but none that looks the same and is another (UTS 39). At most 64
    code points, all to be seen, kept in Normalization Form C; single plain blanks; at most four marks on a letter;
    joiners and selectors only where they change what is seen (UAX 31, UTS 51). Each word is in one script, or in Latin
    with Chinese, Japanese or Korean letters (UTS 39, Highly Restrictive). What looks like the name of the service or of
    a built-in bot is refused."""


class PlayerAnswer(Player, frozen=True):
    ratings: dict[str, RatingAnswer]
    """By ruleset; empty until a rated game of the player has been counted."""

    @classmethod
    def of(cls, player: Player, ratings: dict[str, Rating]) -> Self:
        told = {ruleset: RatingAnswer.of(rating) for ruleset, rating in ratings.items()}
        return shown_as(cls, player, ratings=told)


class Registration(Struct, frozen=True, kw_only=True):
    player: PlayerAnswer
    token: str
    """The secret of the player's first token, which has all scopes; shown this once."""
    token_id: UUID
