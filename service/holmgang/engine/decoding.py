"""Actions from JSON values: what has no action's shape is told apart from what another kind of turn asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import inspect

from .errors import Fault, IllegalAction, MalformedAction
from .messages import either, say
from .misfits import found_there, misfit, nearest, quoted, type_info
from .numbers import whole

_MISFIT = (msgspec.ValidationError, UnicodeEncodeError)
"""What msgspec raises; the latter for half a surrogate pair."""


class ActionDecoder:
    """Reads the actions of a ruleset: `turn_kinds` maps each kind of turn to its union of tagged Structs."""

    def __init__(self, turn_kinds: Mapping[str, Any]) -> None:
        self._kinds = turn_kinds
        self._tags = {kind: _tags(union) for kind, union in turn_kinds.items()}
        self._every_tag = {tag for tags in self._tags.values() for tag in tags}

    def __call__(self, kind: str, value: Any) -> Any:
        """MalformedAction for the shape; IllegalAction (C2) for an action that other turns ask for.

        Floats without a fraction are integers.
        """
        tag = value.get("type") if isinstance(value, dict) else None
        tags = self._tags[kind]
        if tag not in tags:
            raise self._another(kind, value)
        try:
            return msgspec.convert(value, self._kinds[kind], strict=True)
        except _MISFIT:
            pass
        plain = whole(value)
        try:
            return msgspec.convert(plain, self._kinds[kind], strict=True)
        except _MISFIT:
            raise self._malformed(kind, plain) from None

    def _another(self, kind: str, value: Any) -> IllegalAction | MalformedAction:
        """What is wrong with a value whose type is none of this turn's."""
        tags = self._tags[kind]
        types = either(quoted(tags))
        if not isinstance(value, dict):
            return MalformedAction(
                "",
                say(
                    "An action is a JSON object whose 'type' is {types}, not {found}.",
                    types=types,
                    found=found_there(value),
                ),
            )
        if "type" not in value:
            return MalformedAction("/type", say("The action has no 'type': it must be {types}.", types=types))
        tag = value["type"]
        if isinstance(tag, str) and tag in self._every_tag:
            return IllegalAction(
                Fault("C2", say("This turn ({kind}) asks for {asks}, not '{tag}'.", kind=kind, asks=types, tag=tag))
            )
        meant = nearest(tag, tags) if isinstance(tag, str) else None
        found = found_there(tag)
        if meant is None:
            return MalformedAction("/type", say("'type' must be {types}, not {found}.", types=types, found=found))
        return MalformedAction(
            "/type",
            say("'type' must be {types}, not {found}. Did you mean '{meant}'?", types=types, found=found, meant=meant),
        )

    def _malformed(self, kind: str, value: dict[str, Any]) -> MalformedAction:
        union = type_info(self._kinds[kind])
        members = union.types if isinstance(union, inspect.UnionType) else (union,)
        wanted = next(each for each in members if isinstance(each, inspect.StructType) and each.tag == value["type"])
        found = misfit(value, wanted)
        if found is None:
            return MalformedAction("", say("This is no action of the type '{type}'.", type=value["type"]))
        return MalformedAction(found.pointer, found.detail)


def _tags(union: Any) -> tuple[str, ...]:
    types = getattr(union, "__args__", (union,))
    return tuple(t.__struct_config__.tag for t in types)
