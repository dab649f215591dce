"""What is sent and answered about seats."""

from __future__ import annotations

from marshmallow import fields, validate

from service.api.operation.fields import (
    Count,
    Entropy,
)
from service.api.operation.schemas import Answer, Body, need
from service.api.resources.games.schemas import GameAnswer
from service.bots.base import NAMES


class NewSeat(Body):
    seat = Count(
        load_default=None,
        allow_none=True,
        validate=validate.Range(min=0, max=99),
        metadata={"description": "The seat to take; the lowest free one unless you say."},
    )
    entropy = Entropy(
        load_default=None,
        allow_none=True,
        metadata={
            "description": "Your share of the chance: 16 to 64 random bytes, base64url without padding. Shown to "
            "others once the game has started."
        },
    )
    bot = fields.String(
        load_default=None,
        allow_none=True,
        validate=validate.OneOf(NAMES),
        metadata={
            "description": "A built-in bot to give the seat to, in a game that you created; else it is yours. `bots` "
            "of the ruleset lists those that can play it."
        },
    )
    invitation = fields.String(
        load_default=None,
        allow_none=True,
        validate=validate.Length(min=1, max=200),
        metadata={
            "description": "The secret of your invitation, for a private game. It means nothing where you need none."
        },
    )


class NewResignation(Body):
    """An empty object: the seat is the caller's own."""


class OwnSeat(Answer):
    seat = need(fields.Integer, "The caller's seat.")
    game = fields.Nested(GameAnswer, required=True)
