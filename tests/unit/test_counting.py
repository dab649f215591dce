"""Counters of rate limits, by a clock of the test's own."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING, cast

import pytest

from holmgang.api.http import counting
from holmgang.api.http.counting import PAUSE_S, WARNING_S, MemoryCounter, SharedCounter
from tests.storage import FakeStorage

if TYPE_CHECKING:
    from limits.storage import Storage


class Clock:
    now = 1000.0

    def time(self) -> float:
        return self.now

    monotonic = time


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(counting, "time", clock)
    return clock


def shared_counter(store: FakeStorage) -> SharedCounter:
    return SharedCounter(cast("Storage", store))


def test_a_window_begins_with_its_first_count_and_ends_sharply(clock: Clock) -> None:
    counter = MemoryCounter()
    assert [counter.count("a", 10) for _ in range(3)] == [(1, 1010.0), (2, 1010.0), (3, 1010.0)]
    clock.now = 1009.9
    assert counter.count("b", 10, amount=5) == (5, 1019.9)
    assert counter.count("a", 10) == (4, 1010.0)
    clock.now = 1010.0
    assert counter.count("a", 10) == (1, 1020.0)
    assert counter.count("b", 10) == (6, 1019.9)


def test_a_clock_that_is_set_back_keeps_nobody_out(clock: Clock) -> None:
    counter = MemoryCounter()
    assert counter.count("a", 10, amount=5) == (5, 1010.0)
    clock.now -= 3600
    assert counter.count("a", 10) == (1, clock.now + 10)


def test_what_is_over_is_forgotten_once_a_window(clock: Clock) -> None:
    counter = MemoryCounter()
    for key in range(100):
        counter.count(f"old {key}", 10)
    clock.now = 1010.0
    counter.count("new", 10)
    assert len(counter) == 1


def test_windows_of_a_time_that_is_far_off_are_forgotten_at_once(clock: Clock) -> None:
    counter = MemoryCounter()
    for key in range(100):
        counter.count(f"old {key}", 10)
    clock.now -= 3600
    counter.count("new", 10)
    assert len(counter) == 1
    clock.now += 20
    for key in range(100):
        counter.count(f"old {key}", 10)
    clock.now += 10
    counter.count("new", 10)
    assert len(counter) == 1, "it goes on sweeping"


def test_no_count_is_lost_among_threads() -> None:
    counter = MemoryCounter()
    threads = [threading.Thread(target=lambda: [counter.count("a", 60) for _ in range(500)]) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counter.count("a", 60, 0)[0] == 4000


def test_a_shared_store_that_fails_counts_nothing_and_is_left_alone_for_a_while(clock: Clock) -> None:
    store = FakeStorage()
    shared = shared_counter(store)
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
    class Slow(FakeStorage):
        beside: object = "never asked"

        def incr(self, key: str, expiry: int, amount: int = 1) -> int:
            if self.fault is None:
                self.beside = shared.count("b", 100)
            return super().incr(key, expiry, amount)

    store = Slow()
    shared = shared_counter(store)
    store.fault = TimeoutError()
    assert shared.count("a", 100) is None
    store.fault = None
    clock.now += PAUSE_S
    assert shared.count("a", 100) == (1, 1105.0)
    assert store.beside is None


def test_a_shared_store_that_fails_is_warned_of_now_and_then(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    store = FakeStorage()
    store.fault = ConnectionError("hidden")
    shared = shared_counter(store)
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
