"""D2: first player, piles of coins, towns, the first ships and hands."""

from __future__ import annotations

from holmgang.engine.tuples import put
from holmgang.engine.turn import Seat

from .coast import (
    BAG,
    CELLS,
    CENTRAL,
    COINS,
    DECK,
    FIRST_HAND,
    FJORD,
    PILE,
    RESERVE,
    SHIPS,
    TOWNS,
    VALUES,
)
from .effects import CardTurned, FirstPlayerChosen, PileLaid, ShipLaunched, TownPlaced
from .model import Board, Options, State
from .piles import NO_CARDS, draw, take_coin
from .work import NO_COINS, NOBODY, Work, set_place


def initial(config: Options) -> State:
    """D1, before anything is drawn."""
    n = config.seats
    return State(
        players=n,
        first_option=NOBODY if config.first_player is None else config.first_player,
        fjords=config.fjords,
        coin_worth=config.coin_worth,
        card_worth=config.card_worth,
        shield=config.shield,
        phase="first_player" if config.first_player is None else "open",
        turn=0,
        awaited=(),
        first=NOBODY,
        active=NOBODY,
        turns=(0,) * n,
        ships=((RESERVE,) * SHIPS,) * n,
        landed=((),) * n,
        cargo=((NO_COINS,) * SHIPS,) * n,
        bag=BAG,
        piles=((),) * TOWNS,
        towns=(NOBODY,) * TOWNS,
        start=NOBODY,
        turned=(),
        decks=(DECK,) * n,
        central=CENTRAL,
        discard=NO_CARDS,
        hands=((),) * n,
        fog=(RESERVE,) * n,
        fog_cards=((),) * n,
        barrel=0,
        todo=(),
        arriving=NOBODY,
        odin=False,
        values=(),
        bonus=False,
        drawer=NOBODY,
        drawing=0,
        own=False,
        unseen=False,
        sealed=(None,) * n,
        fights=0,
        fight=None,
        ender=NOBODY,
        queue=(),
        counting=0,
        resigned=0,
        winners=(),
        reason="",
    )


def choose_first(w: Work, seat: Seat, by: str) -> None:
    """D2.1."""
    d = w.d
    d.first = seat
    w.effects.append(FirstPlayerChosen(seat=seat, by=by))
    d.phase = "pile_coin"


def lay_coin(w: Work, value: int) -> None:
    """D2.2: the next coin comes below those of its pile that lie already."""
    d = w.d
    at = next(n for n, pile in enumerate(d.piles) if len(pile) < PILE)
    d.piles = put(d.piles, at, (*d.piles[at], take_coin(d, value)))
    if len(d.piles[at]) == PILE:
        w.effects.append(PileLaid(pile=at + 1, coins=tuple(COINS[kind] for kind in d.piles[at])))
        if at + 1 == TOWNS:
            d.phase = "first_town"


def place_first_town(w: Work, cell: int) -> None:
    """D2.3."""
    w.d.start = cell
    w.effects.append(TownPlaced(cell=cell))
    w.d.phase = "town_card"


def unturned(board: Board) -> list[int]:
    """D2.3: the cards of the last player's deck that have not been turned."""
    return [card for card in range(1, VALUES + 1) if card not in board.turned]


def turn_card(w: Work, value: int) -> None:
    """D2.3: the next town, so many cells on as the card says; when all stand, the first gets the pile that is left."""
    d = w.d
    card = unturned(d)[value]
    d.turned = (*d.turned, card)
    w.effects.append(CardTurned(seat=(d.first - 1) % d.players, card=card, passed_over=card > TOWNS))
    if card > TOWNS:
        return
    steps = [turned for turned in d.turned if turned <= TOWNS]
    cell = (d.start + sum(steps)) % CELLS
    d.towns = put(d.towns, card - 1, cell)
    w.effects.append(TownPlaced(cell=cell, town=card))
    if len(steps) == TOWNS - 1:
        left = d.towns.index(NOBODY)
        d.towns = put(d.towns, left, d.start)
        w.effects.append(TownPlaced(cell=d.start, town=left + 1))
        d.turned, d.start = (), NOBODY
        d.phase = "deal"


def deal(w: Work) -> None:
    """D2.4: the next seat launches a ship and draws five cards; after the last, the first player goes."""
    d = w.d
    seat = d.drawer + 1
    if seat == d.players:
        d.drawer, d.active = NOBODY, d.first
        d.phase = "go"
        return
    launch(w, seat)
    draw(w, seat, FIRST_HAND, own=True)


def launch(w: Work, seat: Seat) -> int:
    """D3.4: the first ship in reserve goes into its fjord; gives its number."""
    ship = w.d.ships[seat].index(RESERVE)
    set_place(w.d, seat, ship, FJORD)
    w.effects.append(ShipLaunched(seat=seat, ship=ship))
    return ship
