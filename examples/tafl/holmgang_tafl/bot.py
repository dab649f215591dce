"""What Tafl's heuristics know: how near the king is to his goal, how many men are left, who stands beside the king."""

from __future__ import annotations

from math import exp
from typing import Any

from holmgang.engine.moves import Rng
from holmgang.engine.rules import AnyRules
from holmgang.engine.turn import Seat

from .rules import board
from .rules.model import Move, State, Terms

NEAR = (9.0, 3.0, 1.0, 0.4)
"""The worth to the defenders of a king 1, 2, 3 or 4 moves from his goal."""
OPEN, OPEN_TWICE = 60.0, 12.0
"""Of one who can get home now, and of two ways home after the attackers' next move."""
MEN, BESIDE = 10.0, 0.6
"""The worth of a side's men, and of an attacker beside the king."""
WON = 99.0


def worth(terms: Terms, position: str, mover: Seat) -> float:
    """How much better the defenders stand, with `mover` to move."""
    king, homes, setup = position.find(board.KING), board.goals(terms), board.SETUPS[terms.board]
    if king < 0 or king in homes:
        return WON if king in homes else -WON
    left = {man: position.count(man) / setup.count(man) for man in "ad"}
    told = MEN * (left["d"] - left["a"])
    told -= BESIDE * sum(position[square] == "a" for square in board.BOARDS[terms.board].beside(king))
    reached, edge, bare = {king}, {king}, position.replace(board.KING, board.EMPTY)
    for far, near in enumerate(NEAR):
        edge = {end for start in edge for end in board.reach(terms, bare, start, board.KING)} - reached
        if ways := len(edge & homes):
            return told + (near if far or mover + ways < 2 else OPEN if mover else OPEN_TWICE)
        reached |= edge
    return told


class TaflJudge:
    def ranked(self, rules: AnyRules, state: State, seat: Seat, rng: Rng) -> list[tuple[float, Move]]:
        """Every move with its value at first sight, the best first; chance decides between equals."""
        names, found = board.BOARDS[state.terms.board].names, []
        for start, end in board.moves(state.terms, state.board, seat):
            after, _ = board.moved(state.terms, state.board, seat, start, end)
            value = _share(worth(state.terms, after, 1 - seat), seat)
            found.append((value, rng.random(), Move(names[start], names[end])))
        found.sort(key=lambda one: one[:2], reverse=True)
        return [(value, action) for value, _, action in found]

    def choose(self, rules: AnyRules, state: State, seat: Seat, rng: Rng) -> Any:
        return self.ranked(rules, state, seat, rng)[0][1]

    def value(self, state: State, seat: Seat) -> float:
        return _share(worth(state.terms, state.board, state.mover), seat)


def _share(worth: float, seat: Seat) -> float:
    return 1 / (1 + exp(0.25 * (worth if seat == 0 else -worth)))
