"""Answers of the database that are asked for once, on behalf of all who want to know."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from holmgang.api.http.process import Cached
from tests.waiting import wait_until

MANY = 20


def test_many_at_once_get_what_one_is_told() -> None:
    asked, answer = list[int](), threading.Event()

    def ask() -> bool:
        asked.append(1)
        return answer.wait(10)

    cached, come = Cached(ask, 3600), list[int]()

    def look(number: int) -> bool:
        come.append(number)
        return cached.get()

    with ThreadPoolExecutor(MANY) as hands:
        found = [hands.submit(look, number) for number in range(MANY)]
        wait_until(lambda: asked and len(come) == MANY, "all want to know")
        answer.set()
        assert [each.result(10) for each in found] == [True] * MANY
    assert len(asked) == 1


def test_an_answer_of_either_kind_is_asked_for_again_when_it_is_old() -> None:
    answers = [True, False, True]
    cached = Cached(lambda: answers.pop(0), 0.05)
    assert cached.get() is True
    wait_until(lambda: cached.get() is False, "it is asked for again")
    wait_until(lambda: cached.get() is True, "and again")


def test_if_asking_fails_the_next_one_asks_again() -> None:
    answers = iter([1])
    cached = Cached(lambda: 1 / (1 - next(answers, 0)) > 0, 1)
    with pytest.raises(ZeroDivisionError):
        cached.get()
    assert cached.get()
