"""JSON read strictly, so that a text means the same to every program that reads it (RFC 8259, RFC 7493)."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from . import numbers
from .messages import say

_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')
_BRACKET = re.compile(r"[\[\]{}]")


class NotStrict(ValueError):
    """A JSON text that is refused; the argument is a sentence."""


def loads(text: str, depth: int) -> Any:
    """The value of a JSON text; floats without a fraction are ints.

    NotStrict for a key that occurs twice in one object, NaN and infinities, integers beyond 64 bits and numbers beyond
    the range of floats, NUL characters, half a surrogate pair, and values that nest deeper than `depth` levels.
    json.JSONDecodeError for what is no JSON.
    """
    if text.count("[") + text.count("{") > depth:
        _check_depth(text, depth)
    try:
        value = _decode(text)
    except OverflowError as error:
        raise NotStrict(error.args[0]) from None
    if "\\u" in text:
        _check_texts(value)
    return value


def _check_depth(text: str, most: int) -> None:
    """Before the text is decoded, which would take a deep stack."""
    depth = 0
    for bracket in _BRACKET.finditer(_STRING.sub("", text)):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > most:
            raise NotStrict(say("The JSON nests deeper than {most} levels.", most=most))


def _check_texts(value: Any) -> None:
    """Only escapes lead to these characters."""
    if isinstance(value, str):
        if "\0" in value:
            raise NotStrict(say("A text holds a NUL character."))
        if any("\ud800" <= character <= "\udfff" for character in value):
            raise NotStrict(say("A text holds half a surrogate pair."))
    elif isinstance(value, dict):
        for name, member in value.items():
            _check_texts(name)
            _check_texts(member)
    elif isinstance(value, list):
        for member in value:
            _check_texts(member)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) != len(pairs):
        names = set[str]()
        twice = next(name for name, _ in pairs if name in names or names.add(name))  # type: ignore[func-returns-value]
        raise NotStrict(say("The key {key} occurs twice in one object.", key=json.dumps(twice)[:100]))
    return read


def _constant(text: str) -> NoReturn:
    raise NotStrict(say("{text} is not JSON.", text=text))


_decode = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=numbers.integer, parse_float=numbers.number, parse_constant=_constant
).decode
