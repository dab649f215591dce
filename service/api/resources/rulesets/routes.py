"""The games that the service knows: their rules, options, and schemas of everything that clients send and see."""

from __future__ import annotations

import functools
from typing import Any

from flask import Response, request

from service import registry
from service.api.operation.declaration import Resources, operation
from service.api.operation.gate import Access, Call
from service.app.errors import NotFound
from service.bots import registry as bots
from service.engine.codec import encode_json
from service.engine.rulebook import read_rules
from service.engine.rules import AnyRules
from service.languages.catalogue import translation
from service.languages.negotiation import language_of, spoken
from service.representation import Kept, keep

from .components import standalone
from .schemas import Ruleset, RulesetPage

rulesets = Resources(
    "rulesets", __name__, url_prefix="/v1", description="The games: rules, options and schemas of moves and views."
)
_SAME = {"Cache-Control": "public, max-age=300"}


def head(rules: AnyRules) -> dict[str, Any]:
    return {
        "ruleset": rules.ruleset,
        "title": rules.title,
        "version": rules.version,
        "seat_counts": list(rules.seat_counts),
        "bots": list(bots.playing(rules.ruleset)),
    }


@functools.cache
def body(ruleset: str, language: str) -> Kept:
    """A ruleset's whole description, as it goes out: sentences in a language, names and schemas as they are."""
    rules = registry.latest(ruleset)
    texts = {
        rule["id"]: translation(rule["text"], language, "rules", f"{ruleset} {rule['id']}", ruleset)
        for rule in read_rules(registry.game(ruleset).rulebook)
    }
    told = encode_json(
        {
            **head(rules),
            "options_schema": rules.options_schema,
            "rules": [{"id": rule, "text": text} for rule, text in texts.items()],
            "reconstructed": [
                {
                    "rule": part.rule,
                    "what": translation(part.what, language, "rules", f"{ruleset} {part.rule}", ruleset)
                    if part.what
                    else texts[part.rule],
                    "option": part.option,
                }
                for part in rules.reconstructed
            ],
            "turn_kinds": {kind: standalone(actions) for kind, actions in rules.turn_kinds.items()},
            "view_schema": standalone(rules.view_type),
            "effect_schema": standalone(rules.effect_type),
            "combat_schema": standalone(rules.combat_type),
        }
    )
    return keep(told, "application/json")


@operation(rulesets, "GET", "/rulesets", name="listRulesets", access=Access.PUBLIC, answer=RulesetPage)
def list_rulesets(call: Call) -> Any:
    """List the games that can be played here"""
    return {"items": [head(rules) for rules in registry.all_latest()], "next": None}


@operation(
    rulesets,
    "GET",
    "/rulesets/<ruleset>",
    name="getRuleset",
    access=Access.PUBLIC,
    answer=Ruleset,
    also={304: None},
)
def get_ruleset(call: Call, ruleset: str) -> Response:
    """Read a game's rules, options and schemas

    Every rule has an id, by which errors cite it; its text is in the language of `Accept-Language`. The schemas are
    JSON Schema, complete in themselves.
    """
    language = language_of(request.environ)
    try:
        found = body(ruleset, language)
    except registry.UnknownRuleset:
        raise NotFound("ruleset", ruleset) from None
    return found.answer({**_SAME, **spoken(language)})
