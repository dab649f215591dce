"""The boards, and how men move and are taken. A position is a text with a character a square, row by row."""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt

from holmgang.engine.errors import Fault
from holmgang.engine.messages import say
from holmgang.engine.squares import Squares
from holmgang.engine.turn import Seat

from .model import Terms

EMPTY, KING = ".", "k"
SIDES = ("a", "dk")
"""The men of each seat: attackers; defenders and king."""
_ROWS = {
    "tablut": "...aaa... ....a.... ....d.... a...d...a aaddkddaa a...d...a ....d.... ....a.... ...aaa...",
    "brandubh": "...a... ...a... ...d... aadkdaa ...d... ...a... ...a...",
}
SETUPS = {name: rows.replace(" ", "") for name, rows in _ROWS.items()}
BOARDS = {name: Squares(isqrt(len(setup)), isqrt(len(setup))) for name, setup in SETUPS.items()}
CASTLES = {name: setup.index(KING) for name, setup in SETUPS.items()}


def goals(terms: Terms) -> frozenset[int]:
    """T4.1: where the king is at home."""
    squares = BOARDS[terms.board]
    return squares.corners if terms.goal == "corner" else squares.edge


def closed(terms: Terms) -> frozenset[int]:
    """T2.2, T2.3: where men never stand."""
    return goals(terms) | {CASTLES[terms.board]} if terms.goal == "corner" else frozenset({CASTLES[terms.board]})


def reach(terms: Terms, board: str, start: int, man: str) -> Iterator[int]:
    """T2: where a man goes from a square."""
    castle, kept = CASTLES[terms.board], closed(terms)
    for ray in BOARDS[terms.board].rays[start]:
        for end in ray:
            if board[end] != EMPTY or (end == castle and terms.castle == "closed"):
                break
            if end not in kept or (man == KING and (end != castle or terms.castle == "king")):
                yield end


def moves(terms: Terms, board: str, seat: Seat) -> Iterator[tuple[int, int]]:
    """All moves of a seat, in the order of squares."""
    own = ((start, man) for start, man in enumerate(board) if man in SIDES[seat])
    return ((start, end) for start, man in own for end in reach(terms, board, start, man))


def why_not(terms: Terms, board: str, seat: Seat, start: str, end: str) -> Fault | None:
    """The rule that forbids a move; None for a legal one."""
    squares, castle = BOARDS[terms.board], CASTLES[terms.board]
    for name in (start, end):
        if name not in squares.numbers:
            return Fault("T1.1", say("{point} is not on this board.", point=name))
    here, there = squares.numbers[start], squares.numbers[end]
    if board[here] not in SIDES[seat]:
        return Fault("T2.1", say("None of your men stands on {point}.", point=start))
    way = next((ray[: ray.index(there) + 1] for ray in squares.rays[here] if there in ray), ())
    if not way:
        return Fault("T2.1", say("Men move straight along a row or column, at least one square."))
    for square in way:
        if board[square] != EMPTY:
            return Fault("T2.1", say("A man on {point} is in the way.", point=squares.names[square]))
    if (here, there) in moves(terms, board, seat):
        return None
    if castle in way:
        return Fault("T2.2", say("The castle on {point} is closed to this man.", point=squares.names[castle]))
    return Fault("T2.3", say("Only the king may enter a corner."))


def moved(terms: Terms, board: str, seat: Seat, start: int, end: int) -> tuple[str, tuple[int, ...]]:
    """The position after a move, and the squares where something was taken (T3)."""
    squares, castle, men = BOARDS[terms.board], CASTLES[terms.board], list(board)
    man = men[end] = men[start]
    men[start] = EMPTY
    helpers = SIDES[seat] if terms.king == "armed" else SIDES[seat][:1]

    def shut(square: int, king: bool) -> bool:
        if men[square] != EMPTY:
            return men[square] in helpers
        return square in closed(terms) and (square != castle or king or terms.free_castle == "hostile")

    taken = []
    for ray in squares.rays[end] if man in helpers else ():
        if not ray or men[ray[0]] not in SIDES[1 - seat]:
            continue
        foe, around, king = ray[0], squares.beside(ray[0]), men[ray[0]] == KING
        if king and (terms.taken_by == "four" or castle in (foe, *around)):
            caught = len(around) == 4 and all(shut(square, True) for square in around)
        else:
            caught = len(ray) > 1 and shut(ray[1], king)
        if caught:
            taken.append(foe)
    for foe in taken:
        men[foe] = EMPTY
    return "".join(men), tuple(taken)
