"""What the service answers about rulesets."""

from typing import Any, Self

from msgspec import Struct

from holmgang.api.operation.shapes import Page
from holmgang.bots import registry as bots
from holmgang.engine.rules import AnyRules

Schema = dict[str, Any]


class RulesetHead(Struct, frozen=True, kw_only=True):
    ruleset: str
    title: str
    version: str
    seat_counts: list[int]
    bots: list[str]
    """The built-in bots that can play it, weakest first. Others get no seat."""

    @classmethod
    def of(cls, rules: AnyRules, /, **more: Any) -> Self:
        return cls(
            ruleset=rules.ruleset,
            title=rules.title,
            version=rules.version,
            seat_counts=list(rules.seat_counts),
            bots=list(bots.playing(rules.ruleset)),
            **more,
        )


class RulesetPage(Page[RulesetHead], frozen=True):
    pass


class RuleText(Struct, frozen=True, kw_only=True):
    id: str
    text: str
    """Markdown."""


class ReconstructedPart(Struct, frozen=True, kw_only=True):
    rule: str
    what: str
    option: str | None
    """The game option that replaces it, if there is one."""


class Ruleset(RulesetHead, frozen=True, kw_only=True):
    options_schema: Schema
    """JSON Schema of `options` of a new game."""
    rules: list[RuleText]
    """Each rule with the id errors name."""
    reconstructed: list[ReconstructedPart]
    """What the rulebook does not print."""
    turn_kinds: dict[str, Schema]
    """JSON Schema of the actions of each kind of turn."""
    view_schema: Schema
    effect_schema: Schema
    """Of the payload of the ruleset's events."""
    combat_schema: Schema
    """Of `record` of a combat."""
