"""What results say of strength: winners rise, partners together, and an account's seats against each other nothing."""

from __future__ import annotations

from uuid import UUID

import pytest

from holmgang.app.games.ratings import NEWCOMER, assessed, ranks_of, shown
from holmgang.app.records.ratings import Belief

A, B, C, D = (UUID(int=n) for n in range(4))
ALONE = ((0,), (1,), (2,))
NEW = dict.fromkeys((A, B, C, D), NEWCOMER.belief)


def test_a_newcomer_shows_1500_and_rises_by_certainty_alone() -> None:
    assert shown(NEWCOMER.belief) == 1500
    assert shown(Belief(25.0, 2.0)) == 1500 + 24 * 19


def test_ranks_count_groups_from_1_and_sides_of_a_group_share_one() -> None:
    assert ranks_of(ALONE, [[1], [0, 2]]) == [2, 1, 2]
    assert ranks_of(((0, 2), (1, 3)), [[1, 3], [0, 2]]) == [2, 1]
    assert ranks_of(((0, 2), (1, 3)), [[0, 1, 2, 3]]) == [1, 1]


def test_the_winner_rises_and_the_last_falls() -> None:
    after = assessed(ALONE, [2, 1, 3], [A, B, C], NEW)
    assert after[B].mu > after[A].mu > after[C].mu
    assert after[B].mu > 25 > after[C].mu
    assert all(belief.sigma < NEWCOMER.sigma for belief in after.values()), "every game makes surer"


def test_a_shared_rank_is_no_difference() -> None:
    after = assessed(ALONE, [1, 2, 2], [A, B, C], NEW)
    assert after[B] == after[C]
    assert after[A].mu > after[B].mu
    drawn = assessed(((0,), (1,)), [1, 1], [A, B], NEW)
    assert drawn[A].mu == drawn[B].mu == pytest.approx(25)
    unequal = assessed(((0,), (1,)), [1, 1], [A, B], {A: Belief(35, 4), B: Belief(25, 4)})
    assert unequal[A].mu < 35
    assert unequal[B].mu > 25


def test_who_was_expected_to_win_gains_less() -> None:
    strong, weak = Belief(35, 3), Belief(20, 3)
    before = {A: strong, B: weak}
    expected, upset = (assessed(((0,), (1,)), ranks, [A, B], before) for ranks in ([1, 2], [2, 1]))
    assert 0 < expected[A].mu - 35 < upset[B].mu - 20


def test_the_order_of_seats_does_not_matter() -> None:
    before = {A: Belief(31, 4), B: Belief(24, 6), C: Belief(27, 2)}
    one = assessed(ALONE, [1, 3, 2], [A, B, C], before)
    other = assessed(ALONE, [3, 2, 1], [B, C, A], before)
    for player in before:
        assert one[player].mu == pytest.approx(other[player].mu, abs=1e-9)
        assert one[player].sigma == pytest.approx(other[player].sigma, abs=1e-9)


def test_partners_rise_together() -> None:
    after = assessed(((0, 2), (1, 3)), [1, 2], [A, B, C, D], NEW)
    assert after[A] == after[C]
    assert after[B] == after[D]
    assert after[A].mu > 25 > after[B].mu
    surer = assessed(((0, 2), (1, 3)), [1, 2], [A, B, C, D], {**NEW, C: Belief(25, 2)})
    assert surer[A].mu - 25 > surer[C].mu - 25 > 0, "who is well known moves less"


def test_an_account_with_two_seats_goes_to_the_mean_of_both() -> None:
    """As if two accounts of the same strength had played."""
    apart = assessed(ALONE, [1, 2, 3], [A, B, C], NEW)
    once = assessed(ALONE, [1, 2, 3], [A, B, B], NEW)
    assert once[A] == apart[A]
    assert once[B].mu == pytest.approx((apart[B].mu + apart[C].mu) / 2)
    assert once[B].sigma == pytest.approx((apart[B].sigma + apart[C].sigma) / 2)
    swapped = assessed(ALONE, [1, 3, 2], [A, B, B], NEW)
    assert swapped[B].mu == pytest.approx(once[B].mu), "which of its seats was the better one tells nothing"


def test_an_account_on_both_sides_of_a_team_game() -> None:
    after = assessed(((0, 2), (1, 3)), [1, 2], [A, B, B, C], NEW)
    assert after[A].mu > 25 > after[C].mu
    assert after[B].mu == pytest.approx(25)


def test_a_game_of_one_account_tells_nothing() -> None:
    assert assessed(ALONE, [1, 2, 3], [B, B, B], NEW) == {B: NEWCOMER.belief}
