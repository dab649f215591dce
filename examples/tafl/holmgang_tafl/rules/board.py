"""The boards, and how men move and are taken. A position is a text with a character a square, row by row."""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt
from typing import NamedTuple

from service.engine.errors import Fault
from service.engine.said import say
from service.engine.turn import Seat

from .model import Terms

EMPTY, KING = ".", "k"
SIDES = ("a", "dk")
"""The men of each seat: attackers; defenders and king."""
_ROWS = {
    "tablut": "...aaa... ....a.... ....d.... a...d...a aaddkddaa a...d...a ....d.... ....a.... ...aaa...",
    "brandubh": "...a... ...a... ...d... aadkdaa ...d... ...a... ...a...",
}
SETUPS = {name: rows.replace(" ", "") for name, rows in _ROWS.items()}


class Ground(NamedTuple):
    """A board's squares: their names, the rays of four directions from each, and where which rules hold."""

    size: int
    names: tuple[str, ...]
    numbers: dict[str, int]
    rays: tuple[tuple[tuple[int, ...], ...], ...]
    castle: int
    corners: frozenset[int]
    edge: frozenset[int]


def _ground(setup: str) -> Ground:
    size = isqrt(len(setup))
    every, last = range(size), size - 1
    names = tuple(f"{'abcdefghi'[x]}{y + 1}" for y in every for x in every)
    lines = [[(x, y) for x, y in ((x + dx * n, y + dy * n) for n in every[1:]) if x in every and y in every]
             for y in every for x in every for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0))]  # fmt: skip
    rays = [tuple(y * size + x for x, y in line) for line in lines]
    edge = frozenset(n for n in range(size * size) if n % size in (0, last) or n // size in (0, last))
    numbers = {name: n for n, name in enumerate(names)}
    by_square = tuple(tuple(rays[n : n + 4]) for n in range(0, len(rays), 4))
    corners = frozenset((0, last, size * last, size * size - 1))
    return Ground(size, names, numbers, by_square, setup.index(KING), corners, edge)


GROUNDS = {name: _ground(setup) for name, setup in SETUPS.items()}


def goals(terms: Terms) -> frozenset[int]:
    """T4.1: where the king is at home."""
    ground = GROUNDS[terms.board]
    return ground.corners if terms.goal == "corner" else ground.edge


def reach(terms: Terms, board: str, start: int, man: str) -> Iterator[int]:
    """T2: where a man goes from a square."""
    ground = GROUNDS[terms.board]
    kept = frozenset() if man == KING or terms.goal == "edge" else ground.corners
    for ray in ground.rays[start]:
        for end in ray:
            if board[end] != EMPTY or (end == ground.castle and terms.castle == "closed"):
                break
            if end not in kept and (end != ground.castle or (man == KING and terms.castle == "king")):
                yield end


def moves(terms: Terms, board: str, seat: Seat) -> Iterator[tuple[int, int]]:
    """All moves of a seat, in the order of squares."""
    own = ((start, man) for start, man in enumerate(board) if man in SIDES[seat])
    return ((start, end) for start, man in own for end in reach(terms, board, start, man))


def why_not(terms: Terms, board: str, seat: Seat, start: str, end: str) -> Fault | None:
    """The rule that forbids a move; None for a legal one."""
    ground = GROUNDS[terms.board]
    for name in (start, end):
        if name not in ground.numbers:
            return Fault("T1.1", say("{point} is not on this board.", point=name))
    here, there = ground.numbers[start], ground.numbers[end]
    if board[here] not in SIDES[seat]:
        return Fault("T2.1", say("None of your men stands on {point}.", point=start))
    way = next((ray[: ray.index(there) + 1] for ray in ground.rays[here] if there in ray), ())
    if not way:
        return Fault("T2.1", say("Men move straight along a row or column, at least one square."))
    for square in way:
        if board[square] != EMPTY:
            return Fault("T2.1", say("A man on {point} is in the way.", point=ground.names[square]))
    if (here, there) in moves(terms, board, seat):
        return None
    if ground.castle in way:
        return Fault("T2.2", say("The castle on {point} is closed to this man.", point=ground.names[ground.castle]))
    return Fault("T2.3", say("Only the king may enter a corner."))


def moved(terms: Terms, board: str, seat: Seat, start: int, end: int) -> tuple[str, tuple[int, ...]]:
    """The position after a move, and the squares where something was taken (T3)."""
    ground = GROUNDS[terms.board]
    squares = list(board)
    man = squares[end] = squares[start]
    squares[start] = EMPTY
    helpers = SIDES[seat] if terms.king == "armed" else SIDES[seat][:1]

    def shut(square: int, king: bool) -> bool:
        there = squares[square]
        if there != EMPTY:
            return there in helpers
        if square == ground.castle:
            return king or terms.free_castle == "hostile"
        return terms.goal == "corner" and square in ground.corners

    taken = []
    for ray in ground.rays[end] if man in helpers else ():
        if not ray or squares[ray[0]] not in SIDES[1 - seat]:
            continue
        foe = ray[0]
        around = [each[0] for each in ground.rays[foe] if each]
        king = squares[foe] == KING
        if king and (terms.taken_by == "four" or foe == ground.castle or ground.castle in around):
            closed = len(around) == 4 and all(shut(square, True) for square in around)
        else:
            closed = len(ray) > 1 and shut(ray[1], king)
        if closed:
            taken.append(foe)
    for foe in taken:
        squares[foe] = EMPTY
    return "".join(squares), tuple(taken)
