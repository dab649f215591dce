"""Random play in-process: asked decisions a second on one core, with everything that a checked move needs.

Counted are only decisions that a seat is asked for; `turn`, `moves`, a sample, the checked `play` and all chance
between them are in the time. To see where it goes: `python -m cProfile -s tottime -m bench --only engine --seconds 5`.
"""

from __future__ import annotations

import random
import time

from service.engine.rules import AnyRules, play
from service.engine.turn import Await, Chance
from service.games import registry


def one_game(rules: AnyRules, seats: int, rng: random.Random) -> int:
    """Play a game to its end; how many decisions were asked."""
    state = rules.initial(rules.configure(seats, {}))
    asked = 0
    while True:
        turn = rules.turn(state)
        if type(turn) is Await:
            seat = turn.seats[0]
            state = play(rules, state, seat, rules.moves(state, seat).sample(rng)).state
            asked += 1
        elif type(turn) is Chance:
            state = rules.resolve(state, int(rng.random() * turn.stop)).state
        else:
            return asked


def measure(seconds: float) -> dict[str, float]:
    """Decisions a second for every game and player count, each measured for `seconds`."""
    figures = {}
    for rules in registry.all_latest():
        for seats in rules.seat_counts:
            rng = random.Random(seats)
            one_game(rules, seats, rng)
            asked, started = 0, time.perf_counter()
            while time.perf_counter() < started + seconds:
                asked += one_game(rules, seats, rng)
            figures[f"{rules.ruleset}, {seats} seats"] = asked / (time.perf_counter() - started)
    return figures
