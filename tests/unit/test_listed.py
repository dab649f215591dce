"""Moves that are listed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from holmgang.engine.errors import Fault
from holmgang.engine.listed import ListedMoves
from holmgang.engine.messages import say

made: list[int] = []


def choices() -> Iterator[int]:
    for choice in (3, 1, 2):
        made.append(choice)
        yield choice


def space() -> ListedMoves[Any]:
    made.clear()
    refused = Fault("X1", say("There is none."))
    return ListedMoves(
        choices(), lambda choice: {"take": choice}, lambda action: None if action["take"] < 4 else refused
    )


def test_they_are_listed_in_order_and_counted() -> None:
    there = space()
    assert list(there) == list(there) == [{"take": 3}, {"take": 1}, {"take": 2}]
    assert there.count() == 3
    assert there.grammar() == {"actions": list(there)}
    assert made == [3, 1, 2], "choices are found more than once"


def test_each_is_sampled() -> None:
    there, rng = space(), random.Random(1)
    assert {there.sample(rng)["take"] for _ in range(60)} == {1, 2, 3}


def test_what_is_asked_about_one_action_lists_nothing() -> None:
    there = space()
    assert {"take": 3} in there
    assert {"take": 4} not in there
    assert there.why_not({"take": 3}) is None
    fault = there.why_not({"take": 4})
    assert fault is not None
    assert fault.rule == "X1"
    assert made == []
