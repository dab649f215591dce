"""The table as text, for people at terminals and for golden playthroughs."""

from __future__ import annotations

from collections.abc import Iterator

from .board import ENGINES, FIELDS, KINDS
from .effects import Counts
from .views import SeatView, View

LETTERS = {name: name[0] for name in KINDS}


def render(view: View) -> str:
    """Fields, then each village with its walls from the bottom up: `gwc` is grass under wood under clay."""
    return "\n".join(_lines(view))


def _lines(view: View) -> Iterator[str]:
    card = f", card: {view.material_card}" if view.material_card else ""
    first = "" if view.first is None else f", first player: seat {view.first}"
    yield f"round {view.round}{first}{card}"
    yield f"supply: {_stones(view.supply)}; deck {view.deck_size}, discarded {view.discarded}"
    for name in FIELDS:
        field = view.fields[name]
        vikings = " ".join(f"{n}x seat {seat}" for seat, n in field.vikings.items())
        if field.stones or vikings:
            yield f"  {name}  {_stones(field.stones):14} {vikings}".rstrip()
    for seat in view.seats:
        yield from _village(view, seat)
    if view.hand is not None:
        yield f"your hand: {' '.join(map(str, view.hand))}"


def _village(view: View, seat: SeatView) -> Iterator[str]:
    marks = "".join([" (resigned)" if seat.resigned else "", " (stands this round)" if seat.stands else ""])
    hospital = " ".join(f"{n} at {station}" for station, n in seat.hospital.items()) or "none"
    yield (
        f"seat {seat.seat}{marks}: {seat.score} points, home {seat.home}, hospital {hospital}, amulets {seat.amulets},"
        f" hand {seat.hand_size}, pile {' '.join(map(str, seat.pile)) or '-'}"
    )
    for n, engine in enumerate(ENGINES):
        siege = view.sieges[f"{seat.seat}:{engine}"]
        walls = "  ".join(
            f"{2 * n + 1 + side}:{''.join(LETTERS[stone] for stone in seat.walls[2 * n + side]) or '-':3}"
            for side in (0, 1)
        )
        besiegers = " ".join(f"seat {s}" for s in siege.seats)
        yield f"    {engine:9}{walls}  {besiegers}{' (settled)' if siege.settled and besiegers else ''}".rstrip()
    more = [f"carries {_stones(seat.carried)}"] if seat.carried else []
    more += [f"aside {_stones(seat.aside)}"] if seat.aside else []
    if more:
        yield f"    {', '.join(more)}"


def _stones(stones: Counts) -> str:
    return " ".join(f"{n} {name}" for name, n in stones.items()) or "-"
