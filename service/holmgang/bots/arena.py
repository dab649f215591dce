"""Bots against each other: one game, and a match of two kinds of bot that ends as soon as it is decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import log, sqrt
from random import Random
from time import perf_counter, process_time
from typing import Any

from msgspec import Struct

from holmgang.engine.moves import Rng
from holmgang.engine.rules import AnyRules, play
from holmgang.engine.turn import Await, Over

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

    def join(self, other: Clock) -> None:
        """Add what another has."""
        self.choices += other.choices
        self.seconds += other.seconds
        self.slowest = max(self.slowest, other.slowest)

    def mean(self) -> float:
        return self.seconds / self.choices if self.choices else 0.0


class Game(Struct, frozen=True):
    """A game that is over: its result, and how many turns it took."""

    over: Over
    turns: int


def play_game(
    rules: AnyRules,
    config: Any,
    bots: Sequence[Bot],
    chance: Rng,
    rngs: Sequence[Rng],
    clocks: Sequence[Clock] | None = None,
) -> Game:
    """One game between bots by seat. Each is shown its own view and has random numbers of its own.

    `clocks`, by seat, take the time of the choices.
    """
    state = settle(rules, rules.initial(config), chance)
    turns = 0
    while type(turn := rules.turn(state)) is Await:
        turns = turn.turn
        shown = {seat: rules.view(state, seat) for seat in turn.seats}
        for seat, view in shown.items():
            started = process_time()
            action = bots[seat].choose(rules, view, rngs[seat])
            if clocks is not None:
                clocks[seat].add(process_time() - started)
            state = play(rules, state, seat, action).state
        state = settle(rules, state, chance)
    assert type(turn) is Over
    return Game(turn, turns)


def generators(seed: int, number: int, seats: int) -> tuple[Random, list[Random]]:
    """The random numbers of a game's chance, and of each seat's bot: they depend on the seed and the game's number
    alone."""
    chance = Random(f"{seed}/{number}/chance")  # noqa: S311 # trials are to be repeatable
    return chance, [Random(f"{seed}/{number}/{seat}") for seat in range(seats)]  # noqa: S311 # likewise repeatable


def line_ups(rules: AnyRules, seats: int, kinds: int = 2) -> list[tuple[int, ...]]:
    """Which kind of bot sits where: every way to share the sides as equally as it can be done, partners of one kind.

    They come in rounds of as many as there are kinds: in a round every seat has had each kind once. Rounds are in no
    order that favours a neighbour.
    """
    teams = rules.teams(seats)
    least = len(teams) // kinds
    most = -(-len(teams) // kinds)
    rounds = []
    for others in product(range(kinds), repeat=len(teams) - 1):
        sides = (0, *others)
        counts = Counter(sides)
        if all(least <= counts[kind] <= most for kind in range(kinds)):
            rounds.append(sides)
    Random(0).shuffle(rounds)  # noqa: S311 # trials are to be repeatable
    side_of = [next(n for n, team in enumerate(teams) if seat in team) for seat in range(seats)]
    return [tuple((sides[n] + turn) % kinds for n in side_of) for sides in rounds for turn in range(kinds)]


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
    makers: tuple[Callable[[], Bot], Callable[[], Bot]],
    target: float,
    seed: int,
    *,
    seconds: float,
    games: int | None = None,
) -> Iterator[Standing]:
    """Play games of two kinds of bot, in turn by `line_ups`, and tell how it stands after each. `makers` make a bot for
    each game and seat.

    Ends when the test has decided, or with `games` after so many, but in any case when `seconds` have passed. A game
    depends on the seed and its number, from 1, alone: it is the one of that number in `holmgang simulate`.
    """
    trial = Trial(target)
    seats: int = config.seats
    seated = line_ups(rules, seats)
    clocks = (Clock(), Clock())
    wins, played, started = 0.0, 0, perf_counter()
    while (trial.verdict() is None if games is None else played < games) and perf_counter() - started < seconds:
        kinds = seated[played % len(seated)]
        chance, rngs = generators(seed, played + 1, seats)
        over = play_game(
            rules, config, [makers[kind]() for kind in kinds], chance, rngs, [clocks[kind] for kind in kinds]
        ).over
        winners = {kinds[seat] for seat in over.ranking[0]}
        score = 0.5 if len(winners) == 2 else float(winners == {0})
        trial.add(score)
        wins += score
        played += 1
        yield Standing(games=played, wins=wins, interval=wilson(wins, played), reached=trial.verdict(), clocks=clocks)
