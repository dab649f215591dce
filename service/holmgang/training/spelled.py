"""JSON values as words, by the schema of their type: for each type a finite list, and one spelling a value."""

from __future__ import annotations

import json
import string
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import inspect

from holmgang.engine.misfits import bare, span, type_info

ENOUGH, OMITTED, NONE, MINUS = "(enough)", "(left out)", "(none)", "(minus)"
MOST_NUMBERS = 256
"""Integers of a range up to so wide are a word each; others are spelled by their digits."""
CHARACTERS = [chr(code) for code in range(32, 127)]
CODE = "(code)"
"""Before other characters, which are spelled by their numbers in Unicode."""


def words_of(actions: Iterable[Any]) -> tuple[str, ...]:
    """All words that values of these types are spelled with, in an order that the types alone make."""
    found: dict[str, None] = {}
    seen: set[type] = set()
    for each in actions:
        for word in _words(type_info(each), seen):
            found[word] = None
    return tuple(found)


def spelled(wanted: Any, value: Any) -> Iterator[str]:
    """The words of a JSON value of a type. No value's spelling begins another's."""
    return _spelled(type_info(wanted), value)


def _character(one: str) -> str:
    return f"'{one}'"


def _numbers(kind: inspect.IntType) -> range | None:
    """The range of an integer; None where it is too wide for words of its own."""
    low, high = span(kind)
    if low is None or high is None or high - low >= MOST_NUMBERS:
        return None
    return range(low, high + 1)


def _named(kind: inspect.Type) -> str:
    return type(kind).__name__.removesuffix("Type").lower()


def _listed(kind: inspect.Type) -> list[Any] | None:
    """The values of a type that has few."""
    match kind:
        case inspect.LiteralType():
            return list(kind.values)
        case inspect.EnumType():
            return [each.value for each in kind.cls]
        case inspect.BoolType():
            return [False, True]
        case inspect.NoneType():
            return [None]
        case inspect.IntType():
            numbers = _numbers(kind)
            return None if numbers is None else list(numbers)
        case _:
            return None


def _word(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: NONE, True: "yes", False: "no"}[value]
    return str(value)


def _words(wanted: inspect.Type, seen: set[type]) -> Iterator[str]:
    if isinstance(wanted, inspect.Metadata):
        yield from _words(wanted.type, seen)
        return
    if isinstance(wanted, inspect.StructType):
        if wanted.cls in seen:
            return
        seen.add(wanted.cls)
    kind, _ = bare(wanted)
    values = _listed(kind)
    if values is not None:
        yield from map(_word, values)
        return
    match kind:
        case inspect.UnionType():
            for member in kind.types:
                each, _ = bare(member)
                if not isinstance(each, inspect.StructType):
                    yield _named(each)
                yield from _words(member, seen)
        case inspect.StructType():
            if kind.tag is not None:
                yield str(kind.tag)
            for field in kind.fields:
                if not field.required:
                    yield OMITTED
                yield from _words(field.type, seen)
        case inspect.DictType():
            yield from _words(kind.key_type, seen)
            yield from _words(kind.value_type, seen)
            yield ENOUGH
        case inspect.TupleType():
            for each in kind.item_types:
                yield from _words(each, seen)
        case inspect.ListType() | inspect.VarTupleType() | inspect.SetType() | inspect.FrozenSetType():
            yield from _words(kind.item_type, seen)
            yield ENOUGH
        case inspect.IntType():
            yield from (MINUS, *map(_character, string.digits), ENOUGH)
        case _:
            yield from (*map(_character, CHARACTERS), CODE, ENOUGH)


def _spelled(wanted: inspect.Type, value: Any) -> Iterator[str]:
    kind, _ = bare(wanted)
    if _listed(kind) is not None:
        yield _word(value)
        return
    match kind:
        case inspect.UnionType():
            each = next(each for each, _ in map(bare, kind.types) if _fits(each, value))
            if not isinstance(each, inspect.StructType):
                yield _named(each)
            yield from _spelled(each, value)
        case inspect.StructType():
            if kind.tag is not None:
                yield str(kind.tag)
            for field in kind.fields:
                if field.encode_name in value:
                    yield from _spelled(field.type, value[field.encode_name])
                else:
                    yield OMITTED
        case inspect.DictType():
            for key in sorted(value):
                yield from _spelled(kind.key_type, key)
                yield from _spelled(kind.value_type, value[key])
            yield ENOUGH
        case inspect.TupleType():
            for each, item in zip(kind.item_types, value, strict=True):
                yield from _spelled(each, item)
        case inspect.ListType() | inspect.VarTupleType() | inspect.SetType() | inspect.FrozenSetType():
            for item in value:
                yield from _spelled(kind.item_type, item)
            if kind.min_length is None or kind.min_length != kind.max_length:
                yield ENOUGH
        case inspect.IntType():
            if value < 0:
                yield MINUS
            yield from map(_character, str(abs(value)))
            yield ENOUGH
        case _:
            for one in value if isinstance(value, str) else json.dumps(value, sort_keys=True):
                if one in CHARACTERS:
                    yield _character(one)
                else:
                    yield CODE
                    yield from map(_character, f"{ord(one):07}")
            yield ENOUGH


def _fits(kind: inspect.Type, value: Any) -> bool:
    """Whether a value is of this one of several types, which JSON can tell apart."""
    values = _listed(kind)
    if values is not None:
        return any(value is each or (value == each and type(value) is type(each)) for each in values)
    match kind:
        case inspect.StructType():
            return isinstance(value, dict) and (kind.tag is None or value.get(kind.tag_field) == kind.tag)
        case inspect.DictType():
            return isinstance(value, dict)
        case inspect.IntType():
            return type(value) is int
        case inspect.FloatType():
            return type(value) is float
        case inspect.StrType():
            return isinstance(value, str)
        case inspect.TupleType():
            parts = isinstance(value, list | tuple) and len(value) == len(kind.item_types)
            return parts and all(_fits(bare(each)[0], one) for each, one in zip(kind.item_types, value, strict=True))
        case _:
            return isinstance(value, list | tuple)
