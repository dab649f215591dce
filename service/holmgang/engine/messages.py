"""Sentences for people that can be said in other languages: the English text, and what it was made of.

Rules and use cases only make them, by `say`; `holmgang.languages` turns them into the language that somebody reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from typing import Any, NamedTuple


class Said(str):
    """A text in English that remembers its template and the values in it. Values that are Said are translated too."""

    __slots__ = ("template", "values")
    template: str
    values: Mapping[str, Any]

    def __new__(cls, template: str, values: Mapping[str, Any]) -> Said:
        said = super().__new__(cls, template.format_map(values))
        said.template = template
        said.values = values
        return said

    def __reduce__(self) -> tuple[Any, ...]:
        return Said, (self.template, self.values)


def say(template: str, /, **values: Any) -> Said:
    """A sentence. `template` stands in the source as a literal, for the catalogues are made of what stands there; its
    `{name}`s are filled with `values`."""
    return Said(template, values)


def counted(number: int, one: str, several: str, **values: Any) -> Said:
    """`1 point`, `2 points`. Both are templates (`template`), with `{count}` for the number, and filled with `values`
    too."""
    return Said(one if number == 1 else several, {"count": number, **values})


def how_many(number: int, noun: str) -> str:
    """`1 card`, `2 cards`: in English alone, of what is not translated."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def either(choices: Iterable[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    *others, last = choices
    return say("{some} or {last}", some=listed(others), last=last) if others else last


def listed(parts: Iterable[str]) -> str:
    """`a`, `a, b`, `a, b, c`."""
    return reduce(lambda some, last: say("{some}, {last}", some=some, last=last), parts)


def way(points: Iterable[str]) -> str:
    """`a`, `a to b`, `a to b to c`: of a path."""
    return reduce(lambda some, last: say("{some} to {last}", some=some, last=last), points)


def template(text: str) -> str:
    """Marks a literal as the template of something that is said later, by `Said`."""
    return text


class Tongue(NamedTuple):
    """The language that somebody reads, by its tag, and what puts into it whatever is said. Names, numbers and other
    mere texts stay."""

    language: str
    into: Callable[[str], str]


ENGLISH = Tongue("en", str)
