"""What Tafl's heuristics know: how near the king is to his goal, how many men are left, who stands beside the king."""

from __future__ import annotations

from math import exp
from typing import Any

from service.engine.moves import Rng
from service.engine.rules import AnyRules
from service.engine.turn import Seat

from .rules import board
from .rules.model import Move, State, Terms

NEAR = (0.0, 9.0, 3.0, 1.0, 0.4)
"""The worth to the defenders of a king that many moves from his goal; one that has none in sight is worth nothing."""
OPEN_TWICE = 12.0
"""With two ways home at once."""
MAN, BESIDE = 1.0, 0.6
"""The worth of a tenth of a side's men, and of an attacker beside the king."""


def worth(terms: Terms, position: str, mover: Seat) -> float:
    """How much better the defenders stand, with `mover` to move."""
    ground, king = board.GROUNDS[terms.board], position.find(board.KING)
    if king < 0:
        return -99.0
    homes, setup = board.goals(terms), board.SETUPS[terms.board]
    if king in homes:
        return 99.0
    left = {man: position.count(man) / setup.count(man) for man in "ad"}
    told = MAN * 10 * (left["d"] - left["a"])
    told -= BESIDE * sum(position[ray[0]] == "a" for ray in ground.rays[king] if ray)
    reached, edge, bare = {king}, [king], position.replace(board.KING, board.EMPTY)
    for far in range(1, len(NEAR)):
        found = {end for start in edge for end in board.reach(terms, bare, start, board.KING)} - reached
        if ways := len(found & homes):
            if far == 1 and (mover == 1 or ways > 1):
                return told + (60.0 if mover == 1 else OPEN_TWICE)
            return told + NEAR[far]
        reached |= found
        edge = list(found)
    return told


class TaflJudge:
    def ranked(self, rules: AnyRules, state: State, seat: Seat, rng: Rng) -> list[tuple[float, Move]]:
        """Every move with its value at first sight, the best first; chance decides between equals."""
        names, sign = board.GROUNDS[state.terms.board].names, 1 if seat == 1 else -1
        found = []
        for start, end in board.moves(state.terms, state.board, seat):
            after, _ = board.moved(state.terms, state.board, seat, start, end)
            value = _share(sign * worth(state.terms, after, 1 - seat))
            found.append((value, rng.random(), Move(names[start], names[end])))
        found.sort(key=lambda one: one[:2], reverse=True)
        return [(value, action) for value, _, action in found]

    def choose(self, rules: AnyRules, state: State, seat: Seat, rng: Rng) -> Any:
        return self.ranked(rules, state, seat, rng)[0][1]

    def value(self, state: State, seat: Seat) -> float:
        if state.winners:
            return (seat in state.winners) / len(state.winners)
        return _share((1 if seat == 1 else -1) * worth(state.terms, state.board, state.mover))


def _share(worth: float) -> float:
    return 1 / (1 + exp(-0.25 * max(-99.0, min(99.0, worth))))
