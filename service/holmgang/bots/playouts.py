"""What stands in for the judge that a game does not bring: any legal choices, and what comes of them."""

from __future__ import annotations

from random import Random
from typing import Any

from holmgang.engine.moves import Rng
from holmgang.engine.rules import AnyRules
from holmgang.engine.turn import Await, Over, Seat

from .base import Effort, settle


class Playouts:
    """Knows of a game what its rules say: what is legal, and who has what when the others give up. Made for one choice.

    Its values are coarse, so the tree strays far, and most playouts go on to the end of a game.
    """

    effort = Effort(iterations=2000, choices=8000, playout=100, curiosity=0.6, width=2.0)

    def __init__(self, rules: AnyRules) -> None:
        self.rules = rules
        self.sides: tuple[tuple[Seat, ...], ...] = ()

    def choose(self, rules: AnyRules, state: Any, seat: Seat, rng: Rng) -> Any:
        return rules.moves(state, seat).sample(rng)

    def value(self, state: Any, seat: Seat) -> float:
        """The side's share of what all sides have: even where they have as much, or nothing.

        A side has the points that it ends with if the others resign now.
        """
        if not self.sides:
            self.sides = self.rules.teams(len(self._left_to(state, ()).scores))
        points = []
        for side in self.sides:
            over = self._left_to(state, side)
            points.append(sum(over.scores[mate] for mate in side))
        shares = [1.0 + had - min(0, *points) for had in points]
        mine = next(n for n, side in enumerate(self.sides) if seat in side)
        return shares[mine] / sum(shares)

    def _left_to(self, state: Any, side: tuple[Seat, ...]) -> Over:
        """The result if all others resign as soon as they are asked: seats that have resigned are not."""
        rules, rng = self.rules, Random(0)  # noqa: S311 # for what chance is asked for on the way
        while type(turn := rules.turn(state)) is Await:
            others = [seat for seat in turn.seats if seat not in side]
            if others:
                step = rules.resign(state, others[0])
            else:
                step = rules.apply(state, turn.seats[0], rules.default(state, turn.seats[0]))
            state = settle(rules, step.state, rng)
        assert type(turn) is Over
        return turn
