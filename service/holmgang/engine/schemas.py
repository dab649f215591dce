"""JSON Schemas of the rules' types, in the words that clients' tools have in common."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from typing import Any

import msgspec

Schema = dict[str, Any]

VALUES = frozenset({"const", "default", "enum", "example", "examples"})
"""Keywords whose values are no schemas."""
_DEFINED = "#/$defs/"


def standalone(of: Any) -> Schema:
    """A type's JSON Schema with all that it refers to below `$defs`."""
    return dict(tidy(msgspec.json.schema(of)))


def inlined(of: Any) -> Schema:
    """A type's JSON Schema with all that it refers to in its place, so that there is nothing to resolve.

    A type that holds itself has no such schema: its is that of `standalone`.
    """
    whole = standalone(of)
    parts: Schema = whole.pop("$defs", {})
    order = TopologicalSorter({name: set(_named(part)) for name, part in parts.items()})
    placed: Schema = {}
    try:
        for name in order.static_order():
            placed[name] = _placed(parts[name], placed)
    except CycleError:
        return {**whole, "$defs": parts}
    return dict(_placed(whole, placed))


def _named(schema: Any) -> Iterator[str]:
    """The definitions that a schema refers to."""
    for value in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from _named(value)
    if isinstance(schema, dict) and isinstance(schema.get("$ref"), str):
        yield schema["$ref"].removeprefix(_DEFINED)


def _placed(schema: Any, parts: Schema) -> Any:
    """The schema with these definitions instead of references to them."""
    if isinstance(schema, list):
        return [_placed(each, parts) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: _placed(value, parts) for name, value in schema.items()}
    if isinstance(reference := found.get("$ref"), str):
        del found["$ref"]
        return {**parts[reference.removeprefix(_DEFINED)], **found}
    return found


def tidy(schema: Any) -> Any:
    """A schema of msgspec's, as all tools read it, and as short as the same of marshmallow's.

    What has one value is `const`, which tells the members of a union apart, so that they need no discriminator. Arrays
    of a fixed length say of which kinds their items are, for tools that do not know `prefixItems`, instead of that
    nothing follows, which their length says too. Descriptions lose the indentation of docstrings, which Python 3.13
    and later strip themselves.
    """
    if isinstance(schema, list):
        return [tidy(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found: Schema = {}
    for name, value in schema.items():
        match name, value:
            case "enum", [only]:
                found["const"] = only
            case "description", str():
                found[name] = inspect.cleandoc(value)
            case "items", False if schema.get("maxItems") == len(schema.get("prefixItems", ())):
                found[name] = _any_of(tidy(schema["prefixItems"]))
            case "discriminator", {"mapping": _}:
                pass
            case "anyOf", [{"type": str() as kind, **of}, {"type": "null"}] if not {"enum", "const", *schema} & {*of}:
                found |= tidy({**of, "type": [kind, "null"]})
            case (("properties" | "$defs"), dict()):
                found[name] = {each: tidy(of) for each, of in value.items()}
            case _:
                found[name] = value if name in VALUES else tidy(value)
    return found


def unordered(schema: Any) -> Any:
    """A tidy schema without `prefixItems`, whose arrays of a fixed length say the kinds of their items and how many.

    Generators differ in what `items` mean beside `prefixItems`: to some another item follows, and none reads a list of
    several kinds right.
    """
    if isinstance(schema, list):
        return [unordered(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        name: value if name in VALUES else unordered(value)
        for name, value in schema.items()
        if not (name == "prefixItems" and isinstance(value, list))
    }


def _any_of(schemas: list[Schema]) -> Schema:
    different = [each for n, each in enumerate(schemas) if each not in schemas[:n]]
    return different[0] if len(different) == 1 else {"anyOf": different}
