"""Drakkars' picture: whatever stands on a cell leaves the cell's number and the name of its town free."""

from __future__ import annotations

import re
from typing import Any

import pytest

from holmgang.engine.drawing import Canvas
from holmgang.games.drakkars.rules.ring import ring

from .playing import Game


class Traced(Canvas):
    """A canvas that notes how high up ships and fog reach, and how far down the names of cells and towns."""

    def __init__(self) -> None:
        super().__init__()
        self.within: list[dict[str, Any]] = []
        self.names: dict[int, float] = {}
        self.tops: dict[int, float] = {}

    def begin(self, kind: str, /, **data: Any) -> None:
        self.within.append({"kind": kind, **data})
        super().begin(kind, **data)

    def end(self) -> None:
        self.within.pop()
        super().end()

    def text(self, x: float, y: float, words: str, *rest: Any, **more: Any) -> None:
        if self.within and self.within[-1]["kind"] in ("cell", "town"):
            cell = self.within[0]["at"]
            self.names[cell] = max(y, self.names.get(cell, 0))
        super().text(x, y, words, *rest, **more)

    def outline(self, x: float, y: float, outline: str, *classes: str, scale: float = 1, line: float = 1) -> None:
        if self.within and self.within[-1]["kind"] in ("ship", "fog") and self.within[-1]["at"] != "fjord":
            numbers = [float(one) for one in re.findall(r"[-.\d]+", outline)]
            top = y + min(numbers[1::2]) * abs(scale)
            cell = self.within[-1]["at"]
            self.tops[cell] = min(top, self.tops.get(cell, top))
        super().outline(x, y, outline, *classes, scale=scale, line=line)


@pytest.mark.parametrize("cell", [0, 4, 9, 13, 22, 30])
@pytest.mark.parametrize("fog", [False, True])
def test_names_are_where_no_ship_stands(cell: int, fog: bool) -> None:
    hidden: dict[int, Any] = {1: (cell, [3])} if fog else {}
    ships = {"a0": cell, "b0": "hidden" if fog else 34}
    canvas = Traced()
    ring(canvas, Game.at(ships=ships, fog=hidden, towns={cell: "gs", 34: "c"}, hands={0: [1], 1: [2]}).view(0), 0)
    assert set(canvas.tops) == ({cell} if fog else {cell, 34})
    for there, top in canvas.tops.items():
        assert top > canvas.names[there], there
