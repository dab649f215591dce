"""Steps of training a second: random play in our PettingZoo environments, beside the rules alone and another checkout.

A step is what PettingZoo's loop does: `last`, one word of the mask at random, `step`. The rules alone decide what one
word or several say. Where a folder with another version of the package is named, its steps are measured in turns with
ours, each in a process of its own.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from bench.engine import one_game
from holmgang import registry
from holmgang.engine.rules import AnyRules
from holmgang.training import holmgang_env

HERE = Path(__file__).parents[1]
Measured = dict[str, dict[str, float]]


def measure(seconds: float, rounds: int, beside: Path | None) -> Measured:
    """`seconds` for each game, in `rounds` turns; medians count, of seconds of CPU."""
    found: Measured = {}
    for rules in registry.all_latest():
        seats = min(rules.seat_counts)
        rates: dict[str, list[float]] = {"per_second": [], "bare_per_second": [], "beside_per_second": []}
        for turn in range(rounds):
            rates["per_second"].append(_elsewhere(HERE / "service", rules.ruleset, seconds / rounds))
            if beside is not None:
                rates["beside_per_second"].append(_elsewhere(beside, rules.ruleset, seconds / rounds))
            rng = random.Random(turn)
            rates["bare_per_second"].append(rate(partial(_decisions, rules, seats, rng), seconds / rounds))
        row = {name: statistics.median(each) for name, each in rates.items() if each}
        for other in ("bare", "beside"):
            if f"{other}_per_second" in row:
                row[f"{other}_ratio"] = row["per_second"] / row[f"{other}_per_second"]
        found[f"{rules.ruleset}, {seats} seats"] = row
    return found


def _decisions(rules: AnyRules, seats: int, rng: random.Random) -> int:
    return one_game(rules, seats, rng).decisions


def _elsewhere(service: Path, game: str, seconds: float) -> float:
    """Steps a second of the package in that folder."""
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join([str(service), str(HERE)])}
    command = [sys.executable, "-m", "bench.training", game, str(seconds)]
    done = subprocess.run(command, env=environ, cwd=HERE, capture_output=True, text=True, check=True)
    return float(done.stdout)


def rate(play: Callable[[], int], seconds: float) -> float:
    """Steps in a second of one core, after one game to warm up; what others take from it does not count."""
    play()
    made, used, ends = 0, time.process_time(), time.perf_counter() + seconds
    while time.perf_counter() < ends:
        made += play()
    return made / (time.process_time() - used)


def player(game: str) -> Callable[[], int]:
    """Plays one game at random, and tells how many words that were."""
    env, rng = holmgang_env(game), np.random.default_rng(1)

    def play() -> int:
        words = 0
        env.reset(seed=int(rng.integers(2**31)))
        for _ in env.agent_iter():
            seen, _, ended, cut, _ = env.last()
            if ended or cut:
                env.step(None)
                continue
            env.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
            words += 1
        return words

    return play


if __name__ == "__main__":
    print(rate(player(sys.argv[1]), float(sys.argv[2])))
