"""Actions from JSON values: what has no action's shape is told apart from what another kind of turn asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from .errors import Fault, IllegalAction, MalformedAction
from .said import either, say, template
from .sentences import Sentences

_SENTENCES = Sentences(
    template("Expected `{wanted}`, got `{found}`."),
    template("Expected `{wanted}` of length {length}, got {count}."),
    template("Expected `{wanted}` of at least length {length}, got {count}."),
    template("Expected `{wanted}` of at most length {length}, got {count}."),
    template("Expected `{wanted}` of length {least} to {most}, got {count}."),
    template("Expected `{wanted}` of length {least} to {most}."),
    template("Expected `{wanted}` of length >= {least}."),
    template("Expected `{wanted}` of length <= {most}."),
    template("Expected `{wanted}` of length {length}."),
    template("Expected `{wanted}` >= {least}."),
    template("Expected `{wanted}` <= {most}."),
    template("Expected `{wanted}` matching regex {pattern}."),
    template("Expected `{wanted}`."),
    template("Invalid enum value {value}."),
    template("Invalid value {value}."),
    template("Object missing required field `{name}`."),
    template("Object contains unknown field `{name}`."),
    template("Integer value out of range."),
)
"""What msgspec says of values that are no actions."""


class ActionDecoder:
    """Reads the actions of a ruleset: `turn_kinds` maps each kind of turn to its union of tagged Structs."""

    def __init__(self, turn_kinds: Mapping[str, Any]) -> None:
        self._kinds = turn_kinds
        self._tags = {kind: _tags(union) for kind, union in turn_kinds.items()}
        self._every_tag = {tag for tags in self._tags.values() for tag in tags}

    def __call__(self, kind: str, value: Any) -> Any:
        """MalformedAction for the shape; IllegalAction (C2) for an action that other turns ask for."""
        tag = value.get("type") if isinstance(value, dict) else None
        if isinstance(tag, str) and tag not in self._tags[kind] and tag in self._every_tag:
            asks = either(f"'{t}'" for t in self._tags[kind])
            raise IllegalAction(
                Fault("C2", say("This turn ({kind}) asks for {asks}, not '{tag}'.", kind=kind, asks=asks, tag=tag))
            )
        if isinstance(value, dict) and tag is None:
            # msgspec would not miss it where one will do
            raise MalformedAction("/type", say("The action has no type."))
        try:
            return msgspec.convert(value, self._kinds[kind], strict=True)
        except msgspec.ValidationError as fault:
            raise _malformed(str(fault)) from None


def _tags(union: Any) -> tuple[str, ...]:
    types = getattr(union, "__args__", (union,))
    return tuple(t.__struct_config__.tag for t in types)


def _malformed(said: str) -> MalformedAction:
    """msgspec says `Expected int, got str - at `$.fields[...]``."""
    detail, _, path = said.partition(" - at `")
    detail += "."
    pointer = path.rstrip("`").removeprefix("key` in `").replace("[...]", "").removeprefix("$")
    return MalformedAction(pointer.replace("[", "/").replace("]", "").replace(".", "/"), _SENTENCES(detail))
