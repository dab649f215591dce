"""Longships, and the fog that hides them, as they are drawn.

A ship is told by the number, the shape and the colour of its clan on the sail, by the sail's pattern, and by one to
three strokes on the hull: first, second or third ship.
"""

from __future__ import annotations

from holmgang.engine.drawing import Canvas, emblem
from holmgang.engine.turn import Seat

STROKES = ("I", "II", "III")
"""On the hulls of a seat's ships."""
SIZE = 36.0
"""A ship is so many units wide and high."""

HULL = (
    "M3 21 Q1.6 16 5.6 16.6 Q5 18 6 21 Q7.4 25.8 13 26 L24 26 Q30 25.4 29.4 19 Q29.4 16 30.4 13.4 L29.8 11.6 L31.6 12"
    " Q34.6 11 36 14.2 L35 15.8 L32.8 16 Q34.2 19 33 24 Q30.4 34 24.6 34.4 L12 34.4 Q5 33.4 3 21 Z"
)
"""From the curled stern along the gunwale to the dragon's head, which looks to the right."""
RIGGING = "M17 8.6 L17 26 M6 10.6 L28 10.6"
SAIL = "M7 10.6 L27 10.6 Q30.6 17 27.6 23 L7.6 23 Q10.6 17 7 10.6 Z"
PATTERNS = (
    "M8.6 10.6 L10.8 10.6 Q14.2 17 11.4 23 L9.2 23 Q12.2 17 8.6 10.6 Z"
    " M23.2 10.6 L25.4 10.6 Q28.8 17 26 23 L23.8 23 Q26.8 17 23.2 10.6 Z",
    "M7.7 11.7 L27.6 11.7 L28.5 13.6 L8.5 13.6 Z M8.8 20 L28.7 20 L28.1 22 L8.1 22 Z",
    "M7 10.6 L12.6 10.6 L12.6 14 L8.6 14 Z M22.8 10.6 L27 10.6 L28.5 14 L22.8 14 Z"
    " M8.7 19.6 L12.8 19.6 L12.8 23 L7.6 23 Z M22.8 19.6 L28.7 19.6 L27.6 23 L22.8 23 Z",
    "M7 10.6 L15 10.6 L8.9 17 Z M27.6 23 L19.6 23 L28.9 16 Z",
)
"""Of the clans' sails, by seat: upright stripes, bands, corners, and slanting corners."""
CLOUD = "M8 30.5 C1.6 30.5 1 22.6 7 21.6 C6 14 14.4 11 17.6 15.4 C20.8 10.4 30 13 28.8 20 C35 20.4 35.4 30 28.6 30.5 Z"


SHIELDS = " ".join(f"M{x - 2} 26 L{x} 24 L{x + 2} 26 L{x} 28 Z" for x in (10, 15, 20, 25))


def longship(canvas: Canvas, seat: Seat, ship: int, x: float, y: float, scale: float = 1, back: bool = False) -> None:
    """A ship, with its upper left corner at a point. It sails to the right, or `back`."""
    way, left = (-scale, x + SIZE * scale) if back else (scale, x)
    canvas.outline(left, y, RIGGING, "n", "s-ink", scale=way, line=1.3 * scale)
    canvas.outline(left, y, HULL, "f-wood", "s-ink", scale=way, line=1.1)
    canvas.outline(left, y, SAIL, f"f-clan{seat}", "s-ink", scale=way, line=1.1)
    canvas.outline(left, y, PATTERNS[seat], f"o-clan{seat}", scale=way)
    canvas.outline(left, y, SHIELDS, f"f-clan{seat}", "s-ink", scale=way, line=0.7)
    middle = left + 18 * way
    low = 21 if seat == TRIANGLE else 20
    emblem(canvas, seat, middle, y + 16.5 * scale, 6.25 * scale, "")
    number, strokes = max(8.0, 9.5 * scale), 8.0
    canvas.text(middle, y + low * scale, str(seat), number, fill=f"o-clan{seat}", at="middle", bold=True)
    canvas.text(middle, y + 33.5 * scale, STROKES[ship], strokes, fill="o-wood", at="middle", bold=True)


TRIANGLE = 2
"""The seat whose shape has most room below."""


def cloud(canvas: Canvas, seat: Seat, x: float, y: float, scale: float = 1) -> None:
    """The fog over a hidden ship, with its clan's shape in it."""
    canvas.outline(x, y, CLOUD, "f-foam", "s-ink", scale=scale, line=1)
    emblem(canvas, seat, x + 17.8 * scale, y + 22.4 * scale, 7.6 * scale, "")
    size = max(8.0, 9.5 * scale)
    canvas.text(x + 17.8 * scale, y + (26.4 if seat == TRIANGLE else 25.8) * scale, f"{seat}?", size,
                fill=f"o-clan{seat}", at="middle", bold=True)  # fmt: skip


def plate(canvas: Canvas, seat: Seat, words: str, x: float, y: float, wide: float) -> None:
    """The little that is drawn of one of many on a cell."""
    canvas.rect(x, y, wide, 9.5, f"f-clan{seat}", "s-ink", corner=3, line=0.8)
    canvas.text(x + wide / 2, y + 8, words, 8, fill=f"o-clan{seat}", at="middle", bold=True)
