"""What the service answers about rulesets."""

from __future__ import annotations

from marshmallow import fields

from service.api.operation.schemas import Answer, Items, Page, about, need


class RulesetHead(Answer):
    ruleset = need(fields.String)
    title = need(fields.String)
    version = need(fields.String)
    seat_counts = fields.List(fields.Integer(), required=True)
    bots = fields.List(
        fields.String(),
        required=True,
        metadata=about("The built-in bots that can play it, from the weakest on; no others are given a seat."),
    )


class RulesetPage(Page):
    items = Items(RulesetHead)


class RuleText(Answer):
    id = need(fields.String)
    text = need(fields.String, "Markdown.")


class ReconstructedPart(Answer):
    rule = need(fields.String)
    what = need(fields.String)
    option = need(fields.String, "The game option that replaces it, if there is one.", allow_none=True)


class Ruleset(RulesetHead):
    options_schema = fields.Dict(required=True, metadata=about("JSON Schema of `options` of a new game."))
    rules = fields.List(fields.Nested(RuleText), required=True, metadata=about("Each rule with the id errors name."))
    reconstructed = fields.List(
        fields.Nested(ReconstructedPart), required=True, metadata=about("What the rulebook does not print.")
    )
    turn_kinds = fields.Dict(
        keys=fields.String(),
        values=fields.Dict(),
        required=True,
        metadata=about("JSON Schema of the actions of each kind of turn."),
    )
    view_schema = fields.Dict(required=True)
    effect_schema = fields.Dict(required=True, metadata=about("Of the payload of the ruleset's events."))
    combat_schema = fields.Dict(required=True, metadata=about("Of `record` of a combat."))
