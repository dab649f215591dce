"""Observations as vectors: numbers from 0 to 1, in named blocks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
    """Takes numbers block by block. What is more than its `most` counts as 1."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._values: list[float] = []

    def _add(self, name: str, values: list[float]) -> None:
        start = len(self._values)
        self._values += values
        self.blocks.append(Block(name, start, len(self._values)))

    def numbers(self, name: str, values: Iterable[float], most: float) -> None:
        self._add(name, [min(max(value / most, 0.0), 1.0) for value in values])

    def number(self, name: str, value: float, most: float) -> None:
        self.numbers(name, (value,), most)

    def shares(self, name: str, values: list[float]) -> None:
        """Numbers that are from 0 to 1 as they come."""
        self._add(name, values)

    def flags(self, name: str, values: Iterable[object]) -> None:
        self._add(name, [float(bool(value)) for value in values])

    def one_of(self, name: str, which: int | None, size: int) -> None:
        """One flag of `size`; none for None."""
        values = [0.0] * size
        if which is not None:
            values[which] = 1.0
        self._add(name, values)

    def tally(self, name: str, words: Iterable[int], size: int, most: float) -> None:
        """How often each number below `size` is among them."""
        counts = [0.0] * size
        for word in words:
            counts[word] += 1
        self.numbers(name, counts, most)

    def counts(self, name: str, found: Mapping[str, int], keys: Iterable[str], most: float) -> None:
        """Counts by name, in the order of the keys."""
        self.numbers(name, (found.get(key, 0) for key in keys), most)

    def vector(self) -> NDArray[np.float32]:
        return np.array(self._values, dtype=np.float32)
