"""The coast as text, for people at terminals and for golden playthroughs."""

from __future__ import annotations

from collections.abc import Iterator

from .coast import CELLS
from .effects import Counts
from .views import SeatView, View

ROW = 18
SHIP_LETTERS = "abcd"
"""A ship is its seat's letter and its number: a0 is ship 0 of seat 0."""


def render(view: View) -> str:
    """The ring in two rows: what lies at each cell, the ships on it, and the fjords before it."""
    return "\n".join(_lines(view))


def _lines(view: View) -> Iterator[str]:
    towns = {town.cell: f"T{town.town}" for town in view.towns if town.cell is not None}
    ships = {
        ship.cell: f"{SHIP_LETTERS[seat.seat]}{ship.ship}"
        for seat in view.seats
        for ship in seat.ships
        if ship.cell is not None
    }
    tokens = {seat.fog.cell: f"{SHIP_LETTERS[seat.seat]}?" for seat in view.seats if seat.fog is not None}
    fjords = {seat.fjord: f"<{SHIP_LETTERS[seat.seat]}" for seat in view.seats}
    for start in range(0, CELLS, ROW):
        cells = range(start, start + ROW)
        yield _row("cell", [str(cell) for cell in cells])
        yield _row("fjord", [fjords.get(cell, "") for cell in cells])
        yield _row("town", [towns.get(cell, ".") for cell in cells])
        yield _row("ship", [ships.get(cell, tokens.get(cell, "")) for cell in cells])
    for town in view.towns:
        yield f"town {town.town}: " + (", ".join(town.coins) or "empty")
    shield = view.options["shield"]
    yield f"barrel on {view.barrel} ({shield[view.barrel]}); bag: {_coins(view.bag)}; central pile {view.central_size}"
    for seat in view.seats:
        yield from _seat(seat, view)


def _row(name: str, marks: list[str]) -> str:
    return (f"{name:6}" + " ".join(f"{mark:>2}" for mark in marks)).rstrip()


def _seat(seat: SeatView, view: View) -> Iterator[str]:
    marks = " (resigned)" if seat.resigned else " (called the end)" if view.end and view.end.seat == seat.seat else ""
    yield (
        f"seat {seat.seat} ({SHIP_LETTERS[seat.seat]}){marks}: hand {seat.hand_size}, deck {seat.deck_size},"
        f" home {len(seat.piers)}, coins {seat.coins}, turn {seat.turns}"
    )
    for ship in seat.ships:
        if ship.rank is not None:
            where = ship.at if ship.cell is None else f"cell {ship.cell}"
            way = "" if ship.way_home is None else f", {ship.way_home} to go"
            yield f"  ship {ship.ship}: {where}{way}, cargo {ship.rank}: {_coins(seat.cargo[ship.rank - 1])}"
    if view.seat == seat.seat:
        hand = view.hand or ()
        hidden = f"; hidden: {' '.join(map(str, view.fog_cards))}" if view.fog_cards else ""
        yield "  hand: " + " ".join(map(str, hand)) + hidden


def _coins(counts: Counts) -> str:
    return ", ".join(f"{n} {name}" for name, n in counts.items()) or "none"
