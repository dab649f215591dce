"""Choices by trial: each one worth a thought is played on from the same guesses, and the better half goes on."""

from __future__ import annotations

from random import Random
from typing import Any

from holmgang.engine.moves import Rng
from holmgang.engine.rules import AnyRules
from holmgang.engine.turn import Await, Over, Seat

from .base import Scout, settle, winners_share


def tried(rules: AnyRules, scout: Scout, view: Any, rng: Rng, trials: int | None) -> Any:
    """The candidate that did best in about so many continuations (sequential halving, Karnin et al. 2013).

    The nth continuations of all candidates share their guesses and their luck, as far as they go alike: their
    differences are not of that making.
    """
    return Trials(rules, scout, view, rng).best(trials)


class Trials:
    """The trials of one choice."""

    def __init__(self, rules: AnyRules, scout: Scout, view: Any, rng: Rng) -> None:
        self.rules, self.scout, self.view, self.rng = rules, scout, view, rng
        self.seat: Seat = view.seat
        self.state = scout.guess(rules, view, rng)
        self.world = rng.randrange(1 << 48)

    def best(self, trials: int | None) -> Any:
        left = self.scout.trials(self.state) if trials is None else trials
        actions = list(self.scout.candidates(self.rules, self.state, self.seat, self.rng))
        totals = [0.0] * len(actions)
        runs = [0] * len(actions)
        alive = list(range(len(actions)))
        stages = max(1, (len(alive) - 1).bit_length())
        goal = 0
        for stage in range(stages):
            if len(alive) == 1:
                break
            goal += max(1, left // (stages - stage) // len(alive))
            for n in alive:
                while runs[n] < goal:
                    totals[n] += self.played(actions[n], runs[n])
                    runs[n] += 1
                    left -= 1
            alive.sort(key=lambda n: -totals[n])
            alive = alive[: (len(alive) + 1) // 2]
        return actions[alive[0]]

    def played(self, action: Any, number: int) -> float:
        """How the seat stands after the action, once the round has been played with the judge's choices."""
        state = self.played_out(action, number)
        over = type(self.rules.turn(state)) is Over
        return winners_share(self.rules, state, self.seat) if over else self.scout.value(state, self.seat)

    def played_out(self, action: Any, number: int) -> Any:
        """The state at the end of the round."""
        rules, scout, seat = self.rules, self.scout, self.seat
        rng = Random(self.world + number)  # noqa: S311 # trials are to be repeatable
        start = scout.guess(rules, self.view, rng)
        state = settle(rules, rules.apply(start, seat, action).state, rng)
        while type(turn := rules.turn(state)) is Await and not scout.rests(state, start):
            for asked in turn.seats:
                state = rules.apply(state, asked, scout.choose(rules, state, asked, rng)).state
            state = settle(rules, state, rng)
        return state
