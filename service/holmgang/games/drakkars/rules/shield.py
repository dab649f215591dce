"""The loot shield: a round one of eight cells, and the barrel on its rim."""

from __future__ import annotations

from functools import lru_cache
from math import cos, radians, sin

from holmgang.engine.drawing import SMALL, SMALLEST, Canvas
from holmgang.engine.messages import Said, say

from .coast import cells_of
from .views import View
from .wording import cards, coins

RADIUS = 80.0
WIDE = 2 * RADIUS + 20
"""With the barrel, wherever it is."""
RIM, FACE, HUB, BOSS = 77.0, 73.5, 18.3, 14.0
TEXT, NUMBER = 48.0, 25.0
STRETCHED = {0: ((1.0, 1.16), 37), 1: ((1.13, 1.0), 41), 2: ((1.04, 1.0), 41)}
"""How far the words of a cell above or below, aslant, or beside the middle lie from it, and their room there."""
PILES = {"discard": say("discard"), "central": say("central")}
"""Where cards of choice come from, as it stands below their number."""
BARREL = (
    "M-6.2 -8 L6.2 -8 C9.4 -3 9.4 3 6.2 8 L-6.2 8 C-9.4 3 -9.4 -3 -6.2 -8 Z"
    " M-7.7 -4.6 L7.7 -4.6 M-7.7 4.6 L7.7 4.6 M-2.2 -8 L-2.8 8 M2.2 -8 L2.8 8"
)


def _on(angle: float, radius: float) -> tuple[float, float]:
    """Round the middle, clockwise from above."""
    turned = radians(angle)
    return radius * sin(turned), -radius * cos(turned)


@lru_cache(maxsize=16)
def _cell(n: int, of: int) -> str:
    """One of the parts of the shield's face."""
    half = 180 / of
    start, end = 360 * n / of - half, 360 * n / of + half

    def arc(radius: float, to: float) -> str:
        bend, point = _on(360 * n / of, radius / cos(radians(half))), _on(to, radius)
        return "Q" + " ".join(f"{value:.0f}" for value in (*bend, *point))

    inner, outer = _on(start, HUB), _on(start, FACE)
    return (
        f"M{inner[0]:.0f} {inner[1]:.0f} L{outer[0]:.0f} {outer[1]:.0f} {arc(FACE, end)}"
        f" L{' '.join(f'{v:.0f}' for v in _on(end, HUB))} {arc(HUB, start)} Z"
    )


def shield(canvas: Canvas, view: View, x: float, y: float) -> float:
    """Its upper left corner at a point; gives its lower edge."""
    x, y = round(x + WIDE / 2), round(y + WIDE / 2)
    cells = cells_of(tuple(view.options["shield"]))
    canvas.circle(x, y, RADIUS, "f-wood", "s-ink", line=1.4)
    for n, gives in enumerate(cells):
        here, angle = n == view.barrel, 360 * n / len(cells)
        ink = "o-gold" if here else "f-ink"
        canvas.begin("shield", cell=n, barrel=str(here).lower())
        canvas.outline(x, y, _cell(n, len(cells)), "f-gold" if here else ("f-panel", "f-land")[n % 2], "s-ink", line=1)
        dx, dy = _on(angle, NUMBER)
        canvas.text(
            round(x + dx), round(y + dy + 3), str(n), SMALLEST, fill="o-gold" if here else "f-muted", at="middle"
        )
        first: Said = say("{count} of", count=gives.count) if gives.source else coins(gives.coins)
        second = PILES[gives.source] if gives.source else say("or {cards}", cards=cards(gives.cards))
        dx, dy = _on(angle, TEXT)
        (wide, high), room = STRETCHED[n % 2 or n % 4]
        left, low = round(x + wide * dx), round(y + high * dy)
        canvas.text(left, low - 1, first, SMALL, at="middle", fill=ink, room=room, bold=here)
        canvas.text(left, low + 9, second, SMALL, at="middle", fill=ink, room=room, bold=here)
        canvas.end()
    for n in range(len(cells)):
        dx, dy = _on(360 * n / len(cells), RIM)
        canvas.begin("stud", cell=n)
        canvas.circle(round(x + dx), round(y + dy), 1.6, "f-silver")
        canvas.end()
    canvas.circle(x, y, BOSS, "f-silver", "s-ink", line=1.2)
    canvas.circle(x, y, BOSS / 2, "f-stone", "s-ink", line=0.8)
    dx, dy = _on(360 * view.barrel / len(cells), RADIUS + 1)
    canvas.begin("barrel", cell=view.barrel)
    canvas.outline(x + dx, y + dy, BARREL, "f-gold", "s-ink", line=1.3)
    canvas.end()
    return y + WIDE / 2
