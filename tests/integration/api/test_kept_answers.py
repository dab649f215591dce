"""What is kept of answers to spectators: the same bytes as made anew, for those alone who may see them, and bounded."""

from __future__ import annotations

import gzip
import re
import time
import tracemalloc
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from unittest.mock import Mock
from uuid import UUID, uuid4

import msgspec
import pytest

from holmgang import registry
from holmgang.api.operation import showing
from holmgang.api.operation.showing import Body, KeptBodies, Shown, body_with_time
from holmgang.app.reading import queries
from holmgang.app.records.contexts import GameCaller

from .calling import Api, Table

SHOWN = (
    "view",
    "turn",
    "turn?include=view",
    "view?at=3&as_seat=1",
    "turn?as_seat=1",
    "board.svg",
    "board.svg?theme=dark",
    "events?after=2",
)
LANGUAGES = ("en", "fr", "nl")
NOW = re.compile(rb'"server_time":"[^"]*"')


@pytest.fixture(scope="module")
def cold(module_database: str) -> Iterator[Api]:
    """Another process, which keeps nothing."""
    api = Api(module_database)
    api.app.extensions["holmgang"].kept.seconds = 0.0
    yield api
    api.close()


def told(api: Api, path: str, headers: dict[str, str]) -> tuple[int, bytes, dict[str, str]]:
    """All of an answer but the time, what is left of budgets, and the number of the request."""
    answer = api.client.get(path, headers=headers)
    body = answer.get_data()
    content = gzip.decompress(body) if "Content-Encoding" in answer.headers else body
    if b'"request_id"' in content:
        content = b"refused: " + answer.get_json()["code"].encode()
    told = {name: value for name, value in answer.headers.items() if name not in ("X-Request-ID", "Content-Length")}
    return answer.status_code, NOW.sub(b"", content), {k: v for k, v in told.items() if not k.startswith("RateLimit")}


def sweep(api: Api, cold: Api, table: Table, stranger: str) -> int:
    """Everybody asks for everything twice. How many answers there were."""
    callers: list[dict[str, str]] = [{"Authorization": f"Bearer {each.token}"} for each in table.people]
    callers += [{}, {"Authorization": f"Bearer {stranger}"}]
    if table.secret:
        callers += [{**caller, "Holmgang-Invitation": table.secret} for caller in callers[-2:]]
    answers = set()
    for turn in range(2):
        for number, caller in enumerate(callers):
            coding = ("identity", "gzip")[(number + turn) % 2]
            for part in SHOWN:
                for language in LANGUAGES if part == "board.svg" else LANGUAGES[:1]:
                    headers = {**caller, "Accept-Language": language, "Accept-Encoding": coding}
                    found = told(api, f"{table.path}/{part}", headers)
                    assert found == told(cold, f"{table.path}/{part}", headers), (number, part, language, coding)
                    answers.add(repr(found))
    return len(answers)


@pytest.mark.parametrize(
    ("ruleset", "visibility"), [*((each, "public") for each in registry.names()), ("eketorp", "private")]
)
def test_kept_answers_are_those_that_are_made_anew(api: Api, cold: Api, ruleset: str, visibility: str) -> None:
    table = api.table(ruleset=ruleset, visibility=visibility)
    stranger = api.register("stranger").token
    if visibility == "private":
        table.secret = api.invite(table, uses=1)["secret"]
    for _ in range(2):
        assert sweep(api, cold, table, stranger) > len(SHOWN)
        table.submit(min(table.turn(0)["awaited"]))


def test_a_finished_game_too(api: Api, cold: Api, finished: Table) -> None:
    sweep(api, cold, finished, api.register("stranger").token)


def test_a_thousand_spectators_see_what_was_made_once(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    table = api.table()
    made = Mock(wraps=queries.view)
    monkeypatch.setattr(queries, "view", made)
    for path in ("view", "view", "view?wait=1", "view"):
        api.get(f"{table.path}/{path}")
        api.get(f"{table.path}/{path}", api.register("spectator").token)
    assert made.call_count == 1
    for seat in (0, 0, 1):
        api.get(f"{table.path}/view", table.token(seat))
    assert made.call_count == 4, "what seats see is never kept"
    table.submit(min(table.turn(0)["awaited"]))
    before = api.get(f"{table.path}/view")
    assert made.call_count == 5
    assert before == api.get(f"{table.path}/view")
    assert made.call_count == 5


def test_nobody_sees_by_it_what_they_may_not(api: Api) -> None:
    """Those who may have had it kept; the next one may not."""
    table = api.table(visibility="private")
    invitation = api.invite(table, uses=1)
    shown = {"Holmgang_Invitation": invitation["secret"]}
    for path in (f"{table.path}/view", f"{table.path}/turn"):
        tag = api.call("GET", path, status=200, **shown).headers["ETag"]
        for asked in ({}, {"If_None_Match": tag}, {"If_None_Match": '"other"'}):
            api.problem("GET", path, 404, "not_found", **asked)
            api.problem("GET", path, 404, "not_found", token=api.register("stranger").token, **asked)
            api.problem("GET", path, 401, "invalid_token", token="hgt_made_up", **shown, **asked)
    api.call("DELETE", f"{table.path}/invitations/{invitation['id']}", token=table.token(0), status=204)
    api.problem("GET", f"{table.path}/view", 404, "not_found", **shown)


def test_a_poll_with_news_gets_what_is_kept_without_the_application(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    table = api.table()
    path = f"{table.path}/turn?include=view"
    old = api.call("GET", path, status=200).headers["ETag"]
    table.submit(min(table.turn(0)["awaited"]))
    monkeypatch.setattr(api.app, "full_dispatch_request", Mock(side_effect=AssertionError("the application was asked")))
    first, second = (api.call("GET", path, status=200, If_None_Match=old) for _ in range(2))
    assert first.headers["ETag"] == second.headers["ETag"] != old
    assert api.call("HEAD", path, status=304, If_None_Match=first.headers["ETag"]).get_data() == b""


def test_the_time_is_that_of_the_answer(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    table = api.table()
    first = datetime.fromisoformat(api.get(f"{table.path}/turn")["server_time"])
    later = time.monotonic() + 5
    monkeypatch.setattr("holmgang.api.operation.showing.monotonic", lambda: later)
    second = datetime.fromisoformat(api.get(f"{table.path}/turn")["server_time"])
    assert timedelta(seconds=4.9) < second - first < timedelta(seconds=6)


def spectator(**more: Any) -> GameCaller:
    facts: dict[str, Any] = {
        "principal": None,
        "game": UUID(int=1),
        "status": "active",
        "spectators": True,
        "version": 1,
        "turn": 1,
        "seat": None,
        "revision": 0,
        "seat_count": 3,
        "practice": False,
        "creator": uuid4(),
        "absent": False,
        "ruleset": "eketorp",
    }
    return GameCaller(**{**facts, **more})


def keep(kept: KeptBodies, tag: str, size: int) -> None:
    kept.body(Shown(spectator(), tag, True, lambda: Body(b"x" * size)))


def test_what_was_asked_for_last_is_kept_within_the_bound() -> None:
    kept = KeptBodies(most=12_000)
    for tag in "abc":
        keep(kept, tag, 3_000)
    assert [kept.find(spectator(), tag) is not None for tag in "cba"] == [True, True, True]
    keep(kept, "d", 3_000)  # the one that was asked for longest ago goes
    assert [kept.find(spectator(), tag) is not None for tag in "abcd"] == [True, True, False, True]
    keep(kept, "large", 20_000)
    assert kept.find(spectator(), "large") is None


def test_the_bound_counts_what_small_answers_take_besides_their_content() -> None:
    kept = KeptBodies(most=1_000_000)
    tracemalloc.start()
    try:
        for number in range(3_000):
            body = Body(bytes(150), bytes(140), datetime.now(UTC), float(number))
            kept.body(Shown(spectator(), f'W/"{number}.s.0.t2"', True, partial(Body, *body)))
        used, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert 500_000 < used < 1_100_000


def test_nothing_is_kept_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = KeptBodies()
    keep(kept, "a", 10)
    later = time.monotonic() + showing.SECONDS
    monkeypatch.setattr("holmgang.api.operation.showing.monotonic", lambda: later)
    assert kept.find(spectator(), "a") is None


def test_of_two_equal_times_the_named_one_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    at = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    body = body_with_time(msgspec.json.encode({"deadline": at, "now": at, "end": 1}), "now", at)
    later = body.read + 1.5
    monkeypatch.setattr("holmgang.api.operation.showing.monotonic", lambda: later)
    told = msgspec.json.decode(body.content)
    assert told == {"deadline": "2026-01-02T03:04:05Z", "now": "2026-01-02T03:04:06.500000Z", "end": 1}
