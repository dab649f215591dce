"""Windows of rate limits in memory, by a clock of the test's own."""

from __future__ import annotations

import logging
import threading

import pytest

from service.api.http import counting
from service.api.http.counting import PAUSE_S, WARNING_S, Shared, Windows


class Clock:
    now = 1000.0

    def time(self) -> float:
        return self.now

    monotonic = time


class Failing(Windows):
    """A store that counts, or fails where it is told to."""

    fault: Exception | None = None
    asked = 0

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        self.asked += 1
        if self.fault is not None:
            raise self.fault
        return super().incr(key, expiry, amount)


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


def test_a_shared_store_that_fails_counts_nothing_and_is_left_alone_for_a_while(clock: Clock) -> None:
    store = Failing()
    shared = Shared(store)
    assert shared.count("a", 100) == (1, 1100.0)
    store.fault = ConnectionError()
    assert [shared.count("a", 100) for _ in range(5)] == [None] * 5
    assert store.asked == 2, "nobody waits for it after the first"
    clock.now += PAUSE_S
    assert [shared.count("a", 100) for _ in range(5)] == [None] * 5
    assert store.asked == 3
    store.fault = None
    clock.now += PAUSE_S - 0.1
    assert (shared.count("a", 100), store.asked) == (None, 3)
    clock.now += 0.1
    assert [shared.count("a", 100) for _ in range(2)] == [(2, 1100.0), (3, 1100.0)]


def test_while_one_request_asks_a_shared_store_again_others_do_not_wait_for_it(clock: Clock) -> None:
    class Slow(Failing):
        beside: object = "never asked"

        def incr(self, key: str, expiry: int, amount: int = 1) -> int:
            if self.fault is None:
                self.beside = shared.count("b", 100)
            return super().incr(key, expiry, amount)

    store = Slow()
    shared = Shared(store)
    store.fault = TimeoutError()
    assert shared.count("a", 100) is None
    store.fault = None
    clock.now += PAUSE_S
    assert shared.count("a", 100) == (1, 1105.0)
    assert store.beside is None


def test_a_shared_store_that_fails_is_warned_of_now_and_then(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    store = Failing()
    store.fault = ConnectionError("hidden")
    shared = Shared(store)
    with caplog.at_level(logging.WARNING, logger="holmgang.limits"):
        for seconds in range(int(WARNING_S)):
            clock.now = 1000.0 + seconds
            assert shared.count("a", 100) is None
        assert store.asked > 1
        assert caplog.text.count("requests are not counted") == 1
        clock.now = 1000.0 + WARNING_S
        assert shared.count("a", 100) is None
    assert caplog.text.count("requests are not counted") == 2
    assert "ConnectionError" in caplog.text
    assert "hidden" not in caplog.text
