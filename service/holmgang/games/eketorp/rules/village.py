"""A village as it is drawn: its walls, the siege spaces before them, and what its clan holds."""

from __future__ import annotations

from collections.abc import Iterator

from holmgang.engine.drawing import (
    BOLDER,
    NORMAL,
    SMALL,
    SMALLEST,
    SPACE,
    TOKEN,
    Canvas,
    Item,
    emblem,
    tick,
    tokens,
    width_of,
    words,
    wrapped,
)
from holmgang.engine.messages import counted, listed, say, template

from .board import ENGINE_WORDS, ENGINES, HEIGHT
from .land import BEFORE, engine, fort
from .pieces import BACK, CARD, VIKING, amulet, card, lowered, sealed, stone, stones, vikings
from .pieces import TALL as DEEP
from .views import SeatView, View

INSET = 6.0
WIDE, TALL = 28.0, 14.0
"""Of a stone on a wall."""
CURVE = (6.0, 2.0, 0.0, 0.0, 2.0, 6.0)
"""How much higher than the middle ones walls stand, by their number: they are part of a ring."""


def village(canvas: Canvas, view: View, seat: SeatView, x: float, y: float, width: float) -> float:
    """Draws the village of a seat in a column; gives its lower edge."""
    own = seat.seat
    canvas.begin("village", seat=own)
    emblem(canvas, own, x + INSET + 8, y + 14, 8)
    asked = own in view.asked
    score = counted(seat.score, template("{count} point"), template("{count} points"))
    canvas.text(x + INSET + 22, y + 18, say("Seat {seat}: {score}", seat=own, score=score), NORMAL, bold=True)
    states: list[str] = [say("to choose")] if asked else [say("chose")] if own in view.sealed else []
    states += [say("you")] if view.seat == own else []
    states += [say("first")] if view.first == own else []
    states += [say("resigned")] if seat.resigned else []
    states += [say("keeps cards")] if seat.stands else []
    y += 26
    if states:
        if own in view.sealed:
            canvas.begin("sealed", seat=own)
            sealed(canvas, x + INSET + 2, y - 3)
            canvas.end()
        y = _states(canvas, canvas.said(listed(states)), x + INSET + 22, y, width - INSET - 24, asked)
    y += 8
    y = _walls(canvas, view, seat, x + INSET, y, width - 2 * INSET) + 4
    for high, row in _holdings(canvas, view, seat, width - 2 * INSET):
        y = canvas.flow(row, x + INSET, y, width - 2 * INSET, high) + 3
    canvas.end()
    return y


def _states(canvas: Canvas, said: str, x: float, y: float, room: float, asked: bool) -> float:
    """How the seat stands, in one line if that can be read; gives how low the last one lies."""
    fits = width_of(said, SMALLEST, bold=True) <= room
    for n, line in enumerate([said] if fits else wrapped(said, SMALL * BOLDER, room)):
        y += 11 if n else 0
        canvas.text(x, y + 6, line, SMALL, bold=True, fill="f-alert" if asked else "f-muted", room=room)
    return y


def _walls(canvas: Canvas, view: View, seat: SeatView, x: float, y: float, width: float) -> float:
    """The ring of walls with those at home within; before each pair of walls an engine, and who besieges it."""
    own, at = seat.seat, len(canvas.lines)
    canvas.text(x, y + 7, say("home"), SMALL, fill="f-muted")
    if seat.home:
        here = list(vikings(canvas, own, seat.home, f"{own}/home", 9))
        wide = min(width, sum(item.width + 3 for item in here) - 3)
        low = canvas.flow(here, x + (width - wide) / 2, y + 19, wide + 1, VIKING)
    else:
        low = y + 19 + VIKING
        canvas.text(x + width / 2, low - 7, say("none"), NORMAL, fill="f-muted", at="middle")
    foot = low + HEIGHT * TALL + 1
    pair = width / len(ENGINES)
    for n, wall in enumerate(seat.walls):
        left = x + (n // 2 + 0.5) * pair + (-WIDE if n % 2 == 0 else 0)
        _wall(canvas, own, n + 1, wall, left, foot - CURVE[n])
    after, canvas.lines = canvas.lines[at:], canvas.lines[:at]
    fort(canvas, x - 2, y, width + 4, foot)
    canvas.lines += after
    low = foot + BEFORE + 2
    for n, name in enumerate(ENGINES):
        low = max(low, _siege(canvas, view, f"{own}:{name}", x + (n + 0.5) * pair, foot + BEFORE + 2, pair))
    return low


def _siege(canvas: Canvas, view: View, space: str, middle: float, y: float, width: float) -> float:
    """An engine with its name, and the Vikings that besiege with it."""
    siege, name = view.sieges[space], space.partition(":")[2]
    said = ENGINE_WORDS[name]
    done = siege.settled and bool(siege.seats)
    here = [Item(19, lambda x, y: engine(canvas, name, x, y + 4))]
    here += [item for seat in siege.seats for item in vikings(canvas, seat, 1, space)]
    canvas.begin("siege", at=space, settled=str(done).lower())
    if done:
        tick(canvas, middle + canvas.wide(said, SMALL) / 2 + 1, y + 1)
    wide = min(sum(item.width + 3 for item in here) - 3, width)
    low = canvas.flow(here, middle - wide / 2, y + 12, wide + 1, VIKING)
    canvas.end()
    canvas.text(middle, y + 9, said, SMALL, fill="f-muted", at="middle")
    return low


def _wall(canvas: Canvas, seat: int, number: int, wall: tuple[str, ...], x: float, foot: float) -> None:
    canvas.begin("wall", seat=seat, wall=number, height=len(wall))
    for height, kind in enumerate(wall, 1):
        canvas.begin("stone", kind=kind, at=f"{seat}/{number}", count=1)
        stone(canvas, kind, x, foot - height * TALL, WIDE, TALL)
        canvas.end()
    if free := HEIGHT - len(wall):
        slot = f"v{1 - TALL:g}h{WIDE - 1:g}v{TALL - 1:g}z"
        way = f"m0,{-TALL:g}".join([slot] * free)
        canvas.draw(x + 0.5, foot - len(wall) * TALL - 0.5, way, "n", "s-muted", line=0.7, dash="2 2")
    canvas.text(x + WIDE / 2, foot + 9, str(number), SMALL, fill="f-paper", at="middle", bold=True)
    canvas.end()


def _holdings(canvas: Canvas, view: View, seat: SeatView, room: float) -> Iterator[tuple[float, list[Item]]]:
    """Rows of what its clan holds, and how high each is. The side pile is beside the hand where both fit."""
    own = seat.seat
    none = words(canvas, say("none"))
    held = list(tokens(canvas, "amulet", seat.amulets, 12, lambda x, y: amulet(canvas, x, y), 9, seat=own))
    yield TOKEN, [words(canvas, say("amulets")), *(held or [none])]
    hand = view.hand if view.seat == own and view.hand is not None else (None,) * seat.hand_size
    shown = [_card(canvas, "hand", own, value) for value in hand]
    pile = [_card(canvas, "pile", own, value) for value in seat.pile]
    first = [lowered(words(canvas, say("hand"))), *(shown or [lowered(none)])]
    second = [lowered(_small(canvas, say("side pile"))), *pile] if pile else []
    both = [*first, *([SPACE, *second] if second else [])]
    if sum(item.width + 3 for item in both) - 3 <= room:
        yield DEEP, both
    else:
        yield DEEP, first
        yield DEEP, second
    if seat.carried:
        yield TOKEN, [words(canvas, say("carries")), *stones(canvas, seat.carried, f"{own}/carried")]
    if seat.aside:
        yield TOKEN, [words(canvas, say("aside")), *stones(canvas, seat.aside, f"{own}/aside")]


def _small(canvas: Canvas, said: str) -> Item:
    """A word in small letters, where there is little room in its row."""
    return Item(
        canvas.wide(said, SMALL) + 2, lambda x, y: canvas.text(x, y + TOKEN * 0.72, said, SMALL, fill="f-muted")
    )


def _card(canvas: Canvas, kind: str, seat: int, value: int | None) -> Item:
    def draw(x: float, y: float) -> None:
        canvas.begin(f"card {kind}", seat=seat, **({} if value is None else {"card": value}))
        card(canvas, value, x, y)
        canvas.end()

    return Item(BACK if value is None else CARD, draw)
