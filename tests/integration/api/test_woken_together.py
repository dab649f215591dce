"""Those who are woken together are looked up together, and who sees the same is given what was made once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from traceback import walk_tb
from typing import Any
from unittest.mock import Mock
from uuid import UUID

import pytest

from holmgang.api.http.admission import Admission
from holmgang.api.http.looks import Asked, Looks
from holmgang.app.accounts.tokens import digest_of
from holmgang.app.errors import Busy
from holmgang.app.reading import queries
from holmgang.store.database import PostgresStore

from .calling import Api, Table
from .test_waiting import LONG, Waiting, until

TOGETHER = 12


@pytest.fixture
def hands() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(TOGETHER) as pool:
        yield pool


@pytest.fixture(scope="module")
def tables(api: Api) -> list[Table]:
    return [api.table(), api.table(visibility="private")]


def store_of(api: Api) -> PostgresStore:
    store = api.app.extensions["holmgang"].store
    assert isinstance(store, PostgresStore)
    return store


def all_kinds(api: Api, tables: list[Table]) -> list[Asked]:
    """Who may and who may not, each for both games; two ask the same."""
    invitation = api.invite(tables[1], uses=1)["secret"]
    secrets = [tables[0].token(0), tables[1].token(1), None, api.register("stranger").token, "hgt_made_up"]
    asked = [(digest_of(secret), UUID(table.game), None) for secret in secrets for table in tables]
    return [*asked, (None, UUID(tables[1].game), digest_of(invitation)), asked[0]]


def test_everybody_is_told_what_they_would_be_told_alone(
    api: Api, tables: list[Table], hands: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    admission, asked = Admission(1), all_kinds(api, tables)
    looks = Looks(store_of(api), admission)
    with store_of(api).reading() as reading:
        alone = [reading.caller(*each) for each in asked]
    assert len({repr(found) for found in alone}) > 6
    readings = Mock(wraps=store_of(api).reading)
    monkeypatch.setattr(store_of(api), "reading", readings)
    with admission.slot():  # nobody is looked up before all have asked
        found = [hands.submit(looks.caller, each) for each in asked]
        until(lambda: looks._next is not None and len(looks._next.asked) == len(set(asked)))
    assert [each.result(10) for each in found] == alone
    assert readings.call_count == 1
    assert looks.caller(asked[0]) == alone[0], "the next one is looked up anew"
    assert readings.call_count == 2


def test_a_look_that_fails_fails_for_all_and_the_next_one_may_not(
    api: Api, tables: list[Table], hands: ThreadPoolExecutor
) -> None:
    admission, asked = Admission(1, timeout=0.05), all_kinds(api, tables)
    looks = Looks(store_of(api), admission)
    with admission.slot():
        found = [hands.submit(looks.caller, each) for each in asked[:4]]
        assert all(isinstance(each.exception(10), Busy) for each in found)
    assert looks.caller(asked[0]) is not None


def test_the_trace_of_a_fault_does_not_grow_with_those_who_are_told(
    api: Api, tables: list[Table], hands: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of hundreds would write into the log how it was raised in all others."""
    admission, store = Admission(1), store_of(api)
    looks = Looks(store, admission)
    monkeypatch.setattr(store, "reading", Mock(side_effect=ZeroDivisionError))
    asked = [(None, UUID(tables[0].game), b"%d" % number) for number in range(TOGETHER)]
    with admission.slot():
        found = [hands.submit(looks.caller, each) for each in asked]
        until(lambda: looks._next is not None and len(looks._next.asked) == TOGETHER)
    faults = {each.exception(10) for each in found}
    assert [type(fault) for fault in faults] == [ZeroDivisionError]
    (fault,) = faults
    assert fault is not None
    told = [frame.f_code.co_name for frame, _ in walk_tb(fault.__traceback__)]
    assert told.count("caller") == 1


def test_one_that_is_broken_off_breaks_off_nobody_else(
    api: Api, tables: list[Table], hands: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    admission, asked = Admission(1), all_kinds(api, tables)
    looks, store = Looks(store_of(api), admission), store_of(api)
    reading = Mock(side_effect=[SystemExit(), store.reading()])
    monkeypatch.setattr(store, "reading", reading)
    with admission.slot():
        found = [hands.submit(looks.caller, each) for each in asked[:2]]
        until(lambda: looks._next is not None and len(looks._next.asked) == 2)
    outcomes = [each.exception(10) for each in found]
    assert sorted(type(each).__name__ for each in outcomes) == ["NoneType", "SystemExit"]


def test_spectators_who_wait_are_all_given_what_was_made_for_one(
    api: Api, hands: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = api.table()
    path = f"{table.path}/turn?include=view"
    tag = api.call("GET", path, status=200).headers["ETag"]
    tokens = [None, None, *(api.register("spectator").token for _ in range(4))]
    held = [
        Waiting(api, hands, f"{path}&wait={LONG}", token, If_None_Match=tag, Accept_Encoding=coding)
        for token, coding in zip(tokens, ["identity", "gzip"] * 3, strict=True)
    ]
    mine = Waiting(api, hands, f"{path}&wait={LONG}", table.token(0), If_None_Match='"none"')
    assert not mine.held()
    made = Mock(wraps=queries.turn)
    body = table.choice(seat := min(table.turn(0)["awaited"]))
    monkeypatch.setattr(queries, "turn", made)
    table.submit(seat, body)
    answers = [each.answer.result(10) for each in held]
    assert {answer.status_code for answer in answers} == {200}
    assert {answer.headers.get("Content-Encoding") for answer in answers} == {None, "gzip"}
    assert len({answer.headers["ETag"] for answer in answers} - {tag}) == 1
    # As many at most as are worked on at once: nobody waits for another's work, but for their own slot.
    assert made.call_count <= api.app.extensions["holmgang.process"].admission._most + 1
    assert {json.loads(answer.get_data())["view"]["seat"] for answer in answers[::2]} == {None}
    seen = api.get(path)
    told: list[Any] = [json.loads(answer.get_data()) for answer in answers[::2]]
    assert all({**each, "server_time": None} == {**seen, "server_time": None} for each in told)


def test_who_may_see_the_game_no_more_is_not_told_what_others_are(api: Api, hands: ThreadPoolExecutor) -> None:
    table = api.table(visibility="private")
    invitation = api.invite(table, uses=2)
    path, shown = f"{table.path}/view", {"Holmgang_Invitation": invitation["secret"]}
    tag = api.call("GET", path, status=200, **shown).headers["ETag"]
    other = api.invite(table, uses=2)["secret"]
    held = Waiting(api, hands, f"{path}?wait={LONG}", None, If_None_Match=tag, **shown)
    let_in = Waiting(api, hands, f"{path}?wait={LONG}", None, If_None_Match=tag, Holmgang_Invitation=other)
    api.call("DELETE", f"{table.path}/invitations/{invitation['id']}", token=table.token(0), status=204)
    table.submit(min(table.turn(0)["awaited"]))
    assert let_in.status() == 200
    assert held.status() == 404


def test_streams_of_spectators_are_read_once(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    table = api.table()
    read = Mock(wraps=queries.events)
    monkeypatch.setattr(queries, "events", read)

    def first_lines(token: str | None) -> bytes:
        headers = {"Accept": "text/event-stream"} | ({} if token is None else {"Authorization": f"Bearer {token}"})
        with api.app.test_client().get(f"{table.path}/events", headers=headers) as answer:
            _, lines = islice(answer.iter_encoded(), 2)
            return lines

    shown = {first_lines(token) for token in (None, api.register("spectator").token, None)}
    assert len(shown) == 1
    assert read.call_count == 1
    first_lines(table.token(0))
    first_lines(table.token(1))
    assert read.call_count == 3, "what seats read is never kept"
    table.submit(min(table.turn(0)["awaited"]))
    assert first_lines(None).startswith(shown.pop())
    assert read.call_count == 4
