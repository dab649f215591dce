"""What is asked and answered about events."""

from __future__ import annotations

from marshmallow import fields, validate

from service.api.operation.fields import (
    Moment,
    QueryCount,
)
from service.api.operation.schemas import Answer, Items, PageQuery, as_seat, need, wait
from service.api.resources.rulesets.components import refs


class EventsQuery(PageQuery):
    after = QueryCount(
        load_default=0,
        validate=validate.Range(min=0, max=10**18 - 1),
        metadata={"description": "The number of the last event that you know; 0 for all."},
    )
    wait = wait()
    as_seat = as_seat()


class HouseEvent(Answer):
    """What the service tells itself: seats taken and left, start and archive, a sealed choice (never what it is)."""

    type = fields.String(
        required=True,
        metadata={
            "enum": [
                "game_created",
                "seat_taken",
                "seat_left",
                "game_started",
                "choice_sealed",
                "choice_defaulted",
                "seat_absent",
                "seat_forfeited",
                "clock_stopped",
                "seat_returned",
                "deadline_put_off",
                "game_archived",
                "game_revived",
            ]
        },
    )
    seat = fields.Integer()
    player = fields.UUID()
    creator = fields.UUID()
    bot = fields.String()
    seats = fields.Integer()


class Event(Answer):
    seq = need(fields.Integer, "From 1, without gaps.")
    at = need(Moment)
    turn = need(fields.Integer, "The turn in which it happened.")
    payload = fields.Raw(
        required=True,
        metadata={
            "anyOf": [{"$ref": "#/components/schemas/HouseEvent"}, *refs("Effect")],
            "description": "As the caller may see it; `type` says what it is.",
        },
    )


class EventPage(Answer):
    items = Items(Event)
    next = need(
        fields.String,
        "The address to read on from, also where nothing more has happened yet; null once a game that is over or "
        "archived was read to its end.",
        allow_none=True,
    )
