"""Outlines of things that are drawn on boards: path data, read once and drawn anywhere, in any size.

An outline is SVG's path data with the commands M, L, C, Q and Z, each written out, and absolute coordinates of its own.
It is drawn with relative ones, so that two of the same size differ in their first point alone, and pack well.
"""

from __future__ import annotations

import re
from functools import lru_cache

_PARTS = re.compile(r"([A-Z])([^A-Z]*)")
_POINTS = {"M": 1, "L": 1, "Q": 2, "C": 3}
"""With so many points a command goes on to another place."""


def tenths(value: int) -> str:
    """Tenths as a decimal number, as short as can be."""
    whole, part = divmod(abs(value), 10)
    told = f"{whole or ''}.{part}" if part else str(whole)
    return f"-{told}" if value < 0 else told


@lru_cache(maxsize=1024)
def relative(outline: str, scale: float = 1) -> tuple[float, float, str]:
    """The first point, and what follows it in relative coordinates; mirrored from left to right by a negative scale.
    Each point is rounded to a tenth by itself, so that errors do not add up."""
    told: list[str] = []
    first: tuple[int, int] | None = None
    here = start = (0, 0)
    for command, values in _PARTS.findall(outline):
        if command == "Z":
            told.append("z")
            here = start
            continue
        flat = [float(value) for value in values.split()]
        numbers: list[int] = []
        for n, (x, y) in enumerate(zip(flat[::2], flat[1::2], strict=True), 1):
            point = round(10 * scale * x), round(10 * abs(scale) * y)
            numbers += [point[0] - here[0], point[1] - here[1]]
            if n % _POINTS[command] == 0:
                here = point
        if command == "M":
            start = here
        if first is None:
            first = here
        else:
            told.append(command.lower() + _joined(numbers))
    assert first is not None, f"an outline begins with M: {outline!r}"
    return first[0] / 10, first[1] / 10, "".join(told)


def _joined(numbers: list[int]) -> str:
    """Numbers with as little between them as can be read."""
    told = ""
    for number in map(tenths, numbers):
        told += number if not told or number.startswith("-") else f" {number}"
    return told
