"""What ratings, their changes and leaderboards look like in answers."""

from __future__ import annotations

from marshmallow import fields

from service.api.resources.open_schemas import Answer, Items, Page, about, need


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
