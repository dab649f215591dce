"""What bots know of Toy: high cards win rounds, and two points are more than one."""

from __future__ import annotations

from typing import Any

from holmgang.engine.moves import Rng
from holmgang.engine.rules import AnyRules
from holmgang.engine.turn import Seat

from .rules.toy import Claim, Play, State


class ToyJudge:
    def choose(self, rules: AnyRules, state: State, seat: Seat, rng: Rng) -> Any:
        return Claim(2) if state.winner is not None else Play(max(state.hands[seat]))

    def value(self, state: State, seat: Seat) -> float:
        best = max(score for other, score in enumerate(state.scores) if other != seat)
        return min(1.0, max(0.0, 0.5 + (state.scores[seat] - best) / 12))
