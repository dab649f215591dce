"""One asks the database on behalf of all who want to know whether it can be used."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from service.api.http.readiness import Readiness
from tests.waiting import wait_until

MANY = 20


def test_many_at_once_get_what_one_is_told() -> None:
    asked, answer = list[int](), threading.Event()

    def ask() -> bool:
        asked.append(1)
        return answer.wait(10)

    readiness, come = Readiness(ask, keep=3600), list[int]()

    def look(number: int) -> bool:
        come.append(number)
        return readiness.now()

    with ThreadPoolExecutor(MANY) as hands:
        found = [hands.submit(look, number) for number in range(MANY)]
        wait_until(lambda: asked and len(come) == MANY, "all want to know")
        answer.set()
        assert [each.result(10) for each in found] == [True] * MANY
    assert len(asked) == 1


def test_an_answer_of_either_kind_is_asked_for_again_when_it_is_old() -> None:
    answers = [True, False, True]
    readiness = Readiness(lambda: answers.pop(0), keep=0.05)
    assert readiness.now() is True
    wait_until(lambda: readiness.now() is False, "it is asked for again")
    wait_until(lambda: readiness.now() is True, "and again")


def test_who_fails_to_ask_leaves_it_to_the_next() -> None:
    answers = iter([1])
    readiness = Readiness(lambda: 1 / (1 - next(answers, 0)) > 0)
    with pytest.raises(ZeroDivisionError):
        readiness.now()
    assert readiness.now()
