"""Who comes when the time is up is told how the game stands, with a key and without; and nobody is told otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

import psycopg
import pytest

from holmgang.api.operation.declaration import OPERATIONS
from holmgang.api.operation.terms import Keyed
from holmgang.app.errors import StaleTurn
from holmgang.app.play.deadlines import expire
from holmgang.app.play.steps import house_event
from holmgang.app.records.play import HouseEvent

from .calling import Api, Table

NOWHERE: dict[str, Any] = {"type": "place", "fields": {}, "sieges": []}
KEYS: list[dict[str, Any]] = [{}, {"Idempotency_Key": "k"}]


@pytest.fixture
def rows(module_database: str) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(module_database, autocommit=True) as connection:
        yield connection


def pass_deadline(rows: psycopg.Connection[Any], table: Table) -> None:
    rows.execute("UPDATE games SET deadline = clock_timestamp() - interval '1 second' WHERE id = %s", [table.game])


def feed(table: Table) -> list[tuple[str, int | None]]:
    items = table.api.get(f"{table.path}/events?limit=200", table.token(0))["items"]
    return [(event["payload"]["type"], event["payload"].get("seat")) for event in items]


def stands(table: Table) -> dict[str, Any]:
    """How a game stands, without what differs by game."""
    found: dict[str, Any] = table.api.get(table.path, table.token(0))
    seats = [(one["absent_since"] is None, one["resigned_at"] is None) for one in found["seats"]]
    return {"seats": seats, "feed": feed(table), **{name: found[name] for name in ("status", "turn", "awaited")}}


def one_is_late(api: Api) -> Table:
    """Eketorp, where all but seat 0 have chosen."""
    table = api.table(turn_seconds=3600)
    for seat in (1, 2):
        table.submit(seat, {"turn": 1, "action": NOWHERE}, status=201)
    return table


def one_forfeits(api: Api) -> Table:
    """Claim for two, in which the time that is up ends the game."""
    return api.table(2, ruleset="claim", turn_seconds=3600, absence="forfeit")


def submission(turn: int, action: Any, seat: int = 0) -> Callable[[Table], tuple[str, str, int, Any]]:
    return lambda table: ("submit", f"{table.path}/submissions", seat, {"turn": turn, "action": action})


def of_the_late(name: str, address: str) -> Callable[[Table], tuple[str, str, int, Any]]:
    def call(table: Table) -> tuple[str, str, int, Any]:
        (seat,) = table.api.get(table.path, table.token(0))["awaited"]
        body = {"turn": 1, "action": {"type": "pass"}} if name == "submit" else {}
        return name, f"{table.path}/{address.format(seat=seat)}", seat, body

    return call


def of_the_other(table: Table) -> tuple[str, str, int, Any]:
    (late,) = table.api.get(table.path, table.token(0))["awaited"]
    return "resign", f"{table.path}/resignations", 1 - late, {}


REFUSED = {
    "a choice": (one_is_late, submission(1, NOWHERE), "stale_turn", 2),
    "what is no action": (one_is_late, submission(1, {"type": "?"}), "stale_turn", 2),
    "a choice for a turn to come": (one_is_late, submission(99, NOWHERE), "stale_turn", 2),
    "another choice of who had chosen": (
        one_is_late,
        submission(1, {"type": "place", "fields": {"A": 1}, "sieges": []}, 1),
        "stale_turn",
        2,
    ),
    "what is no action, in the turn that begins by it": (one_is_late, submission(2, {"type": "?"}), None, 2),
    "a choice that was too late for the game": (one_forfeits, of_the_late("submit", "submissions"), "stale_turn", None),
    "a return that was too late for the game": (
        one_forfeits,
        of_the_late("returnToSeat", "seats/{seat}/return"),
        "game_not_active",
        None,
    ),
    "a leave that was asked for too late for the game": (
        one_forfeits,
        of_the_late("goOnLeave", "seats/{seat}/leave"),
        "game_not_active",
        None,
    ),
    "leave from a game that gives none": (
        one_is_late,
        lambda table: ("goOnLeave", f"{table.path}/seats/1/leave", 1, {}),
        "limit_reached",
        2,
    ),
    "a resignation from a game that the clock has ended": (one_forfeits, of_the_other, "game_not_active", None),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_refusal_tells_of_a_turn_that_came(api: Api, rows: psycopg.Connection[Any], what: str) -> None:
    """The end of the turn is there before it is told of: with a key, which puts all into one transaction, as without,
    and before anybody else looks."""
    begin, call, code, turn = REFUSED[what]
    found = []
    for key in KEYS:
        table = begin(api)
        _, path, seat, body = call(table)
        pass_deadline(rows, table)
        told = []
        for _ in range(2):
            answer = api.call("POST", path, token=table.token(seat), json=body, **key)
            assert answer.status_code >= 400
            problem = answer.get_json()
            assert code in (None, problem["code"])
            if problem["code"] == "stale_turn":
                assert problem["current_turn"] == turn
            assert stands(table)["turn"] == (turn or 1)
            told.append((problem["code"], problem["detail"], stands(table)))
        assert told[0] == told[1], "a refusal is not kept, and nothing happens twice"
        found.append(told[0][:2])
        assert (table.api.get(table.path, table.token(0))["status"] == "over") == (turn is None)
        assert {kind for kind, _ in feed(table)} & {"choice_defaulted", "seat_forfeited"}
    assert found[0] == found[1]


def test_all_that_may_find_the_time_up_is_tried() -> None:
    """What takes a key and does something to a game under way."""
    keyed = {name for name, one in OPERATIONS.items() if one.keyed is Keyed.KEPT and "<uuid:game>" in one.call}
    before_the_start = {"takeSeat"}
    assert keyed - before_the_start == {"submit", "resign", "returnToSeat", "goOnLeave"}


def test_a_dry_run_ends_no_turn_and_says_that_it_is_over(api: Api, rows: psycopg.Connection[Any]) -> None:
    table = one_is_late(api)
    body = {"turn": 1, "action": NOWHERE}
    path = f"{table.path}/submissions?dry_run=true"
    api.call("POST", path, token=table.token(0), json=body, status=200)
    pass_deadline(rows, table)
    before = stands(table)
    problem = api.problem("POST", path, 409, "not_awaited", token=table.token(0), json=body)
    assert "time" in problem["detail"]
    assert stands(table) == before


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("stood", ["before", "by it"])
def test_a_choice_in_a_game_that_stands_still_is_a_return(
    api: Api, rows: psycopg.Connection[Any], key: dict[str, str], stood: str
) -> None:
    """All have missed the turn, which nobody has played since: it is taken, and its player is there again."""
    table = api.table(turn_seconds=3600)
    pass_deadline(rows, table)
    if stood == "before":
        with api.app.extensions["holmgang"].store.transaction() as tables:
            assert expire(tables, UUID(table.game))
    body = {"turn": 1, "action": NOWHERE}
    wrong = {"turn": 1, "action": {"type": "place", "fields": {"A": 99}, "sieges": []}}
    assert table.submit(0, wrong).status_code == 422
    assert stands(table)["seats"] == [(False, True)] * 3, "what is refused is no return"
    assert table.api.get(table.path)["deadline"] is None
    receipt = table.submit(0, body, status=201, **key).get_json()
    assert (receipt["revision"], receipt["state"]) == (1, "sealed")
    assert stands(table)["seats"] == [(True, True), (False, True), (False, True)]
    assert feed(table)[-6:] == [
        ("seat_absent", 0),
        ("seat_absent", 1),
        ("seat_absent", 2),
        ("clock_stopped", None),
        ("seat_returned", 0),
        ("choice_sealed", 0),
    ]
    assert table.api.get(table.path)["deadline"] is not None, "the clock goes on"
    assert table.turn(0)["submitted"] == [0]


def test_a_key_brings_the_first_answer_again_whatever_came_since(api: Api) -> None:
    table = api.table()
    body, other = (
        {"turn": 1, "action": {"type": "place", "fields": fields, "sieges": []}} for fields in ({}, {"A": 1})
    )
    first = table.submit(0, body, status=201, Idempotency_Key="m")
    where = first.headers["Location"]
    receipt = api.call("PUT", where, token=table.token(0), json={**other, "revision": 1}, status=200).get_json()
    assert receipt["revision"] == 2
    for resolved in (False, True):
        again = table.submit(0, body, status=201, Idempotency_Key="m")
        assert (again.get_data(), again.headers["Location"]) == (first.get_data(), where)
        now = api.get(where, table.token(0))
        assert (now["revision"], now["action"]) == (2, other["action"]), "what stands is at its Location"
        assert table.submit(0, other, status=200).get_json()["revision"] == 2
        problem = table.submit(0, body).get_json()
        assert problem["code"] == ("stale_turn" if resolved else "already_submitted")
        if not resolved:
            assert (problem["revision"], problem["receipt"]) == (2, where)
            for seat in (1, 2):
                table.submit(seat, body, status=201)


@pytest.mark.parametrize("stays", [True, False])
def test_a_refusal_takes_back_what_was_written_unless_it_says_that_it_stands(api: Api, stays: bool) -> None:
    """Also who waits is told of the one, and not of the other."""
    store, table = api.app.extensions["holmgang"].store, api.table()
    game = UUID(table.game)
    version = api.get(table.path)["version"]
    refusal = StaleTurn(1, 2)
    refusal.stands = stays
    with store.watch_game(game) as watch:
        watch.seen = version
        watch.listen()
        with pytest.raises(StaleTurn) as raised, store.transaction() as tables:  # noqa: PT012
            assert tables.claim_key(game, "k")
            tables.append_events(
                game, version + 1, (house_event(1, HouseEvent(type="seat_returned", seat=0)),), tables.now()
            )
            raise refusal
        assert raised.value is refusal
        assert api.get(table.path)["version"] == version + stays
        if stays:
            assert watch.wait(20)
    with store.transaction() as tables:
        assert tables.claim_key(game, "k"), "the key is free again"


def test_nobody_is_told_of_what_was_taken_back(api: Api) -> None:
    store, table = api.app.extensions["holmgang"].store, api.table()
    game, version = UUID(table.game), api.get(table.path)["version"]
    with store.reading() as tables:
        with pytest.raises(StaleTurn), tables.atomic(True):  # noqa: PT012
            tables.append_events(
                game, version + 1, (house_event(1, HouseEvent(type="seat_returned", seat=0)),), tables.now()
            )
            raise StaleTurn(1, 2)
        assert tables.changed == {}
    assert api.get(table.path)["version"] == version
