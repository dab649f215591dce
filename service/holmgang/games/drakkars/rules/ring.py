"""The ring of sea cells as it is drawn: clockwise from the upper left, ten to a side, with the fjords outside it."""

from __future__ import annotations

from collections.abc import Callable

from holmgang.engine.drawing import SMALL, WIDTH, Canvas, emblem
from holmgang.engine.turn import Seat

from .coast import CELLS
from .views import SeatView, View

SIDE = CELLS // 4
FJORD_DEPTH = 20.0
CELL = (WIDTH - 2 * FJORD_DEPTH) / (SIDE + 1)
HULL = ((0, 0), (0.13, 0.17), (0.87, 0.17), (1, 0), (0.9, 1), (0.1, 1))
HIGH = 2 * FJORD_DEPTH + (SIDE + 1) * CELL
INSIDE = FJORD_DEPTH + CELL


def corner(cell: int) -> tuple[float, float]:
    """The upper left corner of a cell in a ring whose own is at 0, 0."""
    side, along = divmod(cell, SIDE)
    column, row = ((along, 0), (SIDE, along), (SIDE - along, SIDE), (0, SIDE - along))[side]
    return FJORD_DEPTH + column * CELL, FJORD_DEPTH + row * CELL


def ring(canvas: Canvas, view: View, top: float) -> None:
    """All that lies, stands or sails on the coast."""
    canvas.rect(1, top + 1, WIDTH - 2, HIGH - 2, "f-land", corner=10)
    wide = (SIDE + 1) * CELL
    canvas.rect(FJORD_DEPTH, top + FJORD_DEPTH, wide, wide, "f-sea", corner=4)
    inner = wide - 2 * CELL
    canvas.rect(INSIDE, top + INSIDE, inner, inner, "f-paper", "s-line", corner=4)
    for seat in view.seats:
        _fjord(canvas, seat, top)
    for cell in range(CELLS):
        _cell(canvas, view, cell, top)


def _fjord(canvas: Canvas, clan: SeatView, top: float) -> None:
    """A mouth at the outer edge of its cell, with the emblem of its clan, or with the ship that lies in it."""
    seat, cell = clan.seat, clan.fjord
    x, y = corner(cell)
    y += top
    side = cell // SIDE
    if side % 2 == 0:
        y = y - FJORD_DEPTH if side == 0 else y + CELL
        box = (x + 4, y, CELL - 8, FJORD_DEPTH)
    else:
        x = x + CELL if side == 1 else x - FJORD_DEPTH
        box = (x, y + 4, FJORD_DEPTH, CELL - 8)
    canvas.begin("fjord", seat=seat, cell=cell)
    canvas.rect(*box, "f-sea")
    x, y = box[0] + box[2] / 2, box[1] + box[3] / 2
    lying = next((ship.ship for ship in clan.ships if ship.at == "fjord"), None)
    hidden = clan.fog is not None and clan.fog.cell is None
    if lying is None and not hidden:
        emblem(canvas, seat, x, y, 7.5)
    if lying is not None:
        canvas.begin("ship", seat=seat, ship=lying, at="fjord")
        if hidden:
            _plate(canvas, seat, f"{seat}.{lying}", x - CELL / 4 + 1, y - 9.8)
        else:
            hull(canvas, seat, lying, x - 9.6, y - 7.5, 0.6)
        canvas.end()
    if hidden:
        canvas.begin("fog", seat=seat, at="fjord")
        if lying is None:
            emblem(canvas, seat, x, y, 8, f"{seat}?")
        else:
            _plate(canvas, seat, f"{seat}?", x - CELL / 4 + 1, y + 0.3)
        canvas.end()
    canvas.end()


def _cell(canvas: Canvas, view: View, cell: int, top: float) -> None:
    x, y = corner(cell)
    y += top
    town = next((town.town for town in view.towns if town.cell == cell), None)
    canvas.begin("cell", at=cell)
    if town is None:
        canvas.rect(x, y, CELL, CELL, "n", "s-line", line=0.7)
    else:
        canvas.begin("town", town=town, cell=cell)
        canvas.rect(x + 1, y + 1, CELL - 2, CELL - 2, "f-land", "s-ink", line=1.6, corner=3)
        canvas.text(x + CELL - 3, y + 11, f"T{town}", SMALL, at="end", bold=True)
        canvas.end()
    canvas.text(x + 3, y + 11, str(cell), SMALL, fill="f-muted")
    canvas.end()
    there: list[Callable[[float, float, bool], None]] = []
    for seat in view.seats:
        there += [_ship(canvas, seat.seat, ship.ship, cell) for ship in seat.ships if ship.cell == cell]
        if seat.fog is not None and seat.fog.cell == cell:
            there.append(_fog(canvas, seat.seat, cell))
    low = (CELL - 14) / max(2, (len(there) + 1) // 2)
    for n, draw in enumerate(there):
        if len(there) == 1:
            draw(x, y, True)
        else:
            draw(x + 1.5 + n % 2 * (CELL / 2 - 1), y + 12.5 + n // 2 * low, False)


def _ship(canvas: Canvas, seat: Seat, ship: int, cell: int) -> Callable[[float, float, bool], None]:
    def draw(x: float, y: float, alone: bool) -> None:
        canvas.begin("ship", seat=seat, ship=ship, at=cell)
        if alone:
            hull(canvas, seat, ship, x + 2, y + CELL - 22.5)
        else:
            _plate(canvas, seat, f"{seat}.{ship}", x, y)
        canvas.end()

    return draw


def _fog(canvas: Canvas, seat: Seat, cell: int) -> Callable[[float, float, bool], None]:
    def draw(x: float, y: float, alone: bool) -> None:
        canvas.begin("fog", seat=seat, at=cell)
        if alone:
            emblem(canvas, seat, x + CELL / 2, y + 24, 8.8, f"{seat}?")
        else:
            _plate(canvas, seat, f"{seat}?", x, y)
        canvas.end()

    return draw


def _plate(canvas: Canvas, seat: Seat, words: str, x: float, y: float) -> None:
    """The little that is drawn of a ship or token which shares its cell."""
    canvas.rect(x, y, CELL / 2 - 2, 9.5, f"f-clan{seat}", "s-ink", corner=3, line=0.8)
    canvas.text(x + CELL / 4 - 1, y + 8, words, 8, fill=f"o-clan{seat}", at="middle", bold=True)


def hull(canvas: Canvas, seat: Seat, ship: int, x: float, y: float, scale: float = 1) -> None:
    """A ship, 32 units wide and 22 high: its clan's shape as a sail, and on the hull whose ship it is and which."""
    middle, deck = x + 16 * scale, y + 8.5 * scale
    canvas.stroke(middle, y + 3 * scale, middle, y + 12 * scale, "s-ink", line=1.4 * scale)
    emblem(canvas, seat, middle, y + 5 * scale, 4.6 * scale, "")
    points = ((x + 32 * scale * dx, deck + 13.5 * scale * dy) for dx, dy in HULL)
    canvas.shape(points, f"f-clan{seat}", "s-ink", line=1.2 * scale)
    size = SMALL * max(scale, 0.8)
    canvas.text(middle, y + 20 * scale, f"{seat}.{ship}", size, fill=f"o-clan{seat}", at="middle", bold=True)
