"""JSON Schemas of actions, views, effects and combats, made by msgspec from the rules' own types.

In the OpenAPI document they are components named after their ruleset, as `ToyView`.
"""

from collections.abc import Collection
from typing import Any

import msgspec

from holmgang import registry
from holmgang.api.operation.schemas import ANY, COMPONENT
from holmgang.engine.rules import AnyRules
from holmgang.engine.schemas import tidy, unordered
from holmgang.registry.discovery import HOUSE

ACTION = "Action"
RULESET = "The ruleset's name, such as `{ruleset}`."
"""What the parameter of paths is; the document names one."""


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def _bases(rules: AnyRules) -> dict[str, Any]:
    """The types that have a component of their own, by its name without the ruleset's."""
    return {
        **{f"{_camel(kind)}{ACTION}": actions for kind, actions in rules.turn_kinds.items()},
        "View": rules.view_type,
        "Effect": rules.effect_type,
        "Combat": rules.combat_type,
    }


def components(taken: Collection[str]) -> dict[str, dict[str, Any]]:
    """The schemas of all rulesets by their names, and those of what any of them has, as `AnyView`.

    Of the names that others have `taken` it makes none, nor one that differs only by the case of its letters, for
    generators write files and types by them. Where two games would make the same, the house's keep theirs, and then
    those of the first game by its name.
    """
    found: dict[str, dict[str, Any]] = {}
    prefixes: dict[str, str] = {}
    for rules in sorted(
        registry.all_latest(), key=lambda rules: (registry.origin(rules.ruleset) != HOUSE, rules.ruleset)
    ):
        prefix = _camel(rules.ruleset)
        while not set(map(str.lower, made := _components(rules, prefix))).isdisjoint(map(str.lower, (*taken, *found))):
            prefix += "Game"
        found |= made
        prefixes[rules.ruleset] = prefix
    whole: dict[str, list[dict[str, str]]] = {}
    for rules in registry.all_latest():
        for name in ("Options", *_bases(rules)):
            of = ANY.removeprefix(COMPONENT) + (ACTION if name.endswith(ACTION) else name)
            whole.setdefault(of, []).append({"$ref": COMPONENT + prefixes[rules.ruleset] + name})
    return found | {of: {"anyOf": each} for of, each in whole.items()}


def _components(rules: AnyRules, prefix: str) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {prefix + "Options": dict(rules.options_schema)}
    bases = _bases(rules)
    schemas, parts = msgspec.json.schema_components(bases.values(), ref_template=COMPONENT + prefix + ".{name}")
    whole = {
        name: schema["$ref"].rsplit(".", 1)[1]
        for name, schema in zip(bases, schemas, strict=True)
        if set(schema) == {"$ref"}
    }
    stands = {part: name for name, part in reversed(whole.items())}  # several may be of one type: the first is
    stands |= {part: name for name, part in whole.items() if name == part}  # but for the one of the type's own name
    names = {part: prefix + (stands.get(part) or _unlike(part, {"Options", *bases}, parts)) for part in parts}
    for name, schema in zip(bases, schemas, strict=True):
        if name not in whole or stands[whole[name]] != name:
            found[prefix + name] = schema
    for part, schema in parts.items():
        found[names[part]] = schema
    renamed = {f"{COMPONENT}{prefix}.{part}": COMPONENT + name for part, name in names.items()}
    for name in list(found):
        found[name] = _with_refs(unordered(tidy(found[name])), renamed)
        found[name].pop("title", None)  # generators would name their types by it, several the same
    return found


def _unlike(part: str, kept: Collection[str], parts: Collection[str]) -> str:
    """A name for a part: its own, but for those that are `kept` for what a game has of its own."""
    name = part
    while name in kept or (name != part and name in parts):
        name += "Part"
    return name


def _with_refs(value: Any, renamed: dict[str, str]) -> Any:
    """The schema with its references renamed."""
    if isinstance(value, dict):
        return {name: _with_refs(member, renamed) for name, member in value.items()}
    if isinstance(value, list):
        return [_with_refs(member, renamed) for member in value]
    return renamed.get(value, value) if isinstance(value, str) else value
