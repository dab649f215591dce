"""Each law of meeting finds the fault that is planted, and nothing in a history that is as it should be."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.histories import meeting
from tests.histories.history import Call, History
from tests.histories.meeting import Kept, Stay, Wait, Wish

ENDS = {"withdraw", "decline"}
SEATS = {"g": ["anna", "bjorn"], "h": ["cleo", "dag"]}
KEPT = [
    Kept(id="s1", players=("anna",), status="matched", game="g"),
    Kept(id="s2", players=("bjorn",), status="matched", game="g"),
    Kept(id="s3", players=("anna",), status="withdrawn"),
    Kept(id="c1", players=("cleo", "dag"), status="accepted", game="h"),
]


def call(what: str, began: float, ended: float, status: int, who: str = "anna", **more: Any) -> Call:
    return Call(who=who, what=what, address=f"/{what}", began=began, ended=ended, status=status, **more)


SOUND = [
    call("seek", 0, 1, 201, key="k1", facts={"id": "s1", "status": "waiting"}),
    call("seek", 0, 2, 201, key="k1", facts={"id": "s1", "status": "waiting"}),
    call("seek", 2, 3, 201, "bjorn", key="k2", facts={"id": "s2", "status": "waiting"}),
    call("look", 3, 4, 200, facts={"id": "s1", "status": "matched", "game": "g"}),
    call("seek", 4, 5, 201, key="k3", facts={"id": "s3", "status": "waiting"}),
    call("withdraw", 6, 7, 204, facts={"id": "s3"}),
    call("look", 6, 9, 200, facts={"id": "s3", "status": "waiting"}),
    call("look", 8, 9, 200, facts={"id": "s3", "status": "withdrawn"}),
    call("withdraw", 8, 9, 409, facts={"id": "s1", "code": "seek_not_open"}),
]


def one_game(history: History) -> Iterator[str]:
    return meeting.one_game_by_one(history, KEPT, SEATS)


def with_kept(*more: Kept, without: str = "", seats: dict[str, list[str]] = SEATS) -> Any:
    return lambda history: meeting.one_game_by_one(history, [*(row for row in KEPT if row.id != without), *more], seats)


def an_end(history: History) -> Iterator[str]:
    return meeting.an_end_is_an_end(history, KEPT, ENDS)


def made(history: History) -> Iterator[str]:
    return meeting.all_are_kept(history, KEPT, {"seek"})


BREACHES: dict[str, tuple[Callable[[History], Iterator[str]], list[Call]]] = {
    "a seek with two games": (one_game, [call("look", 5, 6, 200, facts={"id": "s1", "game": "h"})]),
    "a seek that was told of and is gone": (one_game, [call("look", 5, 6, 200, facts={"id": "s7", "game": "g"})]),
    "a player in a game whose seek is kept without one": (
        with_kept(Kept(id="s2", players=("bjorn",), status="waiting"), without="s2"),
        [],
    ),
    "a game of which there is nothing": (with_kept(seats={"h": SEATS["h"]}), []),
    "a game with somebody who did not seek": (with_kept(seats={**SEATS, "g": ["anna", "eve"]}), []),
    "two seeks of one player in one game": (
        with_kept(
            Kept(id="s2", players=("anna",), status="matched", game="g"), without="s2",
            seats={**SEATS, "g": ["anna", "anna"]},
        ),
        [],
    ),
    "two games by one row too many": (with_kept(Kept(id="s8", players=("anna",), status="matched", game="h")), []),
    "a withdrawal that did not hold": (an_end, [call("withdraw", 8, 9, 204, facts={"id": "s2"})]),
    "a withdrawal of what goes on": (
        lambda history: meeting.an_end_is_an_end(history, [*KEPT, Kept(id="s4", players=(), status="waiting")], ENDS),
        [call("withdraw", 8, 9, 204, facts={"id": "s4"})],
    ),
    "a withdrawal of what is not kept": (an_end, [call("withdraw", 8, 9, 204, facts={"id": "s9"})]),
    "what has ended and is shown as open": (an_end, [call("look", 8, 9, 200, facts={"id": "s3", "status": "waiting"})]),
    "a seek that was acknowledged and is lost": (made, [call("seek", 1, 2, 201, facts={"id": "s9"})]),
    "two seeks by one key": (made, [call("seek", 1, 2, 201, key="k1", facts={"id": "s2"})]),
}  # fmt: skip


@pytest.mark.parametrize("law", [one_game, an_end, made])
def test_nothing_is_found_where_all_is_well(law: Callable[[History], Iterator[str]]) -> None:
    assert list(law(History(SOUND))) == []


@pytest.mark.parametrize("name", BREACHES)
def test_a_planted_fault_is_found(name: str) -> None:
    law, more = BREACHES[name]
    assert list(law(History([*SOUND, *more]))) != []


def test_who_is_blocked_is_not_met_from_then_on() -> None:
    kept = [Kept(id="s1", players=("anna",), status="matched", game="g", ended=5.0)]
    assert list(meeting.blocks_hold([("bjorn", "anna", 6.0), ("anna", "dag", 1.0)], kept, SEATS)) == []
    assert list(meeting.blocks_hold([("bjorn", "anna", 4.0)], kept, SEATS)) != []


def wish(player: str, terms: str = "claim", seats: tuple[int, ...] = (2,), **more: Any) -> Wish:
    return Wish(player=player, terms=terms, seats=frozenset(seats), **more)


def found(*waits: tuple[Wish, float, float], **more: Any) -> list[str]:
    told = [Wait(f"s{n}", *wait) for n, wait in enumerate(waits)]
    return list(meeting.nobody_waits_beside_company(told, grace=5, **more))


ANNA, BJORN = wish("anna"), wish("bjorn")


def test_two_who_fit_do_not_wait_for_longer_than_the_grace() -> None:
    assert found((ANNA, 0, 20), (BJORN, 4, 8.9)) == []
    assert len(found((ANNA, 0, 20), (BJORN, 4, 9.5))) == 1
    assert len(found((ANNA, 0, 20), (BJORN, 4, 20), (wish("cleo"), 5, 20), (wish("dag"), 5, 20))) == 2


@pytest.mark.parametrize(
    "other",
    [
        wish("anna"),
        wish("bjorn", "eketorp"),
        wish("bjorn", seats=(3,)),
        wish("bjorn", people=False),
        wish("bjorn", lowest=1600),
        wish("bjorn", highest=1400),
        wish("bjorn", bot=True, people=False),
        wish("bjorn", rating=2000, lowest=0),
    ],
)
def test_who_does_not_fit_may_wait(other: Wish) -> None:
    one = wish("anna", bots=False, highest=1900)
    assert found((one, 0, 99), (other, 0, 99)) == []
    assert found((one, 0, 99), (wish("bjorn", bots=False), 0, 99)) != []


def test_a_table_of_three_needs_three_who_all_fit() -> None:
    three = [wish(name, seats=(3,)) for name in ("anna", "bjorn", "cleo")]
    assert len(found(*((one, 0, 99) for one in three))) == 1
    assert found(*((one, 0, 99) for one in three[:2])) == []
    assert found((three[0], 0, 99), (three[1], 0, 99), (wish("cleo", seats=(2, 3)), 0, 99)) != []
    assert found(*((one, 0, 99) for one in three), apart={frozenset(("anna", "cleo"))}) == []
    assert found((three[0], 0, 7), (three[1], 0, 99), (three[2], 3, 99)) == []


def test_a_fault_lets_the_grace_begin_anew() -> None:
    assert len(found((ANNA, 0, 9), (BJORN, 0, 9))) == 1
    assert found((ANNA, 0, 9), (BJORN, 0, 9), faults=[(3.0, 5.0)]) == []
    assert len(found((ANNA, 0, 11), (BJORN, 0, 11), faults=[(3.0, 5.0)])) == 1
    assert len(found((ANNA, 0, 9), (BJORN, 0, 9), faults=[(6.0, 8.0)])) == 1, "it came too late to be the reason"


def waits(*stays: Stay) -> list[object]:
    return [pytest.approx(wait) for wait, _ in meeting.waits_for_a_table(stays)]


def test_who_is_alone_waits_for_no_table() -> None:
    assert waits(Stay("anna", 0, 9)) == [0]
    assert waits(Stay("anna", 0, 9), Stay("bjorn", 8, 9)) == [1, 1]
    met = frozenset(("anna", "bjorn"))
    assert waits(Stay("anna", 0, 9, met), Stay("bjorn", 0, 9, met)) == [0, 0]
    assert waits(Stay("anna", 0, 9, met), Stay("bjorn", 0, 9)) == [0, 0], "one of them is enough"


def test_who_has_left_was_company_and_is_not_counted() -> None:
    assert waits(Stay("anna", 0, 9, paired=False), Stay("bjorn", 0, 9)) == [9]


def test_company_that_was_paired_with_somebody_else_counts_no_more() -> None:
    assert waits(Stay("anna", 0, 1), Stay("bjorn", 0, 1), Stay("cleo", 0, 9), Stay("dag", 8.5, 9)) == [0.5, 0.5, 1, 1]


def test_who_is_passed_over_again_and_again_has_waited_all_the_time() -> None:
    passed = [Stay("anna", 0, 2), Stay("bjorn", 0, 2), Stay("dag", 1, 3), Stay("eve", 1, 3), Stay("cleo", 0, 3)]
    assert waits(*passed)[-1] == 3


def test_a_share_of_all_waits() -> None:
    some = [(float(n), Stay("anna", 0, n)) for n in range(200)]
    assert meeting.percentile(some, 0.99) == 198
    assert meeting.percentile(some, 1) == 199
