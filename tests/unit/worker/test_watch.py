"""What does not come back is broken off, in whichever thread; what does is left alone."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest

from holmgang.worker.watch import TookTooLong, Watch


@pytest.fixture
def watch() -> Iterator[Watch]:
    watch = Watch(0.05)
    looking = threading.Thread(target=watch.run)
    looking.start()
    yield watch
    watch.stop()
    looking.join()


def for_ever() -> None:
    while True:
        pass


def deaf() -> None:
    """As rules that take every fault for one of their own."""
    deafness = 3
    while True:
        try:
            for_ever()
        except TookTooLong:
            deafness -= 1
            if not deafness:
                raise


def outcome(watch: Watch, do: Callable[[], None]) -> list[str]:
    """What became of it in a thread of its own, and that the thread goes on."""
    told: list[str] = []

    def work() -> None:
        try:
            with watch.limited():
                do()
        except TookTooLong:
            told.append("broken off")
        told.append("goes on")

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(60)
    return told


@pytest.mark.parametrize("do", [for_ever, deaf])
def test_a_loop_without_an_end_is_broken_off(watch: Watch, do: Callable[[], None]) -> None:
    assert outcome(watch, do) == ["broken off", "goes on"]


def test_one_thread_is_broken_off_and_no_other(watch: Watch) -> None:
    let_go, told = threading.Event(), []

    def outside() -> None:
        assert let_go.wait(60)
        told.append("well")

    other = threading.Thread(target=outside)
    other.start()
    assert outcome(watch, for_ever) == ["broken off", "goes on"]
    let_go.set()
    other.join(60)
    assert told == ["well"]


def test_what_comes_back_in_time_is_left_alone() -> None:
    watch = Watch(3600)
    looking = threading.Thread(target=watch.run, daemon=True)
    looking.start()
    assert outcome(watch, lambda: None) == ["goes on"]
    watch.stop()
    looking.join(60)
