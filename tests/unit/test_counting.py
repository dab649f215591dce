"""Windows of rate limits in memory, by a clock of the test's own."""

from __future__ import annotations

import threading

import pytest

from service.api import counting
from service.api.counting import Windows


class Clock:
    now = 1000.0

    def time(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(counting, "time", clock)
    return clock


def test_a_window_begins_with_its_first_count_and_ends_sharply(clock: Clock) -> None:
    windows = Windows()
    assert (windows.get("a"), windows.get_expiry("a")) == (0, 1000.0)
    assert [windows.incr("a", 10) for _ in range(3)] == [1, 2, 3]
    clock.now = 1009.9
    assert windows.incr("b", 10, amount=5) == 5
    assert (windows.incr("a", 10), windows.get_expiry("a")) == (4, 1010.0)
    clock.now = 1010.0
    assert (windows.get("a"), windows.get_expiry("a"), windows.get("b")) == (0, 1010.0, 5)
    assert (windows.incr("a", 10), windows.get_expiry("a")) == (1, 1020.0)


def test_a_clock_that_is_set_back_keeps_nobody_out(clock: Clock) -> None:
    windows = Windows()
    assert windows.incr("a", 10, amount=5) == 5
    clock.now -= 3600
    assert (windows.incr("a", 10), windows.get_expiry("a")) == (1, clock.now + 10)


def test_what_is_over_is_forgotten_once_a_window(clock: Clock) -> None:
    windows = Windows()
    for key in range(100):
        windows.incr(f"old {key}", 10)
    clock.now = 1010.0
    windows.incr("new", 10)
    assert windows.reset() == 1, "how many it still knew"


def test_windows_of_a_time_that_is_far_off_are_forgotten_at_once(clock: Clock) -> None:
    windows = Windows()
    for key in range(100):
        windows.incr(f"old {key}", 10)
    clock.now -= 3600
    windows.incr("new", 10)
    assert windows.reset() == 1, "how many it still knew"
    clock.now += 20
    for key in range(100):
        windows.incr(f"old {key}", 10)
    clock.now += 10
    windows.incr("new", 10)
    assert windows.reset() == 1, "and it goes on sweeping"


def test_a_key_is_cleared_alone(clock: Clock) -> None:
    windows = Windows()
    windows.incr("a", 10)
    windows.incr("b", 10)
    windows.clear("a")
    assert (windows.get("a"), windows.get("b"), windows.check()) == (0, 1, True)


def test_no_count_is_lost_among_threads() -> None:
    windows = Windows()
    threads = [threading.Thread(target=lambda: [windows.incr("a", 60) for _ in range(500)]) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert windows.get("a") == 4000
