"""JSON Schemas of actions, views, effects and combats, made by msgspec from the rules' own types.

In the OpenAPI document they are components named after their ruleset, such as `EketorpView`; served with a ruleset
they are self-contained.
"""

from __future__ import annotations

import functools
import inspect
from typing import Any

import msgspec

from service import registry
from service.engine.rules import AnyRules

COMPONENT = "#/components/schemas/"


def title_of(rules: AnyRules) -> str:
    """How names of components of a ruleset begin."""
    return "".join(part.capitalize() for part in rules.ruleset.split("_"))


def _camel(kind: str) -> str:
    return "".join(part.capitalize() for part in kind.split("_"))


def _bases(rules: AnyRules) -> dict[str, Any]:
    """The types that have a component of their own, by its name without the ruleset's."""
    return {
        **{f"{_camel(kind)}Action": actions for kind, actions in rules.turn_kinds.items()},
        "View": rules.view_type,
        "Effect": rules.effect_type,
        "Combat": rules.combat_type,
    }


@functools.cache
def components() -> dict[str, dict[str, Any]]:
    """All components of all rulesets."""
    found: dict[str, dict[str, Any]] = {}
    for rules in registry.all_latest():
        prefix = title_of(rules)
        found[prefix + "Options"] = dict(rules.options_schema)
        bases = _bases(rules)
        schemas, parts = msgspec.json.schema_components(bases.values(), ref_template=COMPONENT + prefix + ".{name}")
        names = {part: prefix + part for part in parts}
        for name, schema in zip(bases, schemas, strict=True):
            if schema == {"$ref": f"{COMPONENT}{prefix}.{name}"}:
                continue  # the type's own name is the component's
            if set(schema) == {"$ref"}:
                names[schema["$ref"].rsplit(".", 1)[1]] = prefix + name
            else:
                found[prefix + name] = schema
        for part, schema in parts.items():
            found[names[part]] = schema
        renamed = {f"{COMPONENT}{prefix}.{part}": COMPONENT + name for part, name in names.items()}
        for name in list(found):
            if name.startswith(prefix):
                found[name] = _with_refs(found[name], renamed)
                found[name].pop("title", None)  # generators would name their types by it, several the same
    return found


def _with_refs(value: Any, renamed: dict[str, str]) -> Any:
    """The schema with its references renamed; a discriminator's mapping names references too.

    Descriptions lose the indentation of docstrings, which Python 3.13 and later strip themselves; arrays of a fixed
    length the word that nothing follows, which their length says too: generators know of no schemas but objects.
    """
    if isinstance(value, dict):
        if value.get("items") is False and value["maxItems"] == len(value["prefixItems"]):
            value = {name: member for name, member in value.items() if name != "items"}
        return {
            name: inspect.cleandoc(member)
            if name == "description" and isinstance(member, str)
            else _with_refs(member, renamed)
            for name, member in value.items()
        }
    if isinstance(value, list):
        return [_with_refs(member, renamed) for member in value]
    if isinstance(value, str):
        return renamed.get(value, value)
    return value


def refs(of: str) -> list[dict[str, str]]:
    """A reference a ruleset to the component `View`, `Effect`, `Combat` or `Options`."""
    return [{"$ref": f"{COMPONENT}{title_of(rules)}{of}"} for rules in registry.all_latest()]


def action_refs() -> list[dict[str, str]]:
    """A reference to the actions of each kind of turn of each ruleset."""
    return [
        {"$ref": f"{COMPONENT}{title_of(rules)}{_camel(kind)}Action"}
        for rules in registry.all_latest()
        for kind in rules.turn_kinds
    ]


def standalone(of: Any) -> dict[str, Any]:
    """A type's JSON Schema with all that it refers to below `$defs`."""
    found: dict[str, Any] = _with_refs(msgspec.json.schema(of), {})
    return found
