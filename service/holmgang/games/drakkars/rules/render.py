"""The coast as text, for people at terminals and for golden playthroughs."""

from __future__ import annotations

from collections.abc import Iterator

from holmgang.engine.messages import ENGLISH, Said, Tongue, listed, say

from .coast import CELLS, cells_of
from .effects import Counts
from .views import SeatView, ShipView, View
from .wording import COIN_WORDS, SHIPS, cell_told, purse, way_told

ROW = 18
SHIP_LETTERS = "abcd"
"""A ship is its seat's letter and its number: a0 is ship 0 of seat 0."""
ROWS = (say("cell"), say("fjord"), say("town"), say("ship"))
PLACES = {"fjord": say("fjord"), "hidden": say("hidden"), "home": say("home"), "reserve": say("reserve")}
"""Where ships are that are on no cell."""


def render(view: View, tongue: Tongue = ENGLISH) -> str:
    """The ring in two rows: what lies at each cell, the ships on it, and the fjords before it."""
    return "\n".join((*_ring(view, [tongue.into(name) for name in ROWS]), *_told(view, tongue)))


def _ring(view: View, names: list[str]) -> Iterator[str]:
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
        rows = (
            [str(cell) for cell in cells],
            [fjords.get(cell, "") for cell in cells],
            [towns.get(cell, ".") for cell in cells],
            [ships.get(cell, tokens.get(cell, "")) for cell in cells],
        )
        wide = 1 + max(map(len, names))
        for name, marks in zip(names, rows, strict=True):
            yield (f"{name:{wide}}" + " ".join(f"{mark:>2}" for mark in marks)).rstrip()


def _told(view: View, tongue: Tongue) -> Iterator[str]:
    for town in view.towns:
        coins = listed(map(COIN_WORDS.__getitem__, town.coins)) if town.coins else say("empty")
        yield tongue.into(say("town {town}: {coins}", town=town.town, coins=coins))
    barrel = say(
        "barrel on {cell} ({gives}); bag: {bag}; central pile {central}",
        cell=view.barrel,
        gives=cell_told(cells_of(tuple(view.options["shield"]))[view.barrel]),
        bag=purse(view.bag),
        central=view.central_size,
    )
    yield tongue.into(barrel)
    for seat in view.seats:
        yield tongue.into(_seat(seat, view))
        for ship in seat.ships:
            if ship.rank is not None:
                yield f"  {tongue.into(_ship(seat, ship, seat.cargo[ship.rank - 1]))}"
        if view.seat == seat.seat:
            yield f"  {tongue.into(_hand(view))}"


def _seat(seat: SeatView, view: View) -> Said:
    who = say("seat {seat} ({letter})", seat=seat.seat, letter=SHIP_LETTERS[seat.seat])
    if seat.resigned:
        who = say("{who} (resigned)", who=who)
    elif view.end and view.end.seat == seat.seat:
        who = say("{who} (ended the game)", who=who)
    return say(
        "{who}: hand {hand}, deck {deck}, home {home}, coins {coins}, turn {turn}",
        who=who,
        hand=seat.hand_size,
        deck=seat.deck_size,
        home=len(seat.piers),
        coins=seat.coins,
        turn=seat.turns,
    )


def _ship(seat: SeatView, ship: ShipView, cargo: Counts) -> Said:
    where = PLACES[ship.at] if ship.cell is None else say("cell {cell}", cell=ship.cell)
    if ship.way_home is not None:
        where = way_told(where, ship.way_home)
    return say(
        "{ship} ({mark}): {where}, cargo {rank}: {coins}",
        ship=SHIPS[ship.ship],
        mark=f"{SHIP_LETTERS[seat.seat]}{ship.ship}",
        where=where,
        rank=ship.rank,
        coins=purse(cargo),
    )


def _hand(view: View) -> Said:
    hand = " ".join(map(str, view.hand or ()))
    if not view.fog_cards:
        return say("hand: {hand}", hand=hand)
    return say("hand: {hand}; hidden: {hidden}", hand=hand, hidden=" ".join(map(str, view.fog_cards)))
