"""The bench that a step is worked on; where ships are, how they rank, and where coins go."""

from __future__ import annotations

from holmgang.engine import work
from holmgang.engine.tuples import put
from holmgang.engine.turn import Seat

from .coast import COINS, FJORD, HIDDEN, MOST_CARGO, RESERVE, distance
from .model import Board, Coins, State
from .records import DrakkarsCombat, Fighter

NOBODY = -1
NO_COINS: Coins = (0, 0, 0)


class Work(work.Work[Board, State, DrakkarsCombat]):
    """The bench."""

    __slots__ = ()

    board, state = Board, State


def record_of(board: Board, status: str) -> DrakkarsCombat:
    """The fight that is going on: what everybody knows of it before the cards are shown."""
    fight = board.fight
    assert fight is not None
    cell = board.ships[board.active][fight.ship]
    return DrakkarsCombat(
        number=fight.number,
        status=status,
        cell=cell,
        town=board.towns.index(cell) + 1 if cell in board.towns else None,
        attacker=Fighter(seat=board.active, ship=fight.ship, rank=rank(board, board.active, fight.ship) + 1),
        defender=Fighter(seat=fight.defender, ship=fight.target, rank=rank(board, fight.defender, fight.target) + 1),
    )


def gone(board: Board, seat: Seat) -> bool:
    return bool(board.resigned >> seat & 1)


def afloat(place: int) -> bool:
    """Whether a ship there is at sea or in its fjord, not hidden."""
    return place >= 0 or place == FJORD


def fleet(board: Board, seat: Seat) -> list[int]:
    """The seat's ships at sea or in the fjord."""
    return [ship for ship, place in enumerate(board.ships[seat]) if place >= 0 or place == FJORD]


def hidden_ship(board: Board, seat: Seat) -> int | None:
    return board.ships[seat].index(HIDDEN) if HIDDEN in board.ships[seat] else None


def can_launch(board: Board, seat: Seat) -> bool:
    """D3.4."""
    ships = board.ships[seat]
    return RESERVE in ships and FJORD not in ships


def way_home(board: Board, seat: Seat, ship: int) -> int:
    """D3.2, of a ship at sea, in the fjord or hidden."""
    place = board.ships[seat][ship]
    return distance(board.fjords[seat], board.fog[seat] if place == HIDDEN else place)


def ship_on(board: Board, cell: int, but: tuple[Seat, int] | None = None) -> tuple[Seat, int] | None:
    """The ship on a sea cell, other than `but`."""
    for seat, ships in enumerate(board.ships):
        if cell in ships:
            for ship, place in enumerate(ships):
                if place == cell and (seat, ship) != but:
                    return seat, ship
    return None


def rank(board: Board, seat: Seat, ship: int) -> int:
    """D5.5, from 0: ships that have landed first, then by the way home, a hidden one before another on its cell."""
    landed = board.landed[seat]
    if ship in landed:
        return landed.index(ship)

    def key(other: int) -> tuple[int, bool]:
        return way_home(board, seat, other), board.ships[seat][other] != HIDDEN

    mine = key(ship)
    nearer = sum(
        other != ship and (place >= 0 or place in (FJORD, HIDDEN)) and key(other) < mine
        for other, place in enumerate(board.ships[seat])
    )
    return len(landed) + nearer


def named(coins: Coins) -> dict[str, int]:
    """Coins by name, without those of which there are none."""
    return {name: n for name, n in zip(COINS, coins, strict=True) if n}


def pour(one: Coins, other: Coins) -> Coins:
    return (one[0] + other[0], one[1] + other[1], one[2] + other[2])


def fit(board: Board, coins: Coins) -> tuple[Coins, Coins]:
    """D5.5: the six of these coins that a cargo keeps, and those of least worth that do not fit."""
    kept, returned = list(coins), [0, 0, 0]
    for kind in sorted(range(3), key=lambda kind: (board.coin_worth[kind], -kind)):
        over = max(sum(kept) - MOST_CARGO, 0)
        returned[kind] = min(over, kept[kind])
        kept[kind] -= returned[kind]
    return (kept[0], kept[1], kept[2]), (returned[0], returned[1], returned[2])


def stow(board: Board, seat: Seat, at: int, coins: Coins) -> Coins:
    """D5.5: coins into a cargo of at most six. Gives those that did not fit; they are in the bag now."""
    kept, returned = fit(board, pour(board.cargo[seat][at], coins))
    set_cargo(board, seat, at, kept)
    board.bag = pour(board.bag, returned)
    return returned


def set_cargo(board: Board, seat: Seat, at: int, coins: Coins) -> None:
    board.cargo = put(board.cargo, seat, put(board.cargo[seat], at, coins))


def set_place(board: Board, seat: Seat, ship: int, place: int) -> None:
    board.ships = put(board.ships, seat, put(board.ships[seat], ship, place))
