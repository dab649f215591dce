"""What is sent and answered about tokens."""

from __future__ import annotations

from marshmallow import fields, validate

from service.api.operation.fields import (
    Ident,
    Moment,
    OneLine,
)
from service.api.operation.schemas import Answer, Body, Items, Page, need
from service.app.accounts.names import unseen
from service.app.records.players import SCOPES


class NewToken(Body):
    label = OneLine(
        unseen,
        required=True,
        metadata={"description": "What the token is for: visible characters as in the names of players."},
    )
    scopes = fields.List(
        fields.String(validate=validate.OneOf(SCOPES)),
        required=True,
        validate=validate.Length(min=1, max=3),
        metadata={"description": "What the token may do; none that your own token may not."},
    )
    game = Ident(
        load_default=None,
        allow_none=True,
        metadata={"description": "Limits the token to the seat that you hold in this game."},
    )
    expires_at = Moment(
        load_default=None, allow_none=True, metadata={"description": "When the token ends; null for never."}
    )


class TokenAnswer(Answer):
    """A token without its secret."""

    id = need(fields.UUID)
    label = need(fields.String)
    scopes = fields.List(fields.String(), required=True)
    game = need(fields.UUID, "The one game that the token is good for; null for all.", allow_none=True)
    seat = need(fields.Integer, "The one seat that the token is good for.", allow_none=True)
    created_at = need(Moment)
    expires_at = need(Moment, "Null for never.", allow_none=True)


class IssuedToken(TokenAnswer):
    token = need(fields.String, "The secret, shown this once.")


class TokenPage(Page):
    items = Items(TokenAnswer)
