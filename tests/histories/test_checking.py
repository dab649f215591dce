"""Each law finds the breach that it is for, and nothing in a history that is as it should be."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.histories import checking
from tests.histories.checking import Kept
from tests.histories.history import Call, History

ACTION = {"type": "place"}
KEPT = [Kept("g", 0, 1, 1, "s1", ACTION), Kept("g", 1, 1, 1, "s2", ACTION), Kept("g", 1, 1, 2, "s2", ACTION)]


def call(what: str, began: float, ended: float, status: int, who: str = "anna", **more: Any) -> Call:
    return Call(who=who, what=what, address=f"/{what}", began=began, ended=ended, status=status, game="g", **more)


def choice(began: float, ended: float, seat: int = 0, revision: int = 1, state: str = "sealed", **more: Any) -> Call:
    facts = {"id": f"s{seat + 1}", "turn": 1, "revision": revision, "state": state, "action": ACTION}
    given = {"status": 201 if revision == 1 else 200, "who": ("anna", "bjorn")[seat], "facts": facts}
    what = "submit" if revision == 1 else "replace"
    return call(what, began, ended, seat=seat, sent={"turn": 1, "action": ACTION}, **(given | more))


SOUND = [
    call("turn", 0, 1, 200, tag="a", facts={"turn": 1, "status": "active"}),
    call("turn", 0, 1, 200, "bjorn", tag="b", facts={"turn": 1, "status": "active"}),
    choice(2, 3),
    call("turn", 1, 4, 200, "bjorn", known="b", tag="c", waits=10, facts={"turn": 1, "status": "active"}),
    choice(5, 6, seat=1, key="k"),
    choice(6, 7, seat=1, key="k"),
    choice(8, 9, seat=1, revision=2),
    call("turn", 10, 12, 200, "bjorn", known="c", tag="d", waits=10, facts={"turn": 1, "status": "active"}),
    call("turn", 21, 22, 304, "bjorn", known="d"),
    call("inbox", 23, 24, 200, "bjorn", tag="x", facts={"turns": []}),
    call("create", 0, 1, 201, key="one", facts={"id": "g"}),
    call("create", 0, 1, 201, key="one", facts={"id": "g"}),
    call("sit", 1, 2, 201, facts={"seat": 0}),
]

BREACHES: dict[str, tuple[Callable[[History], Iterator[str]], list[Call]]] = {
    "a choice that is lost": (
        lambda history: checking.choices_exactly_once(history, KEPT[1:]),
        [],
    ),
    "a choice that is kept otherwise": (
        lambda history: checking.choices_exactly_once(history, [KEPT[0]._replace(action={"type": "sail"}), *KEPT[1:]]),
        [],
    ),
    "a choice that is kept twice": (
        lambda history: checking.choices_exactly_once(history, [*KEPT, KEPT[0]._replace(id="s9")]),
        [],
    ),
    "a choice that nobody made": (
        lambda history: checking.choices_exactly_once(history, [*KEPT, KEPT[0]._replace(id="s7", turn=2)]),
        [],
    ),
    "a choice that is new twice": (
        lambda history: checking.choices_exactly_once(history, KEPT),
        [choice(5, 6)],
    ),
    "a turn that goes back": (
        checking.never_back,
        [call("turn", 30, 31, 200, facts={"turn": 2}), call("turn", 32, 33, 200, "bjorn", facts={"turn": 1})],
    ),
    "a turn that a 304 takes back": (
        checking.never_back,
        [call("turn", 30, 31, 200, facts={"turn": 2}), call("turn", 32, 33, 304, "bjorn", known="d")],
    ),
    "a turn that a refusal told of and that never came": (
        checking.never_back,
        [
            call("submit", 30, 31, 409, facts={"code": "stale_turn", "current_turn": 2}),
            call("turn", 32, 33, 304, "bjorn", known="d"),
        ],
    ),
    "a turn after the end": (
        checking.never_back,
        [call("turn", 30, 31, 200, facts={"turn": 2, "status": "over"}), call("turn", 32, 33, 200, facts={"turn": 3})],
    ),
    "a choice that was applied and is asked for": (
        checking.never_back,
        [choice(30, 31, state="applied"), call("turn", 32, 33, 200, facts={"turn": 1, "status": "active"})],
    ),
    "a version that goes back": (
        checking.never_back,
        [call("feed", 30, 31, 200, facts={"version": 9}), call("feed", 32, 33, 200, facts={"version": 8})],
    ),
    "a stale 304": (
        checking.no_stale_304,
        [choice(30, 31, seat=1, revision=3), call("turn", 32, 33, 304, "bjorn", known="d")],
    ),
    "a 304 for nothing": (checking.no_stale_304, [call("turn", 32, 33, 304, known="no such tag")]),
    "a turn that is asked twice": (
        checking.asked_once,
        [call("inbox", 30, 31, 200, tag="y", facts={"turns": [("g", 1)]})],
    ),
    "a wake-up that is lost": (
        checking.no_lost_wakeup,
        [choice(33, 34, revision=1, facts={"id": "s5", "turn": 2, "revision": 1, "state": "sealed"}),
         call("turn", 32, 60, 200, "bjorn", known="d", waits=30)],
    ),
    "a wake-up of one's own that is lost": (
        checking.no_lost_wakeup,
        [choice(33, 34, seat=1, revision=3), call("turn", 32, 60, 200, "bjorn", known="d", waits=30)],
    ),
    "a fault": (
        lambda history: checking.only_expected(history, {"stale_turn"}),
        [call("turn", 30, 31, 500, facts={"code": "internal_error"})],
    ),
    "a key that makes two games": (
        checking.same_key_same_game,
        [call("create", 0, 1, 201, key="one", facts={"id": "h"})],
    ),
    "two keys that make one game": (
        checking.same_key_same_game,
        [call("create", 0, 1, 201, key="two", facts={"id": "g"})],
    ),
    "a seat that two hold": (checking.seats_taken_once, [call("sit", 1, 2, 201, "bjorn", facts={"seat": 0})]),
}  # fmt: skip


@pytest.mark.parametrize("name", BREACHES)
def test_each_law_finds_its_breach_and_no_other(name: str) -> None:
    law, more = BREACHES[name]
    assert list(law(History([*SOUND, *more]))) != []
    if more:
        assert list(law(History(SOUND))) == []


def test_a_sound_history_keeps_every_choice() -> None:
    assert list(checking.choices_exactly_once(History(SOUND), KEPT)) == []


def test_nobody_is_blamed_for_a_wait_through_a_fault() -> None:
    _, more = BREACHES["a wake-up of one's own that is lost"]
    assert list(checking.no_lost_wakeup(History([*SOUND, *more], faults=[(35.0, 36.0)]))) == []
