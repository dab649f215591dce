"""Boards of squares: their names, what lies in line, and how they are written and drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .drawing import MARGIN, SMALL, WIDTH, Canvas

LETTERS = "abcdefghijklmnopqrstuvwxyz"
LABELS = 16.0
"""Room for the letters above a drawn board and the numbers beside it."""
WIDEST = 60.0
"""How wide a square is drawn at most."""


class Drawn(NamedTuple):
    """A board in a picture: the upper left corner of its first square, how wide a square is, and its lower edge."""

    board: Squares
    left: float
    top: float
    size: float
    bottom: float

    def centre(self, square: int) -> tuple[float, float]:
        row, column = divmod(square, self.board.columns)
        return self.left + (column + 0.5) * self.size, self.top + (row + 0.5) * self.size


class Squares:
    """A board of up to 26 columns. Squares are numbered from 0, row by row from the top. They are called by the letter
    of their column, from the left, and by the number of their row: `a1`, `b1`.

    `rays` has for each square the squares that lie in line with it, from the nearest on: upwards, to the right,
    downwards, to the left.
    """

    def __init__(self, columns: int, rows: int) -> None:
        if not 1 <= columns <= len(LETTERS) or rows < 1:
            raise ValueError(f"a board has 1 to {len(LETTERS)} columns and at least a row, not {columns} and {rows}")
        self.columns, self.rows = columns, rows
        whole = range(columns * rows)
        self.names = tuple(f"{LETTERS[square % columns]}{square // columns + 1}" for square in whole)
        self.numbers = {name: square for square, name in enumerate(self.names)}
        self.rays = tuple(
            (
                tuple(range(square - columns, -1, -columns)),
                tuple(range(square + 1, square - square % columns + columns)),
                tuple(range(square + columns, columns * rows, columns)),
                tuple(range(square - 1, square - square % columns - 1, -1)),
            )
            for square in whole
        )
        self.edge = frozenset(square for square in whole if not all(self.rays[square]))
        self.corners = frozenset((0, columns - 1, columns * (rows - 1), columns * rows - 1))

    def beside(self, square: int) -> tuple[int, ...]:
        """The neighbours: above, to the right, below, to the left."""
        return tuple(ray[0] for ray in self.rays[square] if ray)

    def text(self, marks: Sequence[str]) -> str:
        """The board with a character for each square, and letters and numbers round it."""
        wide = len(str(self.rows))
        lines = [" " * wide + " " + " ".join(LETTERS[: self.columns])]
        lines += [
            f"{row + 1:{wide}} " + " ".join(marks[row * self.columns : (row + 1) * self.columns])
            for row in range(self.rows)
        ]
        return "\n".join(lines)

    def draw(self, canvas: Canvas, top: float, fills: Sequence[str]) -> Drawn:
        """Draw it as wide as fits, each square filled as its class says, with letters and numbers round it. Squares are
        groups of the class `point` that tell their names in `data-at`."""
        size = min(WIDEST, (WIDTH - 2 * MARGIN - LABELS) / self.columns)
        left, top = (WIDTH + LABELS - self.columns * size) / 2, top + LABELS
        there = Drawn(self, left, top, size, top + self.rows * size)
        for column in range(self.columns):
            canvas.text(left + (column + 0.5) * size, top - 5, LETTERS[column], SMALL, at="middle")
        for row in range(self.rows):
            canvas.text(left - 5, top + (row + 0.5) * size + 4, str(row + 1), SMALL, at="end")
        for square, name in enumerate(self.names):
            x, y = there.centre(square)
            canvas.begin("point", at=name)
            canvas.rect(x - size / 2, y - size / 2, size, size, fills[square], "s-line", line=0.8)
            canvas.end()
        return there
