"""How a player's rating went, as a picture."""

from __future__ import annotations

from collections.abc import Sequence

from holmgang.engine.drawing import MARGIN, NORMAL, SMALL, WIDTH, Canvas, heading
from holmgang.engine.messages import Tongue, say

MOST = 500
"""So many of the latest games are shown."""
_HIGH = 150.0
_LEFT = 44.0
_STEPS = (10, 20, 50, 100, 200, 500, 1000)
_LINES = 5


def picture(name: str, title: str, ratings: Sequence[int], theme: str, tongue: Tongue) -> str:
    """The ratings, oldest first, as an SVG document. `title` is the game's."""
    canvas = Canvas(tongue)
    if not ratings:
        told = say("No rated game of {game} has been counted yet.", game=title)
        y = heading(canvas, name, [(told, "muted")])
        return canvas.document(y + MARGIN, name, told, theme)
    told = say(
        "Rated games of {game}: {count}. Rating at the beginning: {first}; now: {last}; lowest: {low}; "
        "highest: {high}.",
        game=title,
        count=len(ratings),
        first=ratings[0],
        last=ratings[-1],
        low=min(ratings),
        high=max(ratings),
    )
    top = heading(canvas, name, [(told, "muted")]) + 14
    step = next((s for s in _STEPS if (max(ratings) - min(ratings)) / s <= _LINES - 1), _STEPS[-1])
    low = min(ratings) // step * step
    high = max(low + step, -(-max(ratings) // step) * step)
    right = WIDTH - MARGIN - 4

    def height(rating: float) -> float:
        return top + _HIGH * (high - rating) / (high - low)

    for line in range(low, high + 1, step):
        canvas.stroke(_LEFT, height(line), right, height(line), "s-line", line=0.5)
        canvas.text(_LEFT - 5, height(line) + 3.5, str(line), SMALL, fill="f-muted", at="end")
    across = (right - _LEFT) / max(1, len(ratings) - 1)
    points = [(_LEFT + n * across, height(rating)) for n, rating in enumerate(ratings)]
    canvas.path(points, "n", "s-ink", line=1.5)
    canvas.circle(*points[-1], 3, "f-ink")
    canvas.text(right, points[-1][1] - 7, str(ratings[-1]), NORMAL, at="end", bold=True)
    return canvas.document(top + _HIGH + MARGIN + 4, name, told, theme)
