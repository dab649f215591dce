"""What of the API document some strangers' tool stumbles over, found without the tool."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from holmgang.engine.schemas import VALUES

NAMED = frozenset({"schemas", "properties", "patternProperties", "$defs", "parameters", "responses", "headers"})
"""Members that hold others by names of their own."""
WRITTEN = frozenset({"init", "client", "common", "errors", "index", "models", "schemas", "sdk", "types"})
"""Files that generators write beside those of the schemas."""
GENERIC = frozenset(
    {"Array", "Awaited", "Exclude", "Extract", "Map", "Omit", "Partial", "Pick", "Promise"}
    | {"Readonly", "Record", "Required", "Set"}
)
"""Types of TypeScript that generators write into the file that has the schemas'."""


def tool_faults(document: dict[str, Any]) -> Iterator[str]:
    schemas = document["components"]["schemas"]
    yield from _of_names(schemas)
    for where, value in _values(document):
        yield from (f"{where}: {name} in a value" for name in _names(value) if name.startswith("$"))
    for where, schema in _members(document, ()):
        if len(schema.get("anyOf", "several")) == 1:
            yield f"{where}: a choice of one schema"
        if len(schema.get("enum", "several")) == 1:
            yield f"{where}: an enum of one value"
        if "prefixItems" in schema:
            yield f"{where}: prefixItems, beside which items mean this to one and that to another"


def _of_names(names: Any) -> Iterator[str]:
    found: dict[str, str] = {}
    for name in names:
        plain = name.replace("_", "").lower()
        if plain in found:
            yield f"{name}: differs from {found[plain]} by its letters' case alone"
        if plain in WRITTEN:
            yield f"{name}: generators write a file of this name"
        if name in GENERIC:
            yield f"{name}: a type of TypeScript"
        found[plain] = name


def _members(of: Any, where: tuple[str, ...], named: bool = False) -> Iterator[tuple[str, dict[str, Any]]]:
    """All objects but those that map names, and but those within examples and other values."""
    if isinstance(of, list):
        for n, each in enumerate(of):
            yield from _members(each, (*where, str(n)))
    elif isinstance(of, dict):
        if not named:
            yield "/".join(where), of
        for name, each in of.items():
            if named or name not in VALUES:
                yield from _members(each, (*where, name), not named and name in NAMED)


def _values(document: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The values of all examples, defaults, constants and choices."""
    for place, member in _members(document, ()):
        for keyword in sorted(VALUES.intersection(member)):
            found = member[keyword]
            if keyword == "examples" and isinstance(found, dict):  # those of OpenAPI, which references may stand for
                for name, example in found.items():
                    yield f"{place}/examples/{name}", example.get("value")
            else:
                yield f"{place}/{keyword}", found


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _names(each)
