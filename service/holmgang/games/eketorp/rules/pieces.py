"""Stones and Vikings as they are drawn."""

from __future__ import annotations

from collections.abc import Iterator

from holmgang.engine.drawing import TOKEN, Canvas, Item, Place, emblem, tile, tokens
from holmgang.engine.messages import say

from .board import ENGINE_WORDS, KINDS, STONE_WORDS
from .effects import Counts


def stones(canvas: Canvas, counts: Counts, at: str, many: int = 4) -> Iterator[Item]:
    """Stones as tiles with the first letter of their kind."""
    for kind in KINDS:
        if number := counts.get(kind, 0):
            yield from tokens(canvas, "stone", number, 15, _stone(canvas, kind), many, kind=kind, at=at)


def _stone(canvas: Canvas, kind: str) -> Place:
    return lambda x, y: tile(canvas, kind, canvas.initial(STONE_WORDS[kind]), x, y + 1, 15)


def vikings(canvas: Canvas, seat: int, number: int, at: str, many: int = 4) -> Iterator[Item]:
    """Vikings of one clan."""

    def draw(x: float, y: float) -> None:
        emblem(canvas, seat, x + 8, y + TOKEN / 2, 7.4)

    yield from tokens(canvas, "viking", number, 16, draw, many, seat=seat, at=at)


def siege_told(space: str) -> str:
    """The name of a siege space, such as `2:ram`; a field's is its letter in each language."""
    village, _, engine = space.partition(":")
    return say("{village}:{engine}", village=village, engine=ENGINE_WORDS[engine]) if engine else space
