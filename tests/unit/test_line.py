"""The line before a process's work."""

from __future__ import annotations

import threading
from collections.abc import Callable

from service.api.line import Line
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
