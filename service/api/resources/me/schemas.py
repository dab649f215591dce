"""What is asked and answered about the caller."""

from __future__ import annotations

from marshmallow import fields, validate

from service.api.operation.fields import (
    Moment,
)
from service.api.operation.schemas import Answer, CursorQuery, about, need
from service.api.resources.games.schemas import STATUSES
from service.api.resources.players.schemas import PlayerAnswer


class MyGamesQuery(CursorQuery):
    status = fields.String(load_default=None, validate=validate.OneOf(STATUSES))


class TokenInUse(Answer):
    id = need(fields.UUID)
    scopes = fields.List(fields.String(), required=True)
    game = need(fields.UUID, allow_none=True)
    seat = need(fields.Integer, allow_none=True)


class Me(Answer):
    player = fields.Nested(PlayerAnswer, required=True)
    token = fields.Nested(TokenInUse, required=True, metadata=about("The token that this request came with."))


class Waiting(Answer):
    game = need(fields.UUID)
    ruleset = need(fields.String)
    seat = need(fields.Integer)
    turn = need(fields.Integer)
    kind = need(fields.String)
    since = need(Moment)
    deadline = need(Moment, allow_none=True)


class WaitingTurns(Answer):
    """The whole current set of turns that wait for the caller, oldest first."""

    items = fields.List(fields.Nested(Waiting), required=True)
    next_poll_ms = need(fields.Integer, "When to look again, if not with `wait`.")
