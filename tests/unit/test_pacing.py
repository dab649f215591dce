"""Token buckets, by a clock of the test's own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holmgang.api.http import pacing
from holmgang.api.http.pacing import TokenBuckets


class Clock:
    """`sleep` lets the time pass."""

    now = 1000.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(pacing, "time", clock)
    return clock


def test_a_burst_comes_at_once_and_the_rest_in_even_steps(clock: Clock) -> None:
    buckets = TokenBuckets(10, 3)
    assert [round(buckets.reserve("a", 1, 60), 6) for _ in range(6)] == [0, 0, 0, 0.1, 0.2, 0.3]
    assert buckets.reserve("b", 1, 60) == 0, "each key has its own"
    clock.now += 0.6
    assert [round(buckets.reserve("a", 1, 60), 6) for _ in range(4)] == [0, 0, 0, 0.1]


def test_tokens_that_would_be_there_too_late_are_not_taken(clock: Clock) -> None:
    buckets = TokenBuckets(10, 10)
    assert buckets.reserve("a", 20, 1.0) == 1.0
    assert [round(buckets.reserve("a", 5, 1.0), 6) for _ in range(3)] == [1.5] * 3
    buckets.refund("a", 10)
    assert round(buckets.reserve("a", 5, 1.0), 6) == 0.5


def test_a_key_that_asks_without_end_is_delayed_but_not_for_ever(clock: Clock) -> None:
    buckets, began = TokenBuckets(10, 10), clock.now
    for _ in range(60):
        buckets.delay("a", 2.0)
    assert 4.9 < clock.now - began < 5.1, "fifty more than at once, at ten a second"
    for _ in range(200):
        buckets.reserve("b", 1, 2.0)
    for _ in range(50):
        before = clock.now
        buckets.reserve("b", 100, 0)
        buckets.delay("b", 2.0)
        assert clock.now - before <= 2.0


def test_a_key_that_has_not_asked_for_long_is_forgotten(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pacing, "_KEPT", 10)
    buckets = TokenBuckets(10, 1)
    for n in range(100):
        buckets.reserve(str(n), 1, 60)
        clock.now += 0.05
    assert len(buckets._full_at) <= 11


@given(st.lists(st.tuples(st.integers(1, 50), st.floats(0, 2)), max_size=60))
def test_no_more_is_done_than_the_bucket_allows(asked: list[tuple[int, float]]) -> None:
    """However it is asked for: by any moment no more is due than the burst and what the rate has added since."""
    with pytest.MonkeyPatch.context() as patch:
        clock = Clock()
        patch.setattr(pacing, "time", clock)
        buckets, due = TokenBuckets(20, 40), list[tuple[float, int]]()
        for amount, pause in asked:
            seconds = buckets.reserve("a", amount, 3.0)
            if seconds <= 3.0:
                due.append((clock.now + seconds, amount))
            clock.now += pause
    for when, _ in due:
        assert sum(amount for at, amount in due if at <= when) <= 40 + 20 * (when - 1000.0) + 1e-3
