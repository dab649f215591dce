"""The line before a process's work."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.api.http.admission import ANYBODY, HURRIED, Key, Line, Turns
from service.app.errors import Busy
from tests.waiting import wait_until


def _in_line(line: Line, hurry: bool, do: Callable[[], None], caller: Key = ANYBODY) -> threading.Thread:
    """A thread that stands in line by the time this returns."""
    before = line.length()

    def stand() -> None:
        with line.place(caller, hurry=hurry):
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


CALLERS = st.tuples(st.sampled_from("123"), st.sampled_from("abc"))


def _anybody(_: Key) -> bool:
    return True


@given(st.lists(CALLERS, max_size=60))
def test_networks_take_turns_and_so_do_the_callers_of_each(line: list[Key]) -> None:
    """Between two turns of one, each other who waited all the while has had one: of networks, and within a network."""
    turns, standing = Turns(), dict[int, Key]()
    for caller in line:
        lock = threading.Lock()
        turns.add(caller, lock)
        standing[id(lock)] = caller
    kept, order = standing.copy(), list[Key]()
    while (found := turns.next(_anybody)) is not None:
        caller, lock = found
        assert kept.pop(id(lock)) == caller
        order.append(caller)
    assert not kept
    assert not len(turns)
    for n, caller in enumerate(order):
        if (again := next((m for m in range(n + 1, len(order)) if order[m][0] == caller[0]), None)) is not None:
            networks_left = {network for network, _ in order[again:]}
            assert {network for network, _ in order[n + 1 : again]} >= networks_left - {caller[0]}
        if (again := next((m for m in range(n + 1, len(order)) if order[m] == caller), None)) is not None:
            others_left = {who for who in order[again:] if who[0] == caller[0]}
            assert set(order[n + 1 : again]) >= others_left - {caller}


@given(st.lists(CALLERS, max_size=40), st.sets(CALLERS), st.data())
def test_who_may_not_go_in_is_passed_over_and_who_goes_away_leaves_no_gap(
    line: list[Key], barred: set[Key], data: st.DataObject
) -> None:
    turns = Turns()
    standing = [(caller, threading.Lock()) for caller in line]
    for caller, lock in standing:
        turns.add(caller, lock)
    gone = data.draw(st.sets(st.sampled_from(range(len(line))))) if line else set()
    for n in gone:
        assert turns.remove(*standing[n])
        assert not turns.remove(*standing[n])
    went = list[Key]()
    while (found := turns.next(lambda caller: caller not in barred)) is not None:
        went.append(found[0])
    left = [caller for n, (caller, _) in enumerate(standing) if n not in gone]
    assert sorted(went) == sorted(caller for caller in left if caller not in barred)
    assert len(turns) == len(left) - len(went)


def test_one_with_a_thousand_requests_has_one_turn_among_others() -> None:
    turns = Turns()
    for _ in range(1000):
        turns.add(("1", "many"), threading.Lock())
    turns.add(("1", "few"), threading.Lock())
    turns.add(("2", "few"), threading.Lock())
    order = [found[0] for _ in range(4) if (found := turns.next(_anybody)) is not None]
    assert order == [("1", "many"), ("2", "few"), ("1", "few"), ("1", "many")]


def test_nobody_has_all_places() -> None:
    line, order = Line(2), list[str]()
    many, few = ("1", "many"), ("1", "few")
    done = threading.Event()

    def stay() -> None:
        order.append("many")
        assert done.wait(10)

    with line.place(many):
        threads = [_in_line(line, hurry, stay, many) for hurry in (False, True)]
        with line.place(few):  # at once, though two stand in line
            assert order == []
    wait_until(lambda: order == ["many"], "the next of the many is in")
    with line.place(few):
        assert order == ["many"]
        done.set()
    for thread in threads:
        thread.join(5)
    assert (order, line.length()) == (["many", "many"], 0)


def test_news_without_end_keeps_nobody_out() -> None:
    line, order = Line(1), list[str]()
    with line.place():
        threads = [_in_line(line, True, lambda: order.append("hurried"), ("1", "woken")) for _ in range(HURRIED + 2)]
        threads += [_in_line(line, False, lambda: order.append("plain"), ("2", "other"))]
    for thread in threads:
        thread.join(5)
    assert order == ["hurried"] * HURRIED + ["plain"] + ["hurried"] * 2
