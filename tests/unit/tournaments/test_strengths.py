"""Strengths and their intervals."""

from __future__ import annotations

from math import log, sqrt
from random import Random

import pytest

from holmgang.tournaments.endless import ladder
from holmgang.tournaments.meetings import Meeting, bye, meeting
from holmgang.tournaments.strengths import ELO, Strengths, weight


def games(won: int, lost: int) -> list[Meeting]:
    return [meeting(1, ("a", "b"), [1, 2])] * won + [meeting(1, ("a", "b"), [2, 1])] * lost


def test_two_players_by_hand() -> None:
    """300 of 400: a difference of 400 log10(3); its deviation is that of a logit, sqrt(1 / (400 × ¾ × ¼)). Each is half
    of it away from the mean."""
    found = Strengths(("a", "b"), games(300, 100))
    assert found.elo("a") - found.elo("b") == pytest.approx(ELO * log(3), rel=0.01)
    assert found.elo("a") == pytest.approx(-found.elo("b"))
    assert found.deviation("a") == pytest.approx(ELO * sqrt(1 / 75) / 2, rel=0.01)
    assert found.expected("a", "b") == pytest.approx(0.75, abs=0.002)


def test_who_always_wins_is_not_infinitely_strong_and_not_sure() -> None:
    few, many = Strengths(("a", "b"), games(3, 0)), Strengths(("a", "b"), games(300, 0))
    assert 0 < few.elo("a") < many.elo("a") < 1000
    assert few.deviation("a") > 150
    assert many.deviation("a") > 50


def test_byes_and_those_who_stayed_away_tell_nothing() -> None:
    nothing = Strengths(("a", "b"), [bye(1, "a"), meeting(2, ("a", "b"), [1, 2], absent=["b"])])
    assert nothing.elo("a") == nothing.elo("b") == 0


def test_what_a_game_tells() -> None:
    """Two who have not played: each is half their difference away from the mean, which deviates by sqrt(18); a game of
    equals makes 1/18 of that 1/18 + 1/4. Later games tell less, and clear ones least."""
    before = Strengths(("a", "b"), [])
    assert before.gains()["a", "b"] == pytest.approx(2 * (18 - 1 / (1 / 18 + 1 / 4)) / 4)
    assert before.expecting(("a", "b")).deviation("a") == pytest.approx(ELO * sqrt(1 / (1 / 18 + 1 / 4)) / 2)
    even, clear = Strengths(("a", "b"), games(20, 20)), Strengths(("a", "b"), games(20, 0))
    told = Strengths(("a", "b"), games(21, 20)).deviation("a"), even.expecting(("a", "b")).deviation("a")
    assert told[0] == pytest.approx(told[1], rel=0.01)
    assert before.gains()["a", "b"] > clear.gains()["a", "b"] > even.gains()["a", "b"] > 0


def test_a_ladder_lets_equals_play_rather_than_those_who_are_far_apart() -> None:
    played = [meeting(1, pair, [1, 2]) for pair in (("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("a", "d"))] * 6
    (table,) = ladder(played, Strengths("abcd", played))
    assert set(table) == {"b", "c"}


@pytest.mark.parametrize(("size", "worth"), [(2, 1), (3, 7 / 9), (4, 23 / 36)])
def test_what_a_comparison_counts(size: int, worth: float) -> None:
    """Three: the first of three tells 2/9 of each, the second ¼ of the two who are left; two games of two tell ½."""
    assert weight(size) == pytest.approx(worth)


@pytest.mark.parametrize("size", [2, 3, 4])
def test_intervals_hold_the_true_strengths_as_often_as_they_say(size: int) -> None:
    """Luck by a seed: 60 fields of six, 90 tables each. 19 of 20 are to be within, give or take."""
    rng, within, names = Random(size), 0, "abcdef"
    for _ in range(60):
        true = {name: rng.gauss(0, 0.7) for name in names}
        mean = sum(true.values()) / len(true)
        played = []
        for number in range(90):
            table = tuple(rng.sample(names, size))
            order = sorted(table, key=lambda name: rng.expovariate(2.718281828 ** true[name]))
            played.append(meeting(number, table, [order.index(name) + 1 for name in table]))
        found = Strengths(names, played)
        within += sum(abs(found.elo(name) - ELO * (true[name] - mean)) < 1.96 * found.deviation(name) for name in names)
    assert 0.92 < within / 360 < 0.98
