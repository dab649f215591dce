"""Random play in-process: asked decisions a second on one core, with everything that a checked move needs.

Counted are only decisions that a seat is asked for; `turn`, `moves`, a sample, the checked `play` and all chance
between them are in the time. To see where it goes: `python -m cProfile -s tottime -m bench --only engine --seconds 5`.
"""

from __future__ import annotations

import random
import statistics
import time
from collections import Counter
from typing import Any, NamedTuple

from holmgang import registry
from holmgang.engine.rules import AnyRules, play
from holmgang.engine.turn import Await, Chance, Over


class Played(NamedTuple):
    """A game that has ended: how many decisions were made, in how many turns (C2), and why it ended."""

    decisions: int
    turns: int
    reason: str


def one_game(rules: AnyRules, seats: int, rng: random.Random) -> Played:
    """Play a game at random to its end."""
    state = rules.initial(rules.configure(seats, {}))
    asked = turns = 0
    while True:
        turn = rules.turn(state)
        if type(turn) is Await:
            seat = turn.seats[0]
            state = play(rules, state, seat, rules.moves(state, seat).sample(rng)).state
            asked += 1
            turns = turn.turn
        elif type(turn) is Chance:
            state = rules.resolve(state, int(rng.random() * turn.stop)).state
        else:
            assert isinstance(turn, Over)
            return Played(asked, turns, turn.reason)


def measure(seconds: float) -> dict[str, float]:
    """Decisions a second for every game and player count, each measured for `seconds`."""
    figures = {}
    for rules in registry.all_latest():
        for seats in rules.seat_counts:
            rng = random.Random(seats)
            one_game(rules, seats, rng)
            asked, started = 0, time.perf_counter()
            while time.perf_counter() < started + seconds:
                asked += one_game(rules, seats, rng).decisions
            figures[f"{rules.ruleset}, {seats} seats"] = asked / (time.perf_counter() - started)
    return figures


def lengths(games: int) -> dict[str, dict[str, Any]]:
    """How long random games last, in turns, for every game and player count; and how often each reason ended one."""
    figures = {}
    for rules in registry.all_latest():
        for seats in rules.seat_counts:
            rng = random.Random(f"{rules.ruleset} {seats}")
            played = [one_game(rules, seats, rng) for _ in range(games)]
            turns = sorted(game.turns for game in played)
            tenths = statistics.quantiles(turns, n=10)
            figures[f"{rules.ruleset}, {seats} seats"] = {
                "games": games,
                "least": turns[0],
                "tenth": round(tenths[0]),
                "median": round(statistics.median(turns)),
                "ninth tenth": round(tenths[-1]),
                "most": turns[-1],
                "ended by": dict(Counter(game.reason for game in played).most_common()),
            }
    return figures
