"""Examples of rulesets."""

from msgspec.structs import asdict

from holmgang.api.operation.terms import Example
from holmgang.api.resources.examples import Story, page, plain

from .schemas import RulesetHead


def list_rulesets(story: Story) -> Example:
    return Example(answers=page(RulesetHead.of(story.rules)))


def get_ruleset(story: Story) -> Example:
    whole = {
        **asdict(RulesetHead.of(story.rules)),
        "options_schema": {"type": "object"},
        "rules": [{"id": "C2", "text": "A turn is one decision."}],
        "reconstructed": plain(story.rules.reconstructed)[:1],
        "turn_kinds": {story.asked.kind: {"type": "object"}},
        "view_schema": {"type": "object"},
        "effect_schema": {"anyOf": []},
        "combat_schema": {"type": "object"},
    }
    return Example({"ruleset": story.rules.ruleset}, answers={story.rules.ruleset: whole})
