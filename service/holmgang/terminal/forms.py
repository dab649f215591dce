"""A choice out of many, put together part by part as the types of its actions say: for games that bring no face."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NoReturn

from msgspec import inspect

from holmgang.engine.misfits import MANY, asked_for, bare, misfit, type_info

from .choosers import Unclear

DONE, OMITTED = "ok", "-"
SHOWN = 40
"""Of so many values at most a list is shown; more are asked for by what they look like."""


class _Unanswered(Exception):
    """Words are used up: these lines say what is asked next."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__(lines)
        self.lines = lines


class Form:
    """Makes a JSON value of what is typed, word by word: `check` makes an action of it, or raises Unclear.

    Words may come one at a time or many in a line. A line that does not fit is not taken at all.
    """

    def __init__(self, actions: Any, check: Callable[[Any], Any], told: str, bounds: str) -> None:
        """`actions` is the type of what is chosen; `told` an example in words; `bounds` more about what is legal."""
        self._wanted = type_info(actions)
        self._check, self._told, self._bounds = check, told, bounds
        self._typed: list[list[str]] = []

    def lines(self) -> list[str]:
        asked = self._asked([word for line in self._typed for word in line])
        so_far = " ".join(word for line in self._typed for word in line)
        return [f"So far: {so_far}" if so_far else f"For example: {self._told}.", *asked]

    def _asked(self, words: list[str]) -> list[str]:
        try:
            _Reading(words).value(self._wanted, "")
        except _Unanswered as question:
            return question.lines
        return [f"`{DONE}` makes this choice."]  # a type with a single value

    def hear(self, line: str) -> Any:
        words = line.split()
        reading = _Reading([*(word for before in self._typed for word in before), *words])
        try:
            value = reading.value(self._wanted, "")
        except _Unanswered:
            self._typed.append(words)
            return None
        left = reading.left()
        if left and [word.lower() for word in left] != [DONE]:
            raise Unclear(f"'{left[0]}' is more than is asked for.")
        return self._check(value)

    def undo(self) -> None:
        if self._typed:
            self._typed.pop()

    def help(self) -> str:
        return (
            "Answer one question after another, or several in a line, with blanks between."
            f" `undo` takes back the last line. What is legal here: {self._bounds}"
        )


class _Reading:
    """Takes words one after another for the parts of a value."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words, self._at = words, 0

    def left(self) -> Sequence[str]:
        return self._words[self._at :]

    def _next(self, question: str, listed: Iterable[str] = ()) -> str:
        if self._at == len(self._words):
            raise _Unanswered([question, *listed])
        self._at += 1
        return self._words[self._at - 1]

    def value(self, wanted: inspect.Type, name: str, also: str = "") -> Any:
        """The JSON value of a part. `also` says what else may be typed there: who asks looks for it beforehand."""
        if isinstance(wanted, inspect.StructType) and wanted.array_like:
            return [*self._struct(wanted, name).values()]
        kind, extra = bare(wanted)
        match kind:
            case inspect.UnionType():
                return self._union(kind, name, also)
            case inspect.StructType():
                return self._struct(kind, name)
            case inspect.LiteralType():
                return self._picked(list(kind.values), name, also)
            case inspect.EnumType():
                return self._picked([each.value for each in kind.cls], name, also)
            case inspect.BoolType():
                return self._picked([True, False], name, also)
            case inspect.NoneType():
                return None
            case inspect.IntType() | inspect.FloatType():
                return self._number(kind, name, also)
            case inspect.StrType():
                return self._text(kind, extra, name, also)
            case inspect.DictType():
                return self._items(kind, name, lambda number: self._entry(kind, name, number))
            case inspect.TupleType():
                return [self.value(each, f"{name} {n}") for n, each in enumerate(kind.item_types, start=1)]
            case inspect.ListType() | inspect.VarTupleType() | inspect.SetType() | inspect.FrozenSetType():
                return self._items(kind, name, lambda number: self.value(kind.item_type, f"{name} {number}"))
            case _:
                return self._json(name, also)

    # Choices among few

    def _union(self, kind: inspect.UnionType, name: str, also: str) -> Any:
        told = {_called(each): each for each in kind.types}
        picked = self._picked(list(told), name, also)
        return self.value(told[picked], name or picked)

    def _picked(self, values: list[Any], name: str, also: str) -> Any:
        """One of the values, by itself or by its number in the list."""
        words = [in_words(value) for value in values]
        numbered = not any(word.isdecimal() for word in words) and len(values) <= SHOWN
        question = _headed(name) + ("which one?" if numbered else f"one of {', '.join(words[:SHOWN])}") + also
        typed = self._next(question, (f"{n:>3}  {word}" for n, word in enumerate(words, start=1)) if numbered else ())
        for n, word in enumerate(words, start=1):
            if typed == word or (numbered and typed == str(n)):
                return values[n - 1]
        alike = [n for n, word in enumerate(words) if word.lower().startswith(typed.lower())]
        if len(alike) != 1:
            _refuse(name, f"'{typed}' is none of {', '.join(words[:SHOWN])}")
        return values[alike[0]]

    # What is put together

    def _struct(self, kind: inspect.StructType, name: str) -> dict[str, Any]:
        found: dict[str, Any] = {} if kind.tag_field is None else {kind.tag_field: kind.tag}
        for field in kind.fields:
            called = f"{name} {field.encode_name}".strip() if kind.tag_field is None else field.encode_name
            if not (field.required or kind.array_like or _is_many(field.type)):
                if self._at < len(self._words) and self._words[self._at] == OMITTED:
                    self._at += 1
                    continue
                found[field.encode_name] = self.value(field.type, called, f"; `{OMITTED}` leaves it out")
            else:
                found[field.encode_name] = self.value(field.type, called)
        return found

    def _items(self, kind: Any, name: str, item: Callable[[int], Any]) -> Any:
        """So many as there may be, until `ok`."""
        found: list[Any] = []
        least, most = kind.min_length or 0, kind.max_length
        while most is None or len(found) < most:
            begun = self._at
            if self.left() and self.left()[0].lower() == DONE:
                if len(found) < least:
                    _refuse(name, f"choose {least} or more; so far you have chosen {len(found)}")
                self._at += 1
                break
            try:
                found.append(item(len(found) + 1))
            except _Unanswered as question:
                if begun == len(self._words) and len(found) >= least:
                    question.lines.append(f"`{DONE}`: {'no more' if found else 'none'} of these.")
                raise
        return dict(found) if isinstance(kind, inspect.DictType) else found

    def _entry(self, kind: inspect.DictType, name: str, number: int) -> tuple[Any, Any]:
        key = self.value(kind.key_type, f"{name} {number}")
        return key, self.value(kind.value_type, f"{name} of {in_words(key)}")

    # Single words

    def _number(self, kind: inspect.IntType | inspect.FloatType, name: str, also: str) -> int | float:
        what = asked_for(kind, {})
        typed = self._next(f"{_headed(name)}{what}{also}")
        try:
            found = int(typed) if isinstance(kind, inspect.IntType) else float(typed)
        except ValueError:
            found = math.nan
        if not math.isfinite(found) or misfit(found, kind) is not None:
            _refuse(name, f"'{typed}' is not {what}")
        return found

    def _text(self, kind: inspect.StrType, extra: Mapping[str, Any], name: str, also: str) -> str:
        what = asked_for(kind, extra)
        typed = self._next(f"{_headed(name)}{what}{also}")
        if misfit(typed, kind) is not None:
            _refuse(name, f"'{typed}' is not {what}")
        return typed

    def _json(self, name: str, also: str) -> Any:
        typed = self._next(f"{_headed(name)}JSON without blanks{also}")
        try:
            return json.loads(typed)
        except (ValueError, RecursionError):
            _refuse(name, f"'{typed}' is no JSON")


def _refuse(name: str, why: str) -> NoReturn:
    raise Unclear(f"{_headed(name)}{why}.")


def _headed(name: str) -> str:
    return f"{name.replace('_', ' ')}: " if name else ""


def _is_many(wanted: inspect.Type) -> bool:
    """Whether a part is asked for until `ok`, which says that there is none of it."""
    return isinstance(bare(wanted)[0], inspect.DictType | MANY)


def _called(wanted: inspect.Type) -> str:
    """One of several types, as it is picked."""
    kind, _ = bare(wanted)
    if isinstance(kind, inspect.StructType):
        return str(kind.tag if kind.tag is not None else kind.cls.__name__.lower())
    return {"NoneType": "none"}.get(type(kind).__name__, type(kind).__name__.removesuffix("Type").lower())


def in_words(value: Any) -> str:
    """A JSON value as one would say it: keys before what they have, and lists with commas."""
    if isinstance(value, dict):
        return ", ".join(f"{str(key).replace('_', ' ')} {_nested(each)}".strip() for key, each in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(_nested(each) for each in value)
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    return str(value)


def _nested(value: Any) -> str:
    told = in_words(value)
    if isinstance(value, dict | list | tuple):
        return f"({told})" if len(value) > 1 else told or "nothing"
    return told
