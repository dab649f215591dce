"""What is counted of many games: by hand for a few."""

from __future__ import annotations

import pytest

from holmgang import registry
from holmgang.bots.arena import Clock
from holmgang.bots.tally import Mean, Outcome, Tally, ranks
from holmgang.engine.turn import Over

EKETORP, CLAIM = registry.latest("eketorp"), registry.latest("claim")


def outcome(number: int, bots: str, scores: tuple[int, ...], *ranking: tuple[int, ...], turns: int = 10) -> Outcome:
    clocks = tuple(Clock(choices=1, seconds=seat, slowest=seat) for seat in range(len(bots)))
    return Outcome(number, tuple(bots), Over(scores, ranking, "counted"), turns, clocks)


def test_wins_are_counted_by_game_and_shared_ones_in_parts() -> None:
    tally = Tally(EKETORP, 3, "abc")
    tally.add(outcome(1, "aab", (5, 3, 5), (0, 2), (1,), turns=4))
    tally.add(outcome(2, "abb", (9, 1, 2), (0,), (2,), (1,), turns=9))
    a, b, c = (tally.bots[name] for name in "abc")
    assert (a.games, a.wins, b.games, b.wins, c.games) == (2, 1.5, 2, 0.5, 0)
    assert a.share.rate == 0.75
    assert (a.share.even, b.share.even) == pytest.approx((0.5, 0.5))
    assert [seat.wins for seat in tally.seats] == [1.5, 0, 0.5]
    assert [seat.share.even for seat in tally.seats] == pytest.approx([1 / 3] * 3)
    assert (a.score.mean, b.score.mean) == ((4 + 9) / 2, (5 + 1.5) / 2)
    assert tally.shared == 1
    assert tally.length() == (4, 6.5, 9)
    assert (tally.clocks["a"].choices, tally.clocks["a"].slowest) == (3, 1)


def test_partners_win_together_once() -> None:
    tally = Tally(CLAIM, 4, "ab")
    tally.add(outcome(1, "abab", (2, 0, 3, 1), (0, 2), (1, 3)))
    assert (tally.bots["a"].games, tally.bots["a"].wins, tally.bots["b"].wins) == (1, 1, 0)
    assert tally.bots["a"].score.mean == 2.5
    assert [seat.wins for seat in tally.seats] == [1, 0, 1, 0]
    assert tally.seats[3].share.even == 0.5
    assert tally.shared == 0


def test_ranks_are_by_groups() -> None:
    assert ranks(Over((1, 5, 5, 0), ((1, 2), (0,), (3,)), "counted")) == [2, 1, 1, 3]


def test_a_mean_has_its_interval() -> None:
    mean = Mean()
    mean.add(3)
    assert (mean.mean, mean.error) == (3, None)
    for value in (4, 5, 9, 4):
        mean.add(value)
    assert mean.mean == 5
    assert mean.error == pytest.approx(1.959964 * (22 / 4 / 5) ** 0.5)
