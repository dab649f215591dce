"""Many games between several bots, counted: who wins how often, from which seat, with what scores, and how surely.

Whatever is counted is counted by game: the seats of one game hang together, games do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from msgspec import Struct, field

from holmgang.engine.rules import AnyRules
from holmgang.engine.turn import Over

from .arena import Clock, Z, wilson
from .base import win_share


class Outcome(Struct, frozen=True):
    """A game that was played: its number from 1, the bot on each seat, the result, its turns, what choices took."""

    number: int
    bots: tuple[str, ...]
    over: Over
    turns: int
    clocks: tuple[Clock, ...]


class Share(Struct, frozen=True):
    """A share of wins with its interval of 95 % (Wilson), and what it would be if all were equally good."""

    games: int
    wins: float
    even: float

    @property
    def rate(self) -> float:
        return self.wins / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.wins, self.games)


class Mean(Struct):
    """A mean that numbers are added to (Welford)."""

    count: int = 0
    mean: float = 0.0
    squares: float = 0.0

    def add(self, value: float) -> None:
        self.count += 1
        step = value - self.mean
        self.mean += step / self.count
        self.squares += step * (value - self.mean)

    @property
    def error(self) -> float | None:
        """Half the interval of 95 % of the mean; None for fewer than two numbers."""
        if self.count < 2:
            return None
        return Z * sqrt(self.squares / (self.count - 1) / self.count)


class Line(Struct):
    """What is counted of a bot, or of a seat."""

    games: int = 0
    wins: float = 0.0
    even: float = 0.0
    score: Mean = field(default_factory=Mean)

    def add(self, wins: float, even: float, score: float) -> None:
        self.games += 1
        self.wins += wins
        self.even += even
        self.score.add(score)

    @property
    def share(self) -> Share:
        return Share(self.games, self.wins, self.even / self.games if self.games else 0.0)


class Tally:
    """The games so far. A bot's win is that of any of its sides; its score, the mean of its seats."""

    def __init__(self, rules: AnyRules, seats: int, bots: Sequence[str]) -> None:
        self.rules = rules
        self.teams = rules.teams(seats)
        self.games = 0
        self.shared = 0
        self.bots = {name: Line() for name in bots}
        self.seats = [Line() for _ in range(seats)]
        self.clocks = {name: Clock() for name in bots}
        self.lengths: list[int] = []

    def add(self, outcome: Outcome) -> None:
        over, sides = outcome.over, len(self.teams)
        won = [win_share(self.rules, over, seat) for seat in range(len(over.scores))]
        self.games += 1
        self.lengths.append(outcome.turns)
        self.shared += sum(team[0] in over.ranking[0] for team in self.teams) > 1
        for seat, line in enumerate(self.seats):
            line.add(won[seat], 1 / sides, over.scores[seat])
        for name in sorted(set(outcome.bots)):
            mine = [team for team in self.teams if outcome.bots[team[0]] == name]
            scores = [over.scores[seat] for team in mine for seat in team]
            self.bots[name].add(sum(won[team[0]] for team in mine), len(mine) / sides, sum(scores) / len(scores))
        for name, clock in zip(outcome.bots, outcome.clocks, strict=True):
            self.clocks[name].join(clock)

    def length(self) -> tuple[int, float, int]:
        """The fewest turns, their median and the most."""
        ordered = sorted(self.lengths)
        middle = len(ordered) // 2
        median = ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2
        return ordered[0], float(median), ordered[-1]


def ranks(over: Over) -> list[int]:
    """Each seat's rank from 1, as ratings count it: by groups of the ranking."""
    found = {seat: rank for rank, group in enumerate(over.ranking, start=1) for seat in group}
    return [found[seat] for seat in range(len(over.scores))]
