"""The ring of sea cells as it is drawn: clockwise from the upper left, ten to a side, with the fjords outside it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from holmgang.engine.drawing import SMALL, WIDTH, Canvas, emblem
from holmgang.engine.turn import Seat

from .coast import CELLS
from .ships import SIZE, STROKES, cloud, longship, plate
from .views import SeatView, View

SIDE = CELLS // 4
FJORD_DEPTH = 25.0
CELL = (WIDTH - 2 * FJORD_DEPTH) / (SIDE + 1)
HIGH = 2 * FJORD_DEPTH + (SIDE + 1) * CELL
INSIDE = FJORD_DEPTH + CELL

_AWAY = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""The way from the sea to the land, of each side."""
_BUMPS = ((10, 1), (25, 3.5), (CELL, 2))
"""How far the sea comes into the land along each cell: to where, and how deep. All are alike, which packs well."""
_INLET = ((5, 0.5), (4, 6), (5, 12), (6, 22), (29, 22), (30, 12), (31, 6), (30, 0.5), (CELL, 0))
"""A fjord: how far along the coast, and how far into the land."""
_TREE = ((0, -6), (3.2, 3), (-3.2, 3))
_PEAK = ((-8, 6), (-2.6, -5), (0, -1.6), (2.8, -6.4), (9, 6))
_SNOW = ((2.8, -6.4), (5.3, -1.4), (3.6, -2.2), (2.2, -1), (1, -2.7))
ISLET = "M2 24 Q1 12.6 17 12.8 Q34.6 12.4 33.8 24 Q34 34.2 18 33.8 Q2 34.6 2 24 Z"
WALLS = "M6 23 L6 31 L16 31 L16 23 Z M20 21 L20 29 L30 29 L30 21 Z"
ROOFS = "M4 25 L8 18 L14 18 L18 25 Z M18 23 L22 16 L28 16 L32 23 Z"


def corner(cell: int) -> tuple[float, float]:
    """The upper left corner of a cell in a ring whose own is at 0, 0."""
    side, along = divmod(cell, SIDE)
    column, row = ((along, 0), (SIDE, along), (SIDE - along, SIDE), (0, SIDE - along))[side]
    return FJORD_DEPTH + column * CELL, FJORD_DEPTH + row * CELL


def _at(side: int, along: float, away: float, edge: float) -> str:
    """A point of one of the sides of a square whose edge is so far from that of the picture."""
    x, y = ((edge + along, edge - away), (WIDTH - edge + away, edge + along),
            (WIDTH - edge - along, WIDTH - edge + away), (edge - away, WIDTH - edge - along))[side]  # fmt: skip
    return f"{x:.1f} {y:.1f}"


def _shore(side: int, start: float, edge: float, way: int) -> list[str]:
    """The shore along one cell."""
    told, last = [], 0.0
    for along, deep in _BUMPS:
        bent = _at(side, start + (last + along) / 2, 2 * way * deep, edge)
        told.append(f"Q{bent} {_at(side, start + along, 0, edge)}")
        last = along
    return told


@lru_cache(maxsize=64)
def _coast(fjords: frozenset[int]) -> str:
    """The outer shore, with an inlet for each fjord."""
    told = [f"M{_at(0, 0, 0, FJORD_DEPTH)}"]
    for side in range(4):
        for n in range(SIDE + 1):
            start = n * CELL
            if n < SIDE and side * SIDE + n in fjords:
                points = [_at(side, start + along, away, FJORD_DEPTH) for along, away in _INLET]
                told += [f"C{' '.join(points[at : at + 3])}" for at in (0, 3, 6)]
            else:
                told += _shore(side, start, FJORD_DEPTH, 1)
    return " ".join([*told, "Z"])


def _inner() -> str:
    """The shore of the island in the middle."""
    told = [f"M{_at(0, 0, 0, INSIDE)}"]
    for side in range(4):
        for n in range(SIDE - 1):
            told += _shore(side, n * CELL, INSIDE, -1)
    return " ".join([*told, "Z"])


ISLAND = _inner()
BOUNDS = " ".join(
    f"M{_at(side, n * CELL, 0, FJORD_DEPTH)} L{_at(side, n * CELL, -CELL, FJORD_DEPTH)}"
    for side in range(4)
    for n in range(1, SIDE + 1)
)
"""Between the cells."""


@lru_cache(maxsize=64)
def _country(fjords: frozenset[int]) -> tuple[str, str, str]:
    """Trees, peaks and the snow on them, where no fjord is."""
    found: tuple[list[str], list[str], list[str]] = ([], [], [])

    def put(into: list[str], shape: tuple[tuple[float, float], ...], x: float, y: float) -> None:
        into.append("M" + " L".join(f"{x + dx:.1f} {y + dy:.1f}" for dx, dy in shape) + " Z")

    for side in range(4):
        for n in range(SIDE + 1):
            if n < SIDE and side * SIDE + n in fjords:
                continue
            x, y = map(float, _at(side, (n + 0.5) * CELL, FJORD_DEPTH / 2 + 1, FJORD_DEPTH).split())
            if (side + n) % 3 == 0:
                put(found[1], _PEAK, x, y)
                put(found[2], _SNOW, x, y)
            else:
                for dx, dy in ((-7, 1), (0, -1), (7, 2)):
                    put(found[0], _TREE, x + dx, y + dy)
    return " ".join(found[0]), " ".join(found[1]), " ".join(found[2])


def ring(canvas: Canvas, view: View, top: float) -> None:
    """All that lies, stands or sails on the coast."""
    fjords = frozenset(seat.fjord for seat in view.seats)
    trees, peaks, snow = _country(fjords)
    canvas.rect(1, top + 1, WIDTH - 2, HIGH - 2, "f-land", corner=10)
    canvas.outline(0, top, peaks, "f-rock")
    canvas.outline(0, top, snow, "f-foam")
    canvas.outline(0, top, trees, "f-leaf")
    canvas.outline(0, top, _coast(fjords), "f-sea", "s-rock", line=1.6)
    middle, wide = FJORD_DEPTH + CELL / 2, SIDE * CELL
    canvas.rect(middle, top + middle, wide, wide, "n", "s-deep", corner=10, line=15)
    canvas.outline(0, top, BOUNDS, "n", "s-muted", line=0.6)
    canvas.outline(0, top, ISLAND, "f-meadow", "s-rock", line=1.6)
    for seat in view.seats:
        _fjord(canvas, seat, top)
    for cell in range(CELLS):
        _cell(canvas, view, cell, top)


def _fjord(canvas: Canvas, clan: SeatView, top: float) -> None:
    """The inlet before its cell, with the emblem of its clan, or with the ship that lies in it."""
    seat, cell = clan.seat, clan.fjord
    x, y = corner(cell)
    side = cell // SIDE
    away = _AWAY[side]
    middle = (CELL + FJORD_DEPTH) / 2
    x, y = x + CELL / 2 + away[0] * middle, top + y + CELL / 2 + away[1] * middle
    high, wide = (FJORD_DEPTH, CELL - 8) if side % 2 == 0 else (CELL - 8, FJORD_DEPTH)
    canvas.begin("fjord", seat=seat, cell=cell)
    canvas.rect(x - wide / 2, y - high / 2, wide, high, "n")
    lying = next((ship.ship for ship in clan.ships if ship.at == "fjord"), None)
    hidden = clan.fog is not None and clan.fog.cell is None
    if lying is None and not hidden:
        emblem(canvas, seat, x, y, 8)
    if lying is not None:
        canvas.begin("ship", seat=seat, ship=lying, at="fjord")
        if hidden:
            plate(canvas, seat, STROKES[lying], x - CELL / 4 + 1, y - 9.8, CELL / 2 - 2)
        else:
            longship(canvas, seat, lying, x - SIZE * 0.3, y - 12, 0.6, side > 1)
        canvas.end()
    if hidden:
        canvas.begin("fog", seat=seat, at="fjord")
        if lying is None:
            cloud(canvas, seat, x - 14, y - 17, 0.78)
        else:
            plate(canvas, seat, f"{seat}?", x - CELL / 4 + 1, y + 0.3, CELL / 2 - 2)
        canvas.end()
    canvas.end()


def _cell(canvas: Canvas, view: View, cell: int, top: float) -> None:
    x, y = corner(cell)
    y += top
    town = next((town.town for town in view.towns if town.cell == cell), None)
    canvas.begin("cell", at=cell)
    canvas.rect(x, y, CELL, CELL, "n")
    if town is not None:
        canvas.begin("town", town=town, cell=cell)
        canvas.outline(x, y, ISLET, "f-land", "s-ink", line=1.4)
        canvas.outline(x, y, WALLS, "f-card", "s-ink", line=0.8)
        canvas.outline(x, y, ROOFS, "f-clay", "s-ink", line=0.8)
        canvas.text(x + CELL - 3, y + 11, f"T{town}", SMALL, at="end", bold=True)
        canvas.end()
    canvas.text(x + 3, y + 11, str(cell), SMALL, fill="f-muted")
    canvas.end()
    there: list[Callable[[float, float, int], None]] = []
    for seat in view.seats:
        there += [_ship(canvas, seat.seat, ship.ship, cell) for ship in seat.ships if ship.cell == cell]
        if seat.fog is not None and seat.fog.cell == cell:
            there.append(_fog(canvas, seat.seat, cell))
    low = (CELL - 14) / max(2, (len(there) + 1) // 2)
    for n, draw in enumerate(there):
        if len(there) == 1:
            draw(x, y, 1)
        elif len(there) == 2:
            draw(x - 2 + n * CELL / 2, y + 9 + n * 4, 2)
        else:
            draw(x + 1.5 + n % 2 * (CELL / 2 - 1), y + 12.5 + n // 2 * low, len(there))


def _ship(canvas: Canvas, seat: Seat, ship: int, cell: int) -> Callable[[float, float, int], None]:
    def draw(x: float, y: float, all_there: int) -> None:
        canvas.begin("ship", seat=seat, ship=ship, at=cell)
        if all_there > 2:
            plate(canvas, seat, f"{seat}{STROKES[ship]}", x, y, CELL / 2 - 2)
        else:
            alone = all_there == 1  # then below the names of its cell
            x, y, scale = (x + 1, y + 3.6, 0.9) if alone else (x, y, 0.6)
            longship(canvas, seat, ship, x, y, scale, cell // SIDE > 1)
        canvas.end()

    return draw


def _fog(canvas: Canvas, seat: Seat, cell: int) -> Callable[[float, float, int], None]:
    def draw(x: float, y: float, all_there: int) -> None:
        canvas.begin("fog", seat=seat, at=cell)
        if all_there > 2:
            plate(canvas, seat, f"{seat}?", x, y, CELL / 2 - 2)
        else:
            cloud(canvas, seat, x, y, 1 if all_there == 1 else 0.6)
        canvas.end()

    return draw
