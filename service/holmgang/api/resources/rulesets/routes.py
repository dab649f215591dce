"""The games that the service knows: their rules, options, and schemas of everything that clients send and see."""

import functools
from typing import Any

from flask import Response, request

from holmgang import registry
from holmgang.api.operation.declaration import Resources, operation
from holmgang.api.operation.gate import Access, Call
from holmgang.api.operation.terms import described, links
from holmgang.app.errors import NotFound
from holmgang.engine.codec import encode_json
from holmgang.engine.rulebook import read_rules
from holmgang.engine.schemas import standalone
from holmgang.languages.catalogue import translation
from holmgang.languages.negotiation import language_headers, language_of
from holmgang.representation import Kept, keep

from . import examples
from .components import RULESET
from .schemas import ReconstructedPart, Ruleset, RulesetHead, RulesetPage, RuleText

rulesets = Resources("rulesets", __name__, "The games: rules, options and schemas of moves and views.", ruleset=RULESET)
_SAME = {"Cache-Control": "public, max-age=300"}


@functools.cache
def body(ruleset: str, language: str) -> Kept:
    """A ruleset's whole description, as it goes out: sentences in a language, names and schemas as they are."""
    rules = registry.latest(ruleset)
    texts = {
        rule["id"]: translation(rule["text"], language, "rules", f"{ruleset} {rule['id']}", ruleset)
        for rule in read_rules(registry.game(ruleset).rulebook)
    }
    told = encode_json(
        Ruleset.of(
            rules,
            options_schema=rules.options_schema,
            rules=[RuleText(id=rule, text=text) for rule, text in texts.items()],
            reconstructed=[
                ReconstructedPart(
                    rule=part.rule,
                    what=translation(part.what, language, "rules", f"{ruleset} {part.rule}", ruleset)
                    if part.what
                    else texts[part.rule],
                    option=part.option,
                )
                for part in rules.reconstructed
            ],
            turn_kinds={kind: standalone(actions) for kind, actions in rules.turn_kinds.items()},
            view_schema=standalone(rules.view_type),
            effect_schema=standalone(rules.effect_type),
            combat_schema=standalone(rules.combat_type),
        )
    )
    return keep(told, "application/json")


@operation(rulesets, "GET /rulesets", Access.PUBLIC, RulesetPage)
@described(examples.list_rulesets, links(ruleset="/items/0/ruleset"))
def list_rulesets(call: Call) -> Any:
    """List the games that can be played here

    Each in its latest version. The page is never followed by another.
    """
    return RulesetPage([RulesetHead.of(rules) for rules in registry.all_latest()], None)


@operation(rulesets, "GET /rulesets/<ruleset>", Access.PUBLIC, Ruleset, tagged=True)
@described(examples.get_ruleset, translated=True)
def get_ruleset(call: Call, ruleset: str) -> Response:
    """Read a game's rules, options and schemas

    Every rule has an id, which errors name; its text is in the language of `Accept-Language`. The schemas are JSON
    Schema, complete in themselves.
    """
    language = language_of(request.environ)
    try:
        found = body(ruleset, language)
    except registry.UnknownRuleset:
        raise NotFound("ruleset", ruleset) from None
    return found.answer({**_SAME, **language_headers(language)})
