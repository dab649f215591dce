"""The schedule of attempts."""

from __future__ import annotations

import math

import pytest

from holmgang.worker import backoff


def test_waits_grow_and_end() -> None:
    waits = [backoff.delay_after(failures, 0.0) for failures in range(1, backoff.ATTEMPTS + 1)]
    assert waits == [5, 30, 120, 600, 3600, 21600, 86400, None]
    assert backoff.delay_after(1000, 0.5) is None


@pytest.mark.parametrize("failures", range(1, backoff.ATTEMPTS))
def test_chance_only_lengthens_a_wait_by_up_to_a_fifth(failures: int) -> None:
    shortest, middle, longest = (backoff.delay_after(failures, chance) for chance in (0.0, 0.5, 1.0))
    assert shortest is not None
    assert middle == pytest.approx(shortest * 1.1)
    assert longest == pytest.approx(shortest * 1.2)


@pytest.mark.parametrize("failures", range(1, backoff.ATTEMPTS))
@pytest.mark.parametrize("chance", [0.0, 1.0])
def test_nobody_comes_back_sooner_than_asked_nor_later_than_a_day_for_being_asked(failures: int, chance: float) -> None:
    usual = backoff.delay_after(failures, chance)
    assert usual is not None
    for asked in (0.0, 1.0, 45.0, 4_000.0, 86_400.0, 1e9, math.inf):
        delay = backoff.delay_after(failures, chance, asked)
        assert delay is not None
        assert max(usual, min(asked, 86_400)) <= delay <= max(usual, 86_400 * 1.2)
    assert backoff.delay_after(backoff.ATTEMPTS, chance, 5.0) is None


def test_jitter_never_makes_a_later_wait_shorter_than_an_earlier_one() -> None:
    for failures in range(2, backoff.ATTEMPTS):
        before, after = backoff.delay_after(failures - 1, 1.0), backoff.delay_after(failures, 0.0)
        assert before is not None
        assert after is not None
        assert before < after


@pytest.mark.parametrize(("failures", "chance"), [(0, 0.5), (-1, 0.5), (1, -0.1), (1, 1.1), (1, float("nan"))])
def test_what_is_no_failure_or_no_chance(failures: int, chance: float) -> None:
    with pytest.raises(ValueError, match="at least one failure"):
        backoff.delay_after(failures, chance)
