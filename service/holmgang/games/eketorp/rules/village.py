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
    card,
    emblem,
    tick,
    tile,
    tokens,
    width_of,
    words,
    wrapped,
)
from holmgang.engine.messages import counted, listed, say, template

from .board import ENGINE_WORDS, ENGINES, HEIGHT, STONE_WORDS
from .pieces import stones, vikings
from .views import SeatView, View

INSET = 6.0
STONE = 17.0


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
    states += [say("stands")] if seat.stands else []
    y += 26
    if states:
        y = _states(canvas, canvas.said(listed(states)), x + INSET + 22, y, width - INSET - 24, asked)
    y += 10
    y = _walls(canvas, view, seat, x + INSET, y, width - 2 * INSET) + 4
    for row in _holdings(canvas, view, seat):
        y = canvas.flow(row, x + INSET, y, width - 2 * INSET) + 3
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
    """Three pairs of walls, each below its engine and the Vikings that besiege it."""
    pair = width / len(ENGINES)
    low = y
    for n, engine in enumerate(ENGINES):
        name = f"{seat.seat}:{engine}"
        siege = view.sieges[name]
        middle = x + (n + 0.5) * pair
        engine_word = ENGINE_WORDS[engine]
        canvas.text(middle, y + 9, engine_word, SMALL, fill="f-muted", at="middle")
        here = [item for s in siege.seats for item in vikings(canvas, s, 1, name)]
        done = siege.settled and bool(siege.seats)
        canvas.begin("siege", at=name, settled=str(done).lower())
        if done:
            tick(canvas, middle + canvas.wide(engine_word, SMALL) / 2 + 1, y + 1)
        wide = min(len(here), 3) * 19.0
        low = max(low, canvas.flow(here, middle - wide / 2 + 1, y + 13, wide + 1))
        if not here:
            canvas.rect(middle - 7, y + 14, 14, 14, "n", "s-line", corner=7, dash="2 2")
        canvas.end()
    top = max(low, y + 13 + TOKEN) + 3
    for n, wall in enumerate(seat.walls):
        left = x + (n // 2 + 0.5) * pair + (-STONE - 1.5 if n % 2 == 0 else 1.5)
        _wall(canvas, seat.seat, n + 1, wall, left, top)
    return top + HEIGHT * STONE + 13


def _wall(canvas: Canvas, seat: int, number: int, wall: tuple[str, ...], x: float, y: float) -> None:
    canvas.begin("wall", seat=seat, wall=number, height=len(wall))
    foot = y + HEIGHT * STONE
    for height in range(HEIGHT):
        at = foot - (height + 1) * STONE
        if height < len(wall):
            kind = wall[height]
            canvas.begin("stone", kind=kind, at=f"{seat}/{number}", count=1)
            tile(canvas, kind, canvas.initial(STONE_WORDS[kind]), x, at, STONE)
            canvas.end()
        else:
            canvas.rect(x + 1, at + 1, STONE - 2, STONE - 2, "n", "s-line", corner=2, line=0.8, dash="2 2")
    canvas.stroke(x, foot + 0.6, x + STONE, foot + 0.6, "s-ink", line=1.4)
    canvas.text(x + STONE / 2, foot + 11, str(number), SMALL, fill="f-muted", at="middle")
    canvas.end()


def _holdings(canvas: Canvas, view: View, seat: SeatView) -> Iterator[list[Item]]:
    own = seat.seat
    none = words(canvas, say("none"))
    yield [words(canvas, say("home")), *(list(vikings(canvas, own, seat.home, f"{own}/home", 9)) or [none])]

    def amulet(x: float, y: float) -> None:
        middle = y + TOKEN / 2
        points = ((x + 6, middle - 6), (x + 12, middle), (x + 6, middle + 6), (x, middle))
        canvas.shape(points, "f-gold", "s-ink", line=0.8)

    held = list(tokens(canvas, "amulet", seat.amulets, 12, amulet, 9, seat=own))
    yield [words(canvas, say("amulets")), *(held or [none])]
    hand = view.hand if view.seat == own and view.hand is not None else (None,) * seat.hand_size
    shown = [_card(canvas, "hand", own, value) for value in hand]
    pile = [_card(canvas, "pile", own, value) for value in seat.pile]
    yield [
        words(canvas, say("hand")),
        *(shown or [none]),
        *([SPACE, words(canvas, say("pile"))] if pile else []),
        *pile,
    ]
    if seat.carried:
        yield [words(canvas, say("carries")), *stones(canvas, seat.carried, f"{own}/carried")]
    if seat.aside:
        yield [words(canvas, say("aside")), *stones(canvas, seat.aside, f"{own}/aside")]


def _card(canvas: Canvas, kind: str, seat: int, value: int | None) -> Item:
    def draw(x: float, y: float) -> None:
        canvas.begin(f"card {kind}", seat=seat, **({} if value is None else {"card": value}))
        card(canvas, None if value is None else str(value), x, y)
        canvas.end()

    return Item(12 if value is None else 16, draw)
