"""Admission control: slots of a process, given out in turns."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holmgang.api.http.admission import UNBOUNDED, URGENT_IN_A_ROW, Admission, Key, RoundRobin
from holmgang.app.errors import Busy
from tests.waiting import wait_until


def _waiting(admission: Admission, urgent: bool, do: Callable[[], None], caller: Key = UNBOUNDED) -> threading.Thread:
    """A thread that waits for a slot by the time this returns."""
    before = admission.waiting()

    def stand() -> None:
        with admission.slot(caller, urgent=urgent):
            do()

    thread = threading.Thread(target=stand)
    thread.start()
    wait_until(lambda: admission.waiting() == before + 1, "it waits")
    return thread


def test_urgent_requests_go_first_and_each_in_turn() -> None:
    admission, order = Admission(1), list[str]()
    with admission.slot():
        threads = [_waiting(admission, name.isupper(), lambda name=name: order.append(name)) for name in "abXY"]  # type: ignore[misc]
        assert order == []
    for thread in threads:
        thread.join(5)
    assert order == ["X", "Y", "a", "b"]
    assert admission.waiting() == 0


def test_a_slot_is_released_and_taken_again_before_others() -> None:
    admission, order = Admission(1), list[str]()
    inside = threading.Event()

    def work() -> None:
        order.append("other")
        inside.set()

    with admission.slot() as slot:
        thread = _waiting(admission, False, work)
        with admission.released(slot):
            assert inside.wait(5), "the other has the slot meanwhile"
        order.append("back")
    thread.join(5)
    assert order == ["other", "back"]


def test_no_more_are_at_work_than_there_are_slots_whatever_is_raised() -> None:
    admission, lock, inside, most = Admission(3), threading.Lock(), 0, 0

    def work() -> None:
        nonlocal inside, most
        for turn in range(200):
            try:
                with admission.slot(urgent=turn % 3 == 0):
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
    assert (inside, admission.waiting()) == (0, 0)
    assert most <= 3
    with admission.slot(), admission.slot(), admission.slot():
        pass


def test_nobody_waits_for_ever() -> None:
    admission = Admission(1, timeout=0.05)
    with admission.slot():
        for urgent in (False, True):
            with ThreadPoolExecutor(1) as other, pytest.raises(Busy):
                other.submit(_take, admission, urgent).result(10)
        assert admission.waiting() == 0
    _take(admission, False)  # what was refused holds no slot


def test_a_request_that_gets_no_slot_again_releases_none() -> None:
    admission = Admission(1, timeout=0.05)
    inside, done = threading.Event(), threading.Event()

    def occupy() -> None:
        with admission.slot():
            inside.set()
            assert done.wait(10)

    occupying = threading.Thread(target=occupy)

    def come_back() -> None:
        with admission.slot() as slot, admission.released(slot):
            occupying.start()
            assert inside.wait(10)

    with pytest.raises(Busy):
        come_back()
    with pytest.raises(Busy):
        _take(admission, False)
    done.set()
    occupying.join(10)
    with admission.slot(), pytest.raises(Busy):
        _take(admission, False)


def _take(admission: Admission, urgent: bool) -> None:
    with admission.slot(urgent=urgent):
        pass


CALLERS = st.tuples(st.sampled_from("123"), st.sampled_from("abc"))


def _anybody(_: Key) -> bool:
    return True


@given(st.lists(CALLERS, max_size=60))
def test_networks_take_turns_and_so_do_the_callers_of_each(line: list[Key]) -> None:
    """Between two turns of one, each other who waited all the while has had one: of networks, and within a network."""
    turns, standing = RoundRobin(), dict[int, Key]()
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
def test_keys_without_a_free_slot_are_passed_over_and_those_that_give_up_leave_no_gap(
    line: list[Key], barred: set[Key], data: st.DataObject
) -> None:
    turns = RoundRobin()
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


def test_a_caller_with_a_thousand_requests_has_one_turn_among_others() -> None:
    turns = RoundRobin()
    for _ in range(1000):
        turns.add(("1", "many"), threading.Lock())
    turns.add(("1", "few"), threading.Lock())
    turns.add(("2", "few"), threading.Lock())
    order = [found[0] for _ in range(4) if (found := turns.next(_anybody)) is not None]
    assert order == [("1", "many"), ("2", "few"), ("1", "few"), ("1", "many")]


def test_nobody_has_all_slots() -> None:
    admission, order = Admission(2), list[str]()
    many, few = ("1", "many"), ("1", "few")
    done = threading.Event()

    def stay() -> None:
        order.append("many")
        assert done.wait(10)

    with admission.slot(many):
        threads = [_waiting(admission, urgent, stay, many) for urgent in (False, True)]
        with admission.slot(few):  # at once, though two wait
            assert order == []
    wait_until(lambda: order == ["many"], "the next of the many is in")
    with admission.slot(few):
        assert order == ["many"]
        done.set()
    for thread in threads:
        thread.join(5)
    assert (order, admission.waiting()) == (["many", "many"], 0)


def test_news_without_end_keeps_nobody_out() -> None:
    admission, order = Admission(1), list[str]()
    with admission.slot():
        threads = [
            _waiting(admission, True, lambda: order.append("hurried"), ("1", "woken"))
            for _ in range(URGENT_IN_A_ROW + 2)
        ]
        threads += [_waiting(admission, False, lambda: order.append("plain"), ("2", "other"))]
    for thread in threads:
        thread.join(5)
    assert order == ["hurried"] * URGENT_IN_A_ROW + ["plain"] + ["hurried"] * 2
