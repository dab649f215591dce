"""The bench that a step is worked on, and who stands with whom."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from msgspec.structs import astuple

from service.engine.codec import Bits
from service.engine.rules import Step
from service.engine.turn import Seat

from .effects import ClaimCombat
from .island import CASTLES, Island, island
from .model import Board, State

NOBODY = -1


class Work:
    """One step under way. Functions of the phases change `d` and append to `effects`."""

    __slots__ = ("d", "effects", "land", "records")

    def __init__(self, state: State) -> None:
        self.d = Board(*astuple(state))
        self.land: Island = island(state.layout)
        self.effects: list[Any] = []
        self.records: list[ClaimCombat] = []

    def step(self) -> Step[State, Any]:
        d = self.d
        d.pieces = tuple(map(Bits, d.pieces))
        return Step(State(*astuple(d)), tuple(self.effects), tuple(self.records))

    def ask(self, kind: str, seat: Seat) -> None:
        """A turn (C2): play stops until the seat has chosen."""
        d = self.d
        d.phase, d.awaited = kind, (seat,)
        d.turn += 1


def pieces_of(board: Board, seats: tuple[Seat, ...]) -> int:
    bits = 0
    for seat in seats:
        bits |= board.pieces[seat]
    return bits


def all_pieces(board: Board) -> int:
    bits = 0
    for each in board.pieces:
        bits |= each
    return bits


def castle_bits(board: Board, seats: tuple[Seat, ...] | None = None) -> int:
    """The points of castles; of some seats only, if named."""
    return _castle_bits(board.castles, board.castle_points, seats)


@lru_cache(maxsize=4096)
def _castle_bits(castles: tuple[int, ...], points: tuple[int, ...], seats: tuple[Seat, ...] | None) -> int:
    bits = 0
    for owner, point in zip(castles, points, strict=True):
        if owner >= 0 and (seats is None or owner in seats):
            bits |= 1 << point
    return bits


def occupied(board: Board) -> int:
    return all_pieces(board) | castle_bits(board)


def in_hand(board: Board, seat: Seat) -> int:
    """Castles that the seat may still put."""
    return CASTLES - board.castles.count(seat)
