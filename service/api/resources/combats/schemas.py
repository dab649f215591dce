"""What is asked and answered about combats."""

from __future__ import annotations

from marshmallow import fields, validate

from service.api.operation.fields import (
    MAX_INT,
    Moment,
    QueryCount,
)
from service.api.operation.schemas import Answer, Items, Page, PageQuery, about, need
from service.api.resources.rulesets.components import refs


class NumberQuery(PageQuery):
    cursor = QueryCount(
        load_default=0,
        validate=validate.Range(min=0, max=MAX_INT),
        metadata={"description": "Where the page begins: taken from `next` of the one before."},
    )


class Combat(Answer):
    """A combat resolution. `record` is the ruleset's own account of it."""

    number = need(fields.Integer, "From 1, in the order in which the game's combats began.")
    status = fields.String(
        required=True,
        metadata={
            "enum": ["open", "resolved", "abandoned"],
            **about("`abandoned` where the game ended before it did."),
        },
    )
    turn = need(fields.Integer)
    opened_at = need(Moment)
    resolved_at = need(Moment, "Null unless it was resolved.", allow_none=True)
    record = fields.Raw(required=True, metadata={"anyOf": refs("Combat")})


class CombatPage(Page):
    items = Items(Combat)
