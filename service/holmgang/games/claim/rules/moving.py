"""K3 and K4.1: where a piece may go, and what it would catch there."""

from __future__ import annotations

from itertools import pairwise

from holmgang.engine.teams import enemies, side
from holmgang.engine.turn import Seat

from .island import NOWHERE, Island, points_of
from .model import Board
from .work import castle_bits, occupied, pieces_of


def ways(land: Island, taken: int, start: int) -> dict[int, tuple[int, ...]]:
    """K3.1: a shortest path to each point where the piece at `start` may end. `taken` holds all pieces and castles."""
    taken &= ~(1 << start)
    around = land.around
    found: dict[int, tuple[int, ...]] = {}
    for near in around[start]:
        if near != NOWHERE and not taken >> near & 1:
            found[near] = (start, near)
    edge: list[tuple[int, tuple[int, ...]]] = [(start, (start,))]
    landed = {start}
    while edge:
        further = []
        for point, path in edge:
            for direction, near in enumerate(around[point]):
                if near == NOWHERE or not taken >> near & 1:
                    continue
                behind = around[near][direction]
                if behind == NOWHERE or taken >> behind & 1 or behind in landed:
                    continue
                landed.add(behind)
                longer = (*path, behind)
                found.setdefault(behind, longer)
                further.append((behind, longer))
        edge = further
    return found


def is_way(land: Island, taken: int, path: tuple[int, ...]) -> bool:
    """Whether a whole path is legal: one step, or jumps, meeting no point twice."""
    if len(set(path)) < len(path):
        return False
    start = path[0]
    taken &= ~(1 << start)
    if len(path) == 2 and path[1] in land.around[start]:
        return not taken >> path[1] & 1
    for here, there in pairwise(path):
        over = _between(land, here, there)
        if over == NOWHERE or not taken >> over & 1 or taken >> there & 1:
            return False
    return True


def _between(land: Island, here: int, there: int) -> int:
    """The point that a jump from `here` to `there` passes over."""
    for direction, near in enumerate(land.around[here]):
        if near != NOWHERE and land.around[near][direction] == there:
            return near
    return NOWHERE


def can_move(land: Island, taken: int, pieces: int) -> bool:
    """K3.2: whether any of the pieces has a legal move."""
    around = land.around
    for point in points_of(pieces):
        for direction, near in enumerate(around[point]):
            if near == NOWHERE:
                continue
            if not taken >> near & 1:
                return True
            behind = around[near][direction]
            if behind != NOWHERE and not taken >> behind & 1:
                return True
    return False


def only_way(land: Island, taken: int, pieces: int) -> tuple[int, ...] | None:
    """C3: the one legal move of these pieces; None where there are more."""
    found: list[tuple[int, ...]] = []
    for point in points_of(pieces):
        found += ways(land, taken, point).values()
        if len(found) > 1:
            return None
    return found[0] if found else None


Catch = tuple[Seat, int, bool, int]
"""Victim, point, whether it is a castle, and the point of what closes it in (NOWHERE: the edge)."""


class Nets:
    """What one mover's pieces and castles, and others', could close in: made once for many ends."""

    __slots__ = ("board", "castles", "closers", "land", "victims")

    def __init__(self, land: Island, board: Board, mover: Seat) -> None:
        self.land, self.board = land, board
        foes = enemies(board.players, mover)
        self.castles = castle_bits(board)
        self.victims: list[tuple[Seat, int]] = []
        self.closers: dict[Seat, int] = {}
        for foe in foes:
            self.victims.append((foe, board.pieces[foe] | castle_bits(board, (foe,))))
            against = tuple(s for s in range(board.players) if s not in side(board.players, foe))
            self.closers[foe] = pieces_of(board, against) | castle_bits(board, against)

    def catches(self, start: int, end: int) -> list[Catch]:
        """K4.1, for a piece that goes from `start` to `end`."""
        found = []
        around = self.land.around
        gone = ~(1 << start)
        for direction, near in enumerate(around[end]):
            if near == NOWHERE:
                continue
            for foe, theirs in self.victims:
                if theirs >> near & 1:
                    behind = around[near][direction]
                    if behind == NOWHERE or (self.closers[foe] & gone) >> behind & 1:
                        found.append((foe, near, bool(self.castles >> near & 1), behind))
        return found


def moves_of(land: Island, board: Board, seat: Seat) -> dict[tuple[int, int], tuple[int, ...]]:
    """All legal moves of a seat: a shortest path for each start and end."""
    taken = occupied(board)
    found = {}
    for start in points_of(board.pieces[seat]):
        for end, path in ways(land, taken, start).items():
            found[start, end] = path
    return found


def further_catches(land: Island, board: Board, seat: Seat, start: int) -> dict[tuple[int, int], tuple[int, ...]]:
    """K4.3: movements of the same piece that end in a catch."""
    nets = Nets(land, board, seat)
    return {(start, end): path for end, path in ways(land, occupied(board), start).items() if nets.catches(start, end)}
