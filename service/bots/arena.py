"""Bots against each other: one game, and a match of two kinds of bot that ends as soon as it is decided."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import log, sqrt
from random import Random
from time import perf_counter, process_time
from typing import Any

from msgspec import Struct

from service.engine.moves import Rng
from service.engine.rules import AnyRules, play
from service.engine.turn import Await, Over

from .base import Bot, settle

GAP = 0.1
ERROR = 0.05
Z = 1.959963984540054
"""Of a two-sided interval of 95 %."""


class Clock(Struct):
    """What a bot's choices took, in time of the processor."""

    choices: int = 0
    seconds: float = 0.0
    slowest: float = 0.0

    def add(self, seconds: float) -> None:
        self.choices += 1
        self.seconds += seconds
        self.slowest = max(self.slowest, seconds)

    def mean(self) -> float:
        return self.seconds / self.choices if self.choices else 0.0


def play_game(
    rules: AnyRules,
    config: Any,
    bots: Sequence[Bot],
    chance: Rng,
    rngs: Sequence[Rng],
    clocks: Sequence[Clock] | None = None,
) -> Over:
    """One game between bots by seat. Each is shown its own view and has random numbers of its own.

    `clocks`, by seat, take the time of the choices.
    """
    state = settle(rules, rules.initial(config), chance)
    while type(turn := rules.turn(state)) is Await:
        shown = {seat: rules.view(state, seat) for seat in turn.seats}
        for seat, view in shown.items():
            started = process_time()
            action = bots[seat].choose(rules, view, rngs[seat])
            if clocks is not None:
                clocks[seat].add(process_time() - started)
            state = play(rules, state, seat, action).state
        state = settle(rules, state, chance)
    assert type(turn) is Over
    return turn


def line_ups(rules: AnyRules, seats: int) -> list[tuple[bool, ...]]:
    """Who sits where, True for the first kind: every way to share the sides equally, each followed by its opposite.

    An odd number of sides is shared as equally as it can be; over the whole list both kinds sit alike. Partners are
    of one kind.
    """
    teams = rules.teams(seats)
    found: list[tuple[bool, ...]] = []
    for chosen in combinations(range(len(teams)), len(teams) // 2):
        first = {seat for n in chosen for seat in teams[n]}
        seated = tuple(seat in first for seat in range(seats))
        opposite = tuple(not each for each in seated)
        if seated not in found:
            found += (seated, opposite)
    return found


def wilson(wins: float, games: int, z: float = Z) -> tuple[float, float]:
    """Wilson's score interval of a share of wins."""
    if not games:
        return 0.0, 1.0
    share = wins / games
    middle = share + z * z / (2 * games)
    spread = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


class Trial:
    """Wald's sequential test of a share of wins: at least `target`, or at most 0.1 less, each wrong once in 20."""

    def __init__(self, target: float) -> None:
        if not GAP < target < 1:
            raise ValueError(f"the target lies between {GAP} and 1")
        self.won = log(target / (target - GAP))
        self.lost = log((1 - target) / (1 - target + GAP))
        self.bound = log((1 - ERROR) / ERROR)
        self.evidence = 0.0

    def add(self, score: float) -> None:
        """A game: 1 won, 0 lost; a shared win is half of each."""
        self.evidence += score * self.won + (1 - score) * self.lost

    def verdict(self) -> bool | None:
        """Whether the target is reached; None before that is decided."""
        if self.evidence >= self.bound:
            return True
        return False if self.evidence <= -self.bound else None


class Standing(Struct, frozen=True, kw_only=True):
    """A match after some games. `wins` are the first kind's, halves for wins shared by both; `reached` tells whether
    the test has found the target reached, `clocks` what the choices of both kinds took."""

    games: int
    wins: float
    interval: tuple[float, float]
    reached: bool | None
    clocks: tuple[Clock, Clock]


def match(
    rules: AnyRules,
    config: Any,
    bots: tuple[Bot, Bot],
    target: float,
    seed: int,
    *,
    seconds: float,
    games: int | None = None,
) -> Iterator[Standing]:
    """Play games of two kinds of bot, in turn by `line_ups`, and tell how it stands after each.

    Ends when the test has decided, or with `games` after so many, but in any case when `seconds` have passed. A game
    depends on the seed and its number alone.
    """
    trial = Trial(target)
    seats: int = config.seats
    seated = line_ups(rules, seats)
    clocks = (Clock(), Clock())
    wins, played, started = 0.0, 0, perf_counter()
    while (trial.verdict() is None if games is None else played < games) and perf_counter() - started < seconds:
        firsts = seated[played % len(seated)]
        over = play_game(
            rules,
            config,
            [bots[not first] for first in firsts],
            Random(f"{seed}/{played}/chance"),
            [Random(f"{seed}/{played}/{seat}") for seat in range(seats)],
            [clocks[not first] for first in firsts],
        )
        kinds = {firsts[seat] for seat in over.ranking[0]}
        score = 0.5 if len(kinds) == 2 else float(kinds == {True})
        trial.add(score)
        wins += score
        played += 1
        yield Standing(games=played, wins=wins, interval=wilson(wins, played), reached=trial.verdict(), clocks=clocks)
