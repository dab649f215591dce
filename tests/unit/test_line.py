"""The line before a process's work."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from service.api.line import Line
from service.app.errors import Busy
from tests.waiting import wait_until


def _in_line(line: Line, hurry: bool, do: Callable[[], None]) -> threading.Thread:
    """A thread that stands in line by the time this returns."""
    before = line.length()

    def stand() -> None:
        with line.place(hurry=hurry):
            do()

    thread = threading.Thread(target=stand)
    thread.start()
    wait_until(lambda: line.length() == before + 1, "it stands in line")
    return thread


def test_who_hurries_goes_first_and_each_in_turn() -> None:
    line, order = Line(1), list[str]()
    with line.place():
        threads = [_in_line(line, name.isupper(), lambda name=name: order.append(name)) for name in "abXY"]  # type: ignore[misc]
        assert order == []
    for thread in threads:
        thread.join(5)
    assert order == ["X", "Y", "a", "b"]
    assert line.length() == 0


def test_a_place_is_given_back_outside_and_taken_again_before_others() -> None:
    line, order = Line(1), list[str]()
    inside = threading.Event()

    def work() -> None:
        order.append("other")
        inside.set()

    with line.place():
        thread = _in_line(line, False, work)
        with line.outside():
            assert inside.wait(5), "the other has the place meanwhile"
        order.append("back")
    thread.join(5)
    assert order == ["other", "back"]


def test_no_more_are_inside_than_there_are_places_whatever_is_raised() -> None:
    line, lock, inside, most = Line(3), threading.Lock(), 0, 0

    def work() -> None:
        nonlocal inside, most
        for turn in range(200):
            try:
                with line.place(hurry=turn % 3 == 0):
                    with lock:
                        inside += 1
                        most = max(most, inside)
                    with lock:
                        inside -= 1
                    if turn % 5 == 0:
                        raise ValueError
            except ValueError:
                pass

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert (inside, line.length()) == (0, 0)
    assert most <= 3
    with line.place(), line.place(), line.place():
        pass


def test_nobody_stands_in_line_for_ever() -> None:
    line = Line(1, patience=0.05)
    with line.place():
        for hurry in (False, True):
            with ThreadPoolExecutor(1) as other, pytest.raises(Busy):
                other.submit(_take, line, hurry).result(10)
        assert line.length() == 0
    _take(line, False)  # what was refused has taken no place with it


def test_who_comes_back_in_vain_gives_no_place_away_that_he_has_not() -> None:
    line = Line(1, patience=0.05)
    inside, done = threading.Event(), threading.Event()

    def occupy() -> None:
        with line.place():
            inside.set()
            assert done.wait(10)

    occupying = threading.Thread(target=occupy)

    def come_back() -> None:
        with line.place(), line.outside():
            occupying.start()
            assert inside.wait(10)

    with pytest.raises(Busy):
        come_back()
    with pytest.raises(Busy):
        _take(line, False)
    done.set()
    occupying.join(10)
    with line.place(), pytest.raises(Busy):
        _take(line, False)


def _take(line: Line, hurry: bool) -> None:
    with line.place(hurry=hurry):
        pass
