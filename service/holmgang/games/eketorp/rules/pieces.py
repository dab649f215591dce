"""Stones, Vikings, cards and amulets as they are drawn.

What they are is seen without colours, too: each kind of stone has its own outline, grain and letter, each clan its own
shield and number, each value of the cards its own emblem.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from holmgang.engine.drawing import LARGE, NORMAL, TOKEN, Canvas, Item, Place, emblem, tokens
from holmgang.engine.messages import say
from holmgang.engine.turn import Seat

from .board import ENGINE_WORDS, KINDS, LETTERS
from .effects import Counts

VIKING = 21.0
"""How high Vikings are."""
CARD, BACK, TALL = 17.0, 12.0, 24.0
"""How wide cards are, open and face down, and how high."""
LOOSE = (15.0, 15.0)
"""How wide and high stones are that are on no wall."""


def stones(canvas: Canvas, counts: Counts, at: str, many: int = 4) -> Iterator[Item]:
    """Stones with the first letter of their kind."""
    for kind in KINDS:
        if number := counts.get(kind, 0):
            yield from tokens(canvas, "stone", number, LOOSE[0], _loose(canvas, kind), many, kind=kind, at=at)


def _loose(canvas: Canvas, kind: str) -> Place:
    return lambda x, y: stone(canvas, kind, x, y + 1, *LOOSE)


def stone(canvas: Canvas, kind: str, x: float, y: float, wide: float, high: float) -> None:
    """A sod of grass, two logs, bricks of clay, or a hewn stone."""
    outline, grain = forms(kind, wide, high)
    canvas.draw(x, y, outline, f"f-{kind}", "s-ink", line=0.8)
    canvas.draw(x, y, grain, "t")
    letter = canvas.initial(LETTERS[kind])
    canvas.text(x + wide / 2, y + high * 0.5 + 4, letter, 11, fill=f"o-{kind}", at="middle", bold=True)


@lru_cache
def forms(kind: str, wide: float, high: float) -> tuple[str, str]:
    """The outline of a kind of stone and what is drawn on it, from its upper left corner."""
    side = wide / 2 - 6  # beside the letter
    if kind == "grass":
        teeth = round(wide / 4)
        half = f"{(wide - 1) / teeth / 2:.2f}"
        return (
            f"m.5,3.5{f'l{half},-3 {half},3' * teeth}v{high - 4:g}h{1 - wide:g}z",
            f"m2.5,{high - 2:g}v-5m{side / 2:.1f},3v-5m{wide - side - 5:g},5v-5m{side / 2:.1f},3v-5",
        )
    if kind == "wood":
        r, along = f"{(high - 1) / 4:g}", wide - 1 - (high - 1) / 2
        ends = f"a{r},{r} 0 0 1 0,{(high - 1) / 2:g}"
        back = f"a{r},{r} 0 0 1 0,{(1 - high) / 2:g}"
        return (
            f"m{0.5 + (high - 1) / 4:g},.5h{along:g}{ends}{ends}h{-along:g}{back}{back}z",
            f"m2,{high / 2:g}h{side:g}m{wide - 4 - 2 * side:g},0h{side:g}m-1,-3.5h{-side / 2:g}m0,7h{side / 2:g}",
        )
    if kind == "clay":
        return (
            f"m.5,.5h{wide - 1:g}v{high - 1:g}h{1 - wide:g}z",
            f"m0,{high / 2:g}h{side + 1:g}m{wide - 2 * side - 2:g},0h{side + 1:g}m{-side / 2:g},0v{high / 2:g}"
            f"m{side - wide:g},0v{-high / 2:g}m{side / 2 - 1:g},0v{-high / 2:g}m{wide - 2 * side + 2:g},0v{high / 2:g}",
        )
    return (
        f"m3.5,.5h{wide - 8:g}l4,3.5v{high - 7:g}l-3,3h{7 - wide:g}l-4,-4v{6.5 - high:g}z",
        f"m1,{high - 5:g}l3,-3-1,-4m{wide - 8:g},-2l1,4 3.5,2m-3.5,-2l-1,4",
    )


def viking(canvas: Canvas, seat: Seat, x: float, y: float, size: float = 1.0) -> None:
    """A helmet with horns behind the shield of a clan, 16 units wide."""
    canvas.draw(x + 3.6 * size, y + 6 * size, _scaled(HORNS, size), "f-card", "s-ink", line=0.7)
    canvas.draw(x + 3.5 * size, y + 9 * size, _scaled(HELMET, size), "f-silver", "s-ink", line=0.8)
    emblem(canvas, seat, x + 8 * size, y + 14.2 * size, 6.6 * size)


HORNS = "c-2.6,-.6-3.3,-3-2.6,-5.6 .8,1.9 1.6,2.7 3.2,2.9h7.6c1.6,-.2 2.4,-1 3.2,-2.9 .7,2.6 0,5-2.6,5.6z"
HELMET = "v-2.6c0,-3.4 2.4,-5 4.5,-5.8 2.1,.8 4.5,2.4 4.5,5.8v2.6z"


def vikings(canvas: Canvas, seat: int, number: int, at: str, many: int = 4) -> Iterator[Item]:
    """Vikings of one clan."""
    yield from tokens(
        canvas, "viking", number, 16, lambda x, y: viking(canvas, seat, x, y), many, seat=seat, at=at
    )  # fmt: skip


EMBLEMS = {
    1: "m0,1h6.5q2.8,0 2.8,2.3t-2.8,2.3h-3.3q-.8,0-.8,.8t.8,.8h4.8l1.5,-1.2 1.5,2.1-1.5,1.9h-6.6q-2.8,0-2.8,-2.8"
    "t2.8,-2.8h3.4q.7,0 .7,-.7t-.7,-.7h-5.8z",
    2: "m.6,0l2.6,2h3.6l2.6,-2v6q0,4-4.4,4t-4.4,-4zm2,4.2v1.6h1.7v-1.6zm3.1,0v1.6h1.7v-1.6z",
    3: "m0,1.5l2.4,-1.5c.6,3.4 3.4,5.4 6.4,5.4l.6,-1 .6,.2v5l-1,0-.4,-1c-4.4,-.2-7.6,-3-8.6,-7.1z",
    4: "m5,0l.9,1.4v4.4h2.3v1.3h-2.3v1.7l.6,1.2h-3l.6,-1.2v-1.7h-2.3v-1.3h2.3v-4.4z",
    5: "m.8,.4h8.4l.6,2.2-.6,2.2h-3.3v5.2h-1.8v-5.2h-3.3l-.6,-2.2z",
    6: "m10,0l-.9,4-1.2,-1.1-6.9,7-1,-1 7,-6.9-1.1,-1.1z",
}
"""By the value of a card: Loki's serpent, Freya's cat, Heimdall's horn, Tyr's sword, Thor's hammer, Odin's spear. The
rules know numbers only. Each is ten units wide and high."""


@lru_cache(maxsize=64)
def _scaled(way: str, size: float) -> str:
    """A way in relative commands, without arcs, in another size."""
    return way if size == 1 else re.sub(r"-?\d*\.?\d+", lambda one: f"{float(one[0]) * size:.3g} ", way)


def card(canvas: Canvas, value: int | None, x: float, y: float) -> None:
    """A battle card, or its back."""
    if value is None:
        canvas.rect(x + 0.5, y + 0.5, BACK - 1, TALL - 1, "f-muted", "s-ink", corner=2, line=0.8)
        canvas.draw(x + BACK / 2, y + 3.5, "l3.5,4.2-7,8.4 3.5,4.2 3.5,-4.2-7,-8.4z", "n", "s-paper", line=1.1)
        return
    canvas.rect(x + 0.5, y + 0.5, CARD - 1, TALL - 1, "f-card", "s-ink", corner=2, line=0.8)
    canvas.text(x + CARD / 2, y + 10.5, str(value), NORMAL, fill="o-card", at="middle", bold=True)
    canvas.draw(x + CARD / 2 - 5, y + 12.3, EMBLEMS[value], "o-card")


def large_card(canvas: Canvas, value: int | None, x: float, y: float) -> None:
    """A card of a fight, 28 units wide and 38 high; `None` is not shown yet."""
    canvas.rect(x + 0.5, y + 0.5, 27, 37, "f-card", "s-ink", corner=3)
    if value is None:
        canvas.text(x + 14, y + 25, "?", LARGE, fill="o-card", at="middle", bold=True)
        return
    canvas.text(x + 14, y + 17, str(value), LARGE, fill="o-card", at="middle", bold=True)
    canvas.draw(x + 6.5, y + 20, _scaled(EMBLEMS[value], 1.5), "o-card")


def amulet(canvas: Canvas, x: float, y: float) -> None:
    """Thor's hammer on its ring, 12 units wide."""
    canvas.draw(x + 6, y + 4.6, HAMMER, "f-gold", "s-ink", line=0.8)


HAMMER = "a1.9,1.9 0 1 1 .1,0h1.2v4.8h3.8v4l-5.1,2.7-5.1,-2.7v-4h3.8v-4.8z"


def sealed(canvas: Canvas, x: float, y: float) -> None:
    """A letter with its seal: a choice that nobody sees yet."""
    canvas.draw(x, y, "h13v10h-13zl6.5,5.5 6.5,-5.5", "f-card", "s-ink", line=0.8)
    canvas.circle(x + 6.5, y + 6, 2.6, "f-clay", "s-ink", line=0.6)


def lowered(item: Item) -> Item:
    """A word in a row of cards."""
    return Item(item.width, lambda x, y: item.draw(x, y + (TALL - TOKEN) / 2))


def siege_told(space: str) -> str:
    """The name of a siege space, such as `ram at village 2`; a field's is its letter in each language."""
    village, _, engine = space.partition(":")
    return say("{engine} at village {village}", village=village, engine=ENGINE_WORDS[engine]) if engine else space
