"""Why a JSON value is not what a type asks for, in plain words: the first part that does not fit, and what fits there.

msgspec finds out faster that something is wrong, but tells it in words of Python.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from typing import Any, NamedTuple

from msgspec import inspect

from .messages import Said, either, listed, say, template
from .messages import counted as numbered

SHOWN = 40
"""Characters of somebody's own text that a sentence repeats."""


class Misfit(NamedTuple):
    """A JSON pointer (RFC 6901) to the part that does not fit, and a sentence that names it."""

    pointer: str
    detail: Said


type_info = cache(inspect.type_info)
MANY = inspect.VarTupleType | inspect.ListType | inspect.SetType | inspect.FrozenSetType
"""Types of lists of any length."""


def nearest(name: str, names: Iterable[str]) -> str | None:
    """What was probably meant; None where nothing is like it."""
    by_lower = {each.lower(): each for each in names}
    found = get_close_matches(name[:SHOWN].lower(), by_lower, n=1)
    return by_lower[found[0]] if found else None


def quoted(names: Iterable[str]) -> list[str]:
    return [say("'{name}'", name=name) for name in names]


def found_there(value: Any) -> str:
    """What stands in a JSON value's place, as it is written there or by what it is."""
    if isinstance(value, Mapping):
        return say("a JSON object")
    if isinstance(value, list | tuple):
        return say("a list")
    text = json.dumps(value, default=repr, ensure_ascii=False)
    return _visible(text if len(text) <= SHOWN else f"{text[:SHOWN]}...")


def counted(value: Any) -> str:
    """The same of what stands where there should be a list: how long it is, if it is one."""
    return say("of {count}", count=len(value)) if isinstance(value, list | tuple) else found_there(value)


def misfit(value: Any, wanted: inspect.Type, path: tuple[str, ...] = ()) -> Misfit | None:
    """The first part of `value` that is not what `wanted` asks for; None where all of it is."""
    kind, extra = bare(wanted)
    if isinstance(kind, inspect.StructType):
        return _of_struct(value, kind, path)
    if isinstance(kind, inspect.DictType):
        return _of_dict(value, kind, path)
    if isinstance(kind, MANY):
        return _of_list(value, kind, path)
    if isinstance(kind, inspect.TupleType):
        return _of_tuple(value, kind, path)
    return None if _fits(value, kind) else _wrong(path, asked_for(kind, extra), found_there(value))


def unknown_key(path: tuple[str, ...], keys: Sequence[str]) -> Misfit:
    """Of a key at the end of `path` that is none of `keys`."""
    where, there = _where(path), listed(quoted(keys))
    meant = nearest(path[-1], keys)
    if meant is None:
        unknown = say("The key '{where}' is unknown: the keys here are {keys}.", where=where, keys=there)
        return Misfit(_pointer(path), unknown)
    return Misfit(
        _pointer(path),
        say(
            "The key '{where}' is unknown: the keys here are {keys}. Did you mean '{meant}'?",
            where=where,
            keys=there,
            meant=meant,
        ),
    )


def _of_struct(value: Any, kind: inspect.StructType, path: tuple[str, ...]) -> Misfit | None:
    if not isinstance(value, Mapping):
        return _wrong(path, say("a JSON object"), found_there(value))
    fields = {field.encode_name: field for field in kind.fields}
    keys = [*fields] if kind.tag_field is None else [kind.tag_field, *fields]
    for name in value:
        if name not in keys:
            return unknown_key((*path, str(name)), keys)
    for name, field in fields.items():
        if name in value:
            if (found := misfit(value[name], field.type, (*path, name))) is not None:
                return found
        elif field.required:
            here = (*path, name)
            return Misfit(
                _pointer(here),
                say(
                    "'{where}' is missing: it must be {wanted}.",
                    where=_where(here),
                    wanted=asked_for(*bare(field.type)),
                ),
            )
    return None


def _of_dict(value: Any, kind: inspect.DictType, path: tuple[str, ...]) -> Misfit | None:
    if not isinstance(value, Mapping):
        return _wrong(path, asked_for(kind, {}), found_there(value))
    keys, _ = bare(kind.key_type)
    for name in value:
        if isinstance(keys, inspect.LiteralType) and name not in keys.values:
            return unknown_key((*path, str(name)), [str(key) for key in keys.values])
    if (found := _of_length(value, kind, path)) is not None:
        return found
    parts = (misfit(member, kind.value_type, (*path, str(name))) for name, member in value.items())
    return next((part for part in parts if part is not None), None)


def _of_list(value: Any, kind: Any, path: tuple[str, ...]) -> Misfit | None:
    if not isinstance(value, list | tuple):
        return _wrong(path, asked_for(kind, {}), found_there(value))
    if (found := _of_length(value, kind, path)) is not None:
        return found
    parts = (misfit(entry, kind.item_type, (*path, str(n))) for n, entry in enumerate(value))
    return next((part for part in parts if part is not None), None)


def _of_tuple(value: Any, kind: inspect.TupleType, path: tuple[str, ...]) -> Misfit | None:
    if not isinstance(value, list | tuple) or len(value) != len(kind.item_types):
        return _wrong(path, asked_for(kind, {}), counted(value))
    parts = (
        misfit(entry, each, (*path, str(n))) for n, (entry, each) in enumerate(zip(value, kind.item_types, strict=True))
    )
    return next((part for part in parts if part is not None), None)


def _of_length(value: Any, kind: Any, path: tuple[str, ...]) -> Misfit | None:
    count = len(value)
    if (kind.min_length or 0) <= count and (kind.max_length is None or count <= kind.max_length):
        return None
    return _wrong(path, asked_for(kind, {}), say("of {count}", count=count))


def _fits(value: Any, kind: inspect.Type) -> bool:
    if isinstance(kind, inspect.UnionType):
        return any(misfit(value, each) is None for each in kind.types)
    if isinstance(kind, inspect.LiteralType):
        return any(type(value) is type(each) and value == each for each in kind.values)
    if isinstance(kind, inspect.EnumType):
        return any(type(value) is type(each.value) and value == each.value for each in kind.cls)
    if isinstance(kind, inspect.IntType | inspect.FloatType):
        numbers = int if isinstance(kind, inspect.IntType) else int | float
        return isinstance(value, numbers) and not isinstance(value, bool) and _in_bounds(value, kind)
    if isinstance(kind, inspect.StrType):
        if not isinstance(value, str) or not (kind.min_length or 0) <= len(value) <= (kind.max_length or len(value)):
            return False
        return kind.pattern is None or re.search(kind.pattern, value) is not None
    if isinstance(kind, inspect.NoneType):
        return value is None
    return not isinstance(kind, inspect.BoolType) or isinstance(value, bool)


def _in_bounds(value: float, kind: inspect.IntType | inspect.FloatType) -> bool:
    return (
        (kind.ge is None or value >= kind.ge)
        and (kind.gt is None or value > kind.gt)
        and (kind.le is None or value <= kind.le)
        and (kind.lt is None or value < kind.lt)
    )


def span(kind: inspect.IntType) -> tuple[int | None, int | None]:
    """The least and the greatest whole number of a type; None where there is none."""
    least = kind.ge if kind.gt is None else int(kind.gt) + 1
    most = kind.le if kind.lt is None else int(kind.lt) - 1
    return least, most


def asked_for(kind: inspect.Type, extra: Mapping[str, Any]) -> str:
    """What is asked for, as it is said after `must be`."""
    if isinstance(kind, inspect.UnionType):
        return either(asked_for(*bare(each)) for each in kind.types)
    if isinstance(kind, inspect.LiteralType):
        return either(quoted(map(str, kind.values)))
    if isinstance(kind, inspect.EnumType):
        return either(quoted(str(each.value) for each in kind.cls))
    if isinstance(kind, inspect.IntType):
        return _whole_number(*span(kind))
    if isinstance(kind, inspect.FloatType):
        return _number(kind)
    if isinstance(kind, inspect.StrType):
        return _text(kind, extra)
    if isinstance(kind, inspect.BoolType):
        return say("true or false")
    if isinstance(kind, inspect.NoneType):
        return "null"
    if isinstance(kind, MANY):
        least, most = kind.min_length or 0, kind.max_length
        if least == most and isinstance(bare(kind.item_type)[0], inspect.IntType):
            return numbered(
                most, template("a list of {count} whole number"), template("a list of {count} whole numbers")
            )
        if least == most:
            return _entries(most)
        if most is None:
            one, several = template("a list of {count} entry or more"), template("a list of {count} entries or more")
            return numbered(least, one, several) if least else say("a list")
        return say("a list of {least} to {most} entries", least=least, most=most)
    if isinstance(kind, inspect.TupleType):
        return _entries(len(kind.item_types))
    if isinstance(kind, inspect.DictType) and kind.max_length is not None:
        return say("a JSON object of {least} to {most} keys", least=kind.min_length or 0, most=kind.max_length)
    return say("a JSON object") if isinstance(kind, inspect.StructType | inspect.DictType) else say("a value")


def _entries(count: int) -> str:
    return numbered(count, template("a list of {count} entry"), template("a list of {count} entries"))


def _whole_number(least: int | None, most: int | None) -> str:
    if least is not None and most is not None:
        return say("a whole number from {least} to {most}", least=least, most=most)
    if least is not None:
        return say("a whole number from {least} on", least=least)
    return say("a whole number") if most is None else say("a whole number up to {most}", most=most)


def _number(kind: inspect.FloatType) -> str:
    if kind.ge is not None and kind.le is not None:
        return say("a number from {least} to {most}", least=kind.ge, most=kind.le)
    ends = ((">=", kind.ge), (">", kind.gt), ("<=", kind.le), ("<", kind.lt))
    bounds = ", ".join(f"{sign} {end}" for sign, end in ends if end is not None)
    return say("a number {bounds}", bounds=bounds) if bounds else say("a number")


def _text(kind: inspect.StrType, extra: Mapping[str, Any]) -> str:
    if "examples" in extra:
        return say("a name such as '{example}'", example=extra["examples"][0])
    if kind.max_length is None:
        return say("a text")
    return say("a text of {least} to {most} characters", least=kind.min_length or 0, most=kind.max_length)


def bare(wanted: inspect.Type) -> tuple[inspect.Type, Mapping[str, Any]]:
    """A type without what JSON Schema is told besides, and that. What is written as a list, such as a Struct that is
    `array_like`, is a tuple."""
    extra: Mapping[str, Any] = {}
    while isinstance(wanted, inspect.Metadata):
        extra = wanted.extra_json_schema or extra
        wanted = wanted.type
    if isinstance(wanted, inspect.NamedTupleType):
        return inspect.TupleType(tuple(field.type for field in wanted.fields)), extra
    if isinstance(wanted, inspect.StructType) and wanted.array_like:
        tag = () if wanted.tag_field is None else (inspect.LiteralType((wanted.tag,)),)
        return inspect.TupleType((*tag, *(field.type for field in wanted.fields))), extra
    return wanted, extra


def _wrong(path: tuple[str, ...], wanted: str, found: str) -> Misfit:
    return Misfit(
        _pointer(path),
        say("'{where}' must be {wanted}, not {found}.", where=_where(path), wanted=wanted, found=found),
    )


def _where(path: tuple[str, ...]) -> str:
    """A part's place for people: its keys, of bearable length and in characters that can be seen."""
    where = "/".join(part if len(part) <= SHOWN else f"{part[:SHOWN]}..." for part in path)
    return _visible(json.dumps(where, ensure_ascii=False)[1:-1])


def _visible(text: str) -> str:
    """Letters of all scripts as they are; as JSON escapes what others cannot see."""
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)


def _pointer(path: tuple[str, ...]) -> str:
    return "".join("/" + part[:100].replace("~", "~0").replace("/", "~1") for part in path)
