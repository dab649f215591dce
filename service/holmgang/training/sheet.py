"""Observations as vectors: numbers from 0 to 1, in named blocks."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Block(NamedTuple):
    """A named part of an observation: its numbers from `start`, up to `stop`."""

    name: str
    start: int
    stop: int


class Sheet:
    """Takes numbers block by block. What is more than its `most` counts as 1.

    It is filled at every step of a training, hence its plain loops. A part that is often the same can be a sheet of its
    own, which is made once and added.
    """

    def __init__(self) -> None:
        self._values = array("f")
        self._names: list[str] = []
        self._sizes: list[int] = []

    @property
    def blocks(self) -> list[Block]:
        stops = list(accumulate(self._sizes))
        return [
            Block(name, stop - size, stop) for name, size, stop in zip(self._names, self._sizes, stops, strict=True)
        ]

    def shares(self, name: str, values: Sequence[float]) -> None:
        """Numbers that are from 0 to 1 as they come."""
        self._values += values if type(values) is array else array("f", values)
        self._names.append(name)
        self._sizes.append(len(values))

    def numbers(self, name: str, values: Iterable[float], most: float) -> None:
        self.shares(name, [0.0 if value <= 0 else 1.0 if value >= most else value / most for value in values])

    def number(self, name: str, value: float, most: float) -> None:
        self.shares(name, (0.0 if value <= 0 else 1.0 if value >= most else value / most,))

    def flags(self, name: str, values: Iterable[object]) -> None:
        self.shares(name, [1.0 if value else 0.0 for value in values])

    def one_of(self, name: str, which: int | None, size: int) -> None:
        """One flag of `size`; none for None."""
        self.shares(name, one_hot(which, size))

    def some_of(self, name: str, which: Iterable[int], size: int) -> None:
        """So many of `size` flags."""
        values = [0.0] * size
        for one in which:
            values[one] = 1.0
        self.shares(name, values)

    def tally(self, name: str, words: Iterable[int], size: int, most: float) -> None:
        """How often each number below `size` is among them."""
        counts = [0.0] * size
        for word in words:
            counts[word] += 1
        self.numbers(name, counts, most)

    def counts(self, name: str, found: Mapping[str, int], keys: Iterable[str], most: float) -> None:
        """Counts by name, in the order of the keys."""
        self.numbers(name, [found.get(key, 0) for key in keys], most)

    def add(self, other: Sheet) -> None:
        """All blocks of another."""
        self._values += other._values
        self._names += other._names
        self._sizes += other._sizes

    def vector(self) -> NDArray[np.float32]:
        return np.array(self._values)


@lru_cache(maxsize=4096)
def one_hot(which: int | None, size: int) -> array[float]:
    if which is not None and not 0 <= which < size:
        raise IndexError(f"{which} is none of {size}")
    return array("f", (n == which for n in range(size)))
