"""What is asked and answered about ratings."""

from __future__ import annotations

from marshmallow import fields

from service.api.operation.fields import Place, QueryFlag
from service.api.operation.schemas import Answer, Items, Page, PageQuery, about, need


class BeliefAnswer(Answer):
    """How strong an account is believed to be. `rating` is 1500 + 24 (mu - 3 sigma), rounded: a newcomer has 1500."""

    rating = need(fields.Integer, "What the account is better than almost certainly; it grows with certainty too.")
    mu = need(fields.Float, "The mean; 25 for a newcomer.")
    sigma = need(fields.Float, "The deviation; 25/3 for a newcomer.")


class RatingAnswer(BeliefAnswer):
    """What an account has shown in the rated games of a ruleset."""

    games = need(fields.Integer, "Rated games that were counted.")
    wins = need(fields.Integer, "Of those, the ones won; shared wins too.")


class RatingChangeAnswer(Answer):
    """What a rated game did to a seat's account."""

    seat = need(fields.Integer)
    player = need(fields.UUID)
    rank = need(fields.Integer, "Of the seat's side, from 1; equal sides share it.")
    before = fields.Nested(BeliefAnswer, required=True)
    after = fields.Nested(
        BeliefAnswer,
        required=True,
        metadata=about("Of a built-in bot with several seats: the mean of what they made of it, the same for each."),
    )


class Contender(Answer):
    id = need(fields.UUID)
    name = need(fields.String)
    bot = need(fields.String, "The built-in bot whose account this is; null for others.", allow_none=True)


class StandingAnswer(RatingAnswer):
    """A line of a leaderboard."""

    rank = need(fields.Integer, "From 1, in the list that was asked for; equal ratings share it.")
    player = fields.Nested(Contender, required=True)


class LeaderboardPage(Page):
    items = Items(StandingAnswer)


class LeaderboardQuery(PageQuery):
    cursor = Place(
        load_default=None, metadata={"description": "Where the page begins: taken from `next` of the one before."}
    )
    bots = QueryFlag(
        load_default=True,
        metadata={"description": "With false, the built-in bots are left out and ranks are those among the others."},
    )
