"""The bench that a step is worked on, and who stands with whom."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from holmgang.engine import work
from holmgang.engine.codec import Bits
from holmgang.engine.rules import Step
from holmgang.engine.turn import Seat

from .effects import ClaimCombat
from .island import CASTLES, Island, island
from .model import Board, State

NOBODY = -1


class Work(work.Work[Board, State, ClaimCombat]):
    """The bench, and the island."""

    __slots__ = ("land",)

    board, state = Board, State

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.land: Island = island(state.layout)

    def step(self) -> Step[State, Any]:
        self.d.pieces = tuple(map(Bits, self.d.pieces))
        return super().step()


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
