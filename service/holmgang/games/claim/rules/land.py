"""The island, its warriors and its castles, as they are drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from holmgang.engine.drawing import Canvas, emblem

from .island import COLUMNS
from .views import TerritoryView

HELM = (
    "M12 16 C11.4 4.6 28.6 4.6 28 16 L22 16.6 L21.6 20 L18.4 20 L18 16.6 Z"
    " M12.2 12.4 C8 12.6 6.4 8.6 7.6 4 C9 7.6 10.6 8.4 14 8.2 Z"
    " M27.8 12.4 C32 12.6 33.6 8.6 32.4 4 C31 7.6 29.4 8.4 26 8.2 Z"
)
"""In a square of 40, as all that stands on a point."""
FLAG = "M20 9 L20 0.6 L29 3 L20 5.6"
TOWER = (
    "M5.6 37.4 L7.4 18 L5 18 L5 8.6 L11.6 8.6 L11.6 12 L16.6 12 L16.6 8.6 L23.4 8.6 L23.4 12 L28.4 12 L28.4 8.6 L35 8.6"
    " L35 18 L32.6 18 L34.4 37.4 Z"
)
JOINTS = "M7.4 18 L32.6 18 M7 22 L11.4 22 M28.6 22 L33 22 M6.6 27.6 L10 27.6 M30 27.6 L33.4 27.6 M6.2 33 L33.8 33"
TUFT = "M-3 1.6 L-2.2 -2 L-1 1 L0 -3 L1 1 L2.2 -2 L3 1.6 Z"
PEBBLES = "M-4 1.6 Q-3.6 -1.6 -1.4 -1 Q0.6 0 -0.4 1.6 Z M0.6 1.6 Q1.6 -0.6 3 0 Q4.4 0.6 4 1.6 Z"
WAVE = "M-6 0 Q-3 -3 0 0 Q3 3 6 0"
SHADES = (("f-meadow", TUFT, "f-leaf"), ("f-land", PEBBLES, "f-rock"))
"""Of grounds: what grows or lies there, and its colour."""
SQUARE = 40.0


class Map(NamedTuple):
    """Where the points of the island are in the picture: the upper left corner of a1, and how wide a point is."""

    left: float
    top: float
    size: float

    def corner(self, name: str) -> tuple[float, float]:
        column, row = place(name)
        return self.left + column * self.size, self.top + row * self.size


def place(name: str) -> tuple[int, int]:
    """Column and row of a point, from 0."""
    return COLUMNS.index(name[0]), int(name[1:]) - 1


@lru_cache(maxsize=64)
def _shore(columns: int, rows: int, size: float) -> str:
    """The beach round a territory, which bulges by turns."""
    corners = ((0, 0, 1, 0, columns), (columns, 0, 0, 1, rows), (columns, rows, -1, 0, columns), (0, rows, 0, -1, rows))
    told = ["M0 0"]
    for x, y, dx, dy, long in corners:
        for n in range(2 * long):
            near, far, bulge = n / 2 + 0.25, n / 2 + 0.5, (0.14, 0.26)[n % 2]
            bent = (x + dx * near + dy * bulge) * size, (y + dy * near - dx * bulge) * size
            told.append(f"Q{bent[0]:.2f} {bent[1]:.2f} {(x + dx * far) * size:.2f} {(y + dy * far) * size:.2f}")
    return " ".join([*told, "Z"])


def _bounds(territory: TerritoryView) -> tuple[int, int, int, int]:
    """The least column and row, and how many of them there are."""
    places = [place(name) for name in territory.points]
    (left, right), (upper, lower) = ((min(each), max(each)) for each in zip(*places, strict=True))
    return left, upper, right - left + 1, lower - upper + 1


def ground(canvas: Canvas, territories: tuple[TerritoryView, ...], where: Map) -> None:
    """The sea about the island, the beaches, and the territories with their points."""
    home = {place(name): t.number for t in territories for name in t.points}
    size = where.size
    for column in range(1 + max(x for x, _ in home)):
        for row in range(1 + max(y for _, y in home)):
            if (column, row) not in home and (column + row) % 2:
                x, y = where.left + (column + 0.5) * size, where.top + (row + 0.5) * size
                canvas.outline(x, y, WAVE, "n", "s-wave", line=1.2)
    bounds = [_bounds(territory) for territory in territories]
    for left, upper, columns, rows in bounds:
        canvas.outline(where.left + left * size, where.top + upper * size, _shore(columns, rows, size), "f-furrow",
                       "s-foam", line=5)  # fmt: skip
    for left, upper, columns, rows in bounds:
        canvas.outline(where.left + left * size, where.top + upper * size, _shore(columns, rows, size), "f-furrow")
    for territory, (left, upper, columns, rows) in zip(territories, bounds, strict=True):
        shade, thing, colour = SHADES[territory.number % 2]
        x, y = where.left + left * size, where.top + upper * size
        canvas.begin("territory", territory=territory.number)
        canvas.rect(x, y, columns * size, rows * size, shade)
        for n, row in enumerate(range(1, rows)):
            canvas.outline(x + (1 + (n + territory.number) % (columns - 1)) * size, y + row * size, thing, colour)
        for name in territory.points:
            left_edge, upper_edge = where.corner(name)
            canvas.begin("point", at=name)
            canvas.rect(left_edge, upper_edge, size, size, "n")
            canvas.circle(left_edge + size / 2, upper_edge + size / 2, size * 0.065, "f-muted")
            canvas.end()
        canvas.end()
    canvas.outline(where.left, where.top, " ".join(_ways(home, size)), "n", "s-muted", line=0.5)
    canvas.outline(where.left, where.top, " ".join(_borders(home, size)), "n", "s-ink", line=1.7)


def _ways(home: Mapping[tuple[int, int], int], size: float) -> Iterator[str]:
    """Lines from point to point, as far as they go straight on."""
    for across in (True, False):
        step = (1, 0) if across else (0, 1)
        for column, row in sorted(home):
            if (column - step[0], row - step[1]) in home:
                continue
            end = (column, row)
            while (end[0] + step[0], end[1] + step[1]) in home:
                end = end[0] + step[0], end[1] + step[1]
            yield "M" + " L".join(f"{(x + 0.5) * size:.2f} {(y + 0.5) * size:.2f}" for x, y in ((column, row), end))


def _borders(home: Mapping[tuple[int, int], int], size: float) -> Iterator[str]:
    """Between territories, and along the end of the island, which closes as a piece does (K4.1)."""
    edges = {
        edge
        for (column, row), number in home.items()
        for edge, beyond in (
            ((column, row, 0, 1), (column - 1, row)),
            ((column + 1, row, 0, 1), (column + 1, row)),
            ((column, row, 1, 0), (column, row - 1)),
            ((column, row + 1, 1, 0), (column, row + 1)),
        )
        if home.get(beyond) != number
    }
    for column, row, dx, dy in sorted(edges, key=lambda edge: (edge[2], edge[0] * edge[3], edge[1], edge[0])):
        if (column - dx, row - dy, dx, dy) in edges:
            continue
        long = 1
        while (column + long * dx, row + long * dy, dx, dy) in edges:
            long += 1
        yield f"M{column * size:.2f} {row * size:.2f} L{(column + long * dx) * size:.2f} {(row + long * dy) * size:.2f}"


def warrior(canvas: Canvas, seat: int, x: float, y: float, size: float) -> None:
    """A piece in a square: a helmet, behind a shield of its clan's shape with its number."""
    scale = size / SQUARE
    canvas.outline(x, y, HELM, "f-stone", "s-ink", scale=scale, line=1)
    emblem(canvas, seat, x + size / 2, y + size * 0.6, size * 0.32)


def castle(canvas: Canvas, seat: int, x: float, y: float, size: float) -> None:
    """A tower in a square, in its clan's colour and under its flag, with its seat's number on it."""
    scale = size / SQUARE
    canvas.outline(x, y, FLAG, f"f-clan{seat}", "s-ink", scale=scale, line=1)
    canvas.outline(x, y, TOWER, f"f-clan{seat}", "s-ink", scale=scale, line=1.5)
    canvas.outline(x, y, JOINTS, "t", scale=scale)
    number = max(8.0, size * 0.46)
    canvas.text(x + size / 2, y + size * 0.8, str(seat), number, fill=f"o-clan{seat}", at="middle", bold=True)
