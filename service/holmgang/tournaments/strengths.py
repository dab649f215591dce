"""How strong players are, by all their meetings at once, and how surely: Bradley and Terry's model, on Elo's scale.

Unlike ratings that go on from game to game, these do not depend on the order of games: for bots, which do not learn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from itertools import combinations
from math import exp, log, sqrt
from operator import mul

from .meetings import Meeting, Player

ELO = 400 / log(10)
"""Points of Elo's scale for a difference of one of the model's."""
PRIOR = 3.0
"""The deviation of strengths before anything is played: two players are hardly ever more than 1500 points apart. It
keeps who has won every time from being infinitely strong."""
ENOUGH = 1e-9
STEPS = 60


def weight(size: int) -> float:
    """What a comparison of two at a table of that size counts, so that all of them together tell as much as its ranking
    does: the information in a ranking of equals (Plackett and Luce) over that in as many games of two. 1 for two."""
    return 4 * (size - sum(1 / n for n in range(1, size + 1))) / (size * (size - 1))


class Strengths:
    """Of these players; meetings with others, byes, and those who were absent do not count."""

    def __init__(self, players: Sequence[Player], meetings: Iterable[Meeting]) -> None:
        self.players = tuple(players)
        self._at = {player: n for n, player in enumerate(players)}
        self._games: dict[tuple[int, int], list[float]] = {}
        for one in meetings:
            there = [player for player in one.present if player in self._at]
            for a, b in combinations(there, 2):
                won = 1.0 if one.of(a) > one.of(b) else 0.5 if one.of(a) == one.of(b) else 0.0
                one_, two = self._at[a], self._at[b]
                if one_ > two:
                    one_, two, won = two, one_, 1 - won
                entry = self._games.setdefault((one_, two), [0.0, 0.0])
                entry[0] += weight(len(one.present))
                entry[1] += weight(len(one.present)) * won
        self._values = [0.0] * len(players)
        self._covariance: list[list[float]] = []
        self._fit()

    def elo(self, player: Player) -> float:
        """The strength, in points above the mean of all."""
        return ELO * (self._values[self._at[player]] - sum(self._values) / len(self._values))

    def deviation(self, player: Player) -> float:
        """The standard error of `elo`."""
        n, count = self._at[player], len(self.players)
        row = self._covariance[n]
        everything = sum(map(sum, self._covariance))
        spread = row[n] - 2 * sum(row) / count + everything / count**2
        return ELO * sqrt(max(0.0, spread))

    def expected(self, player: Player, other: Player) -> float:
        """The share of games that one wins of the other."""
        return _won(self._values[self._at[player]] - self._values[self._at[other]])

    def gains(self) -> dict[tuple[Player, Player], float]:
        """What a game of two would tell, for each two: how much smaller it makes the sum of all squared deviations (an
        A-optimal design), in the model's units."""
        count, known = len(self.players), self._covariance
        means = [sum(column) / count for column in zip(*known, strict=True)]
        centred = [[row[n] - means[n] for row in known] for n in range(count)]
        product = [[sum(map(mul, one, other)) for other in centred] for one in centred]
        found = {}
        for n, k in combinations(range(count), 2):
            share = _won(self._values[n] - self._values[k])
            told = share * (1 - share)
            spread = known[n][n] + known[k][k] - 2 * known[n][k]
            less = product[n][n] + product[k][k] - 2 * product[n][k]
            found[self.players[n], self.players[k]] = told * less / (1 + told * spread)
        return found

    def expecting(self, table: Sequence[Player]) -> Strengths:
        """The same once these have played, as certain as one can be of it before: the strengths stay."""
        after = copy(self)
        for one, other in combinations(table, 2):
            n, k, known = self._at[one], self._at[other], after._covariance
            share = self.expected(one, other)
            told = weight(len(table)) * share * (1 - share)
            way = [row[n] - row[k] for row in known]
            by = told / (1 + told * (way[n] - way[k]))
            after._covariance = [
                [value - by * a * b for value, b in zip(row, way, strict=True)]
                for row, a in zip(known, way, strict=True)
            ]
        return after

    def _fit(self) -> None:
        """Newton's method, for the mode with normal strengths before; steps are cut to 1, so that it does not leap."""
        count = len(self.players)
        for _ in range(STEPS):
            slope = [-value / PRIOR**2 for value in self._values]
            bend = [[1 / PRIOR**2 if n == k else 0.0 for k in range(count)] for n in range(count)]
            for (n, k), (games, won) in self._games.items():
                share = _won(self._values[n] - self._values[k])
                slope[n] += won - games * share
                slope[k] -= won - games * share
                told = games * share * (1 - share)
                bend[n][n] += told
                bend[k][k] += told
                bend[n][k] -= told
                bend[k][n] -= told
            self._covariance = _inverse(bend)
            step = [sum(a * b for a, b in zip(row, slope, strict=True)) for row in self._covariance]
            most = max(map(abs, step), default=0.0)
            cut = min(1.0, 1 / most) if most else 1.0
            self._values = [value + cut * by for value, by in zip(self._values, step, strict=True)]
            if most < ENOUGH:
                break


def _won(apart: float) -> float:
    return 1 / (1 + exp(-apart))


def _inverse(matrix: list[list[float]]) -> list[list[float]]:
    """Of a symmetric positive definite matrix, by Gauss and Jordan; such a one needs no exchange of rows."""
    count = len(matrix)
    rows = [[*row, *(float(n == k) for k in range(count))] for n, row in enumerate(matrix)]
    for n in range(count):
        pivot = rows[n][n]
        rows[n] = [value / pivot for value in rows[n]]
        for k in range(count):
            if k != n and (factor := rows[k][n]):
                rows[k] = [a - factor * b for a, b in zip(rows[k], rows[n], strict=True)]
    return [row[count:] for row in rows]
