"""The pace of what would come too thick, by a clock of the test's own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.api.http import pacing
from service.api.http.pacing import Pace


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


def test_some_come_at_once_and_the_rest_in_even_steps(clock: Clock) -> None:
    pace = Pace(10, 3)
    assert [round(pace.ask("a", 1, 60), 6) for _ in range(6)] == [0, 0, 0, 0.1, 0.2, 0.3]
    assert pace.ask("b", 1, 60) == 0, "another's are another's"
    clock.now += 0.6
    assert [round(pace.ask("a", 1, 60), 6) for _ in range(4)] == [0, 0, 0, 0.1]


def test_what_would_be_due_too_late_is_not_counted(clock: Clock) -> None:
    pace = Pace(10, 10)
    assert pace.ask("a", 20, 1.0) == 1.0
    assert [round(pace.ask("a", 5, 1.0), 6) for _ in range(3)] == [1.5] * 3
    pace.give_back("a", 10)
    assert round(pace.ask("a", 5, 1.0), 6) == 0.5


def test_who_asks_without_end_is_kept_waiting_but_not_for_ever(clock: Clock) -> None:
    pace, began = Pace(10, 10), clock.now
    for _ in range(60):
        pace.keep("a", 2.0)
    assert 4.9 < clock.now - began < 5.1, "fifty more than at once, at ten a second"
    for _ in range(200):
        pace.ask("b", 1, 2.0)
    for _ in range(50):
        before = clock.now
        pace.ask("b", 100, 0)
        pace.keep("b", 2.0)
        assert clock.now - before <= 2.0


def test_who_has_not_asked_for_long_is_forgotten(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pacing, "_KEPT", 10)
    pace = Pace(10, 1)
    for n in range(100):
        pace.ask(str(n), 1, 60)
        clock.now += 0.05
    assert len(pace._due) <= 11


@given(st.lists(st.tuples(st.integers(1, 50), st.floats(0, 2)), max_size=60))
def test_no_more_is_done_than_the_pace_allows(asked: list[tuple[int, float]]) -> None:
    """However it is asked for: by any moment no more is due than came at once and has been allowed since."""
    with pytest.MonkeyPatch.context() as patch:
        clock = Clock()
        patch.setattr(pacing, "time", clock)
        pace, due = Pace(20, 40), list[tuple[float, int]]()
        for amount, pause in asked:
            seconds = pace.ask("a", amount, 3.0)
            if seconds <= 3.0:
                due.append((clock.now + seconds, amount))
            clock.now += pause
    for when, _ in due:
        assert sum(amount for at, amount in due if at <= when) <= 40 + 20 * (when - 1000.0) + 1e-3
