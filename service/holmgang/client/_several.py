"""Arguments that hold several strings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol, TypeVar

T_co = TypeVar("T_co", covariant=True)


class Several(Protocol[T_co]):
    """A list, a tuple, a set or the like. Python takes a string for a collection of its letters; this does not."""

    def __iter__(self) -> Iterator[T_co]: ...
    def __len__(self) -> int: ...
    def __contains__(self, item: object, /) -> bool: ...  # what a string contains are only strings


def several(name: str, given: Several[str]) -> list[str]:
    """The strings of the argument of that name. Raises TypeError for a single one, for a dict such as a game, whose
    keys would be taken for them, for what holds nothing, and for other items."""
    if isinstance(given, str):
        raise TypeError(f"`{name}` takes several: write [{given!r}], not {given!r}.")
    if isinstance(given, Mapping | bytes) or not isinstance(given, Iterable):
        raise TypeError(f"`{name}` takes several strings, and not a {type(given).__name__}.")
    items = list(given)
    for item in items:
        if not isinstance(item, str):
            raise TypeError(f"`{name}` takes strings, and one of its items is of type {type(item).__name__}.")
    return items
