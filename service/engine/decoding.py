"""Actions from JSON values: what has no action's shape is told apart from what another kind of turn asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from .errors import Fault, IllegalAction, MalformedAction


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
            asks = " or ".join(f"'{t}'" for t in self._tags[kind])
            raise IllegalAction(Fault("C2", f"This turn ({kind}) asks for {asks}, not '{tag}'."))
        if isinstance(value, dict) and tag is None:
            raise MalformedAction("/type", "The action has no type.")  # msgspec would not miss it where one will do
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
    pointer = path.rstrip("`").removeprefix("key` in `").replace("[...]", "").removeprefix("$")
    return MalformedAction(pointer.replace("[", "/").replace("]", "").replace(".", "/"), f"{detail}.")
