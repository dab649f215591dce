"""What is asked and answered about turns."""

from __future__ import annotations

from marshmallow import fields, validate

from service.api.operation.fields import (
    Moment,
)
from service.api.operation.schemas import Answer, Body, WaitQuery, about, as_seat, at, need, wait
from service.api.resources.games.schemas import STATUSES
from service.api.resources.rulesets.components import refs


class ViewQuery(WaitQuery):
    as_seat = as_seat()
    at = at()


class TurnQuery(Body):
    include = fields.String(
        load_default=None,
        validate=validate.OneOf(("view",)),
        metadata={"description": "`view` adds the view, and saves a request."},
    )
    wait = wait()
    as_seat = as_seat()


class Legal(Answer):
    """What the caller may do: all actions where they are few, else a grammar and one sample."""

    count = need(fields.Integer, "How many legal actions there are; null where that costs too much.", allow_none=True)
    actions = fields.List(
        fields.Raw(metadata={"anyOf": refs("Action")}), metadata=about("All of them, if 200 or fewer.")
    )
    schema = fields.Dict(metadata=about("The JSON Schema of the turn's actions."))
    grammar = fields.Dict(metadata=about("The bounds of a legal action, for clients that build their own."))
    sample = fields.Raw(
        metadata={"anyOf": refs("Action"), "description": "One legal action, the same as long as the turn lasts."}
    )


class LastTurn(Answer):
    turn = need(fields.Integer)
    kind = need(fields.String, allow_none=True)
    ended = fields.String(required=True, metadata={"enum": ["played", "resigned"]})
    defaulted = fields.List(
        fields.Integer(),
        required=True,
        metadata=about("Seats that were played for: they did not choose in time, or their bot could not."),
    )
    ended_at = need(Moment)


class Turn(Answer):
    """What the game asks now, and of whom."""

    game = need(fields.UUID)
    version = need(fields.Integer, "The number of the game's last event.")
    status = fields.String(required=True, metadata={"enum": list(STATUSES)})
    turn = need(fields.Integer)
    kind = need(fields.String, allow_none=True)
    sealed = need(fields.Boolean, "Whether choices are kept secret until all are in.")
    awaited = fields.List(fields.Integer(), required=True, metadata=about("Seats that owe a choice."))
    submitted = fields.List(fields.Integer(), required=True, metadata=about("Seats whose sealed choice is in."))
    defaulted = fields.List(
        fields.Integer(),
        required=True,
        metadata=about("Seats for which a sealed choice was made: absent ones, or those of bots that could not."),
    )
    seat = need(fields.Integer, "The caller's seat; null for a spectator.", allow_none=True)
    yours = need(fields.Boolean, "Whether the caller owes a choice.")
    submission = need(fields.UUID, "The caller's sealed submission to this turn.", allow_none=True)
    context = fields.Dict(required=True, metadata=about("What the turn is about, such as the combat it belongs to."))
    legal = fields.Nested(Legal, required=True, allow_none=True)
    last_turn = fields.Nested(LastTurn, required=True, allow_none=True)
    deadline = need(Moment, "When the turn ends by itself.", allow_none=True)
    server_time = need(Moment)
    next_poll_ms = need(fields.Integer, "When to look again, if not with `wait`.")
    view = fields.Raw(metadata={"anyOf": refs("View"), "description": "With `?include=view` once the game has begun."})
