"""Requests that wait, and the feed as a stream."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from unittest import mock

import pytest

from holmgang.api.http.waiting import CONNECTION
from holmgang.store.wakeups import Ticket

from .calling import Api
from .test_play import another_action

if TYPE_CHECKING:
    from werkzeug.test import TestResponse

LONG = 20
"""Seconds that no test lets pass: what is held so long is answered because of news."""


@pytest.fixture
def hands() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(8) as pool:
        yield pool


@pytest.fixture
def own(module_database: str) -> Iterator[Api]:
    """A service of its own, with one connection for everybody."""
    api = Api(module_database, connections=6, waits_per_token=2)
    api.app.extensions["holmgang"].store.pool.resize(1, 1)
    yield api
    api.close()


def wakeups(api: Api) -> Any:
    return api.app.extensions["holmgang"].store.wakeups


def until(true: Callable[[], bool], seconds: float = 5.0) -> None:
    """Look again and again until it is true."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it never came to be"


class Waiting:
    """A request on its way in a thread of its own."""

    def __init__(self, api: Api, hands: ThreadPoolExecutor, path: str, token: str | None, **headers: str) -> None:
        self.api = api
        before = wakeups(api).waiting()
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if token is not None:
            sent["Authorization"] = f"Bearer {token}"
        client = api.app.test_client()
        self.answer: Future[TestResponse] = hands.submit(lambda: client.get(path, headers=sent))
        until(lambda: wakeups(api).waiting() > before or self.answer.done())

    def held(self) -> bool:
        return not self.answer.done()

    def status(self) -> int:
        return self.answer.result(10).status_code


def tag(api: Api, path: str, token: str | None) -> str:
    return api.call("GET", path, token=token, status=200).headers["ETag"]


@pytest.mark.parametrize("part", ["view", "turn", "turn?include=view", "events"])
def test_a_poll_is_held_until_somebody_moves(api: Api, hands: ThreadPoolExecutor, part: str) -> None:
    table = api.table()
    for token in (table.token(0), None):
        path = f"{table.path}/{part}"
        known = tag(api, path, token)
        wait = f"{path}{'&' if '?' in path else '?'}wait={LONG}"
        waiting = Waiting(api, hands, wait, token, If_None_Match=known)
        assert waiting.held()
        table.submit(1 if token else 2, status=201)
        assert waiting.status() == 200
        assert waiting.answer.result().headers["ETag"] != known


@pytest.mark.parametrize("written", ["%77ait={}", "w%61it={}", "include=view&wai%74={}", "wait=%32%30"])
def test_a_wait_is_one_however_its_letters_are_written(api: Api, hands: ThreadPoolExecutor, written: str) -> None:
    table = api.table()
    path = f"{table.path}/turn"
    known = tag(api, f"{path}?include=view" if "include" in written else path, table.token(0))
    waiting = Waiting(api, hands, f"{path}?{written.format(LONG)}", table.token(0), If_None_Match=known)
    assert waiting.held()
    table.submit(1, status=201)
    assert waiting.status() == 200


def test_without_a_tag_it_is_held_until_something_happens(api: Api, hands: ThreadPoolExecutor) -> None:
    table = api.table()
    asked = Waiting(api, hands, f"{table.path}/turn?wait={LONG}", table.token(0))
    assert asked.answer.result(10).get_json()["yours"], "whoever is asked is told at once"
    assert Waiting(api, hands, f"{table.path}/view?wait={LONG}", table.token(0)).status() == 200
    assert Waiting(api, hands, f"{table.path}/events?wait={LONG}", table.token(0)).status() == 200
    table.submit(0, status=201)
    waiting = Waiting(api, hands, f"{table.path}/turn?wait={LONG}", table.token(0))
    assert waiting.held()
    table.submit(1, status=201)
    assert waiting.status() == 200


def test_events_are_held_after_a_number(api: Api, hands: ThreadPoolExecutor) -> None:
    table = api.table()
    last = api.get(f"{table.path}/events?limit=200")["items"][-1]["seq"]
    waiting = Waiting(api, hands, f"{table.path}/events?after={last}&wait={LONG}", None)
    assert waiting.held()
    table.submit(0, status=201)
    assert [event["seq"] for event in waiting.answer.result(10).get_json()["items"]] == [last + 1]
    assert Waiting(api, hands, f"{table.path}/events?after={last}&wait={LONG}", None).status() == 200


def test_waiting_turns_are_held_until_there_is_one(api: Api, hands: ThreadPoolExecutor) -> None:
    table = api.table()
    token = table.token(0)
    path = f"/v1/me/turns?wait={LONG}"
    assert Waiting(api, hands, path, token).status() == 200
    table.submit(0, status=201)
    empty = tag(api, "/v1/me/turns", token)
    waiting = [Waiting(api, hands, path, token), Waiting(api, hands, path, token, If_None_Match=empty)]
    assert all(each.held() for each in waiting)
    while not api.get("/v1/me/turns", token)["items"]:
        for seat in api.get(table.path)["awaited"]:
            table.submit(seat, status=201)
    assert [len(each.answer.result(10).get_json()["items"]) for each in waiting] == [1, 1]


def test_an_open_game_is_waited_for_until_it_starts(api: Api, hands: ThreadPoolExecutor) -> None:
    table = api.table(taken=2)
    waiting = Waiting(api, hands, f"{table.path}/turn?wait={LONG}", table.token(0))
    assert waiting.held()
    api.call("POST", f"{table.path}/seats", token=table.token(2), json={"seat": 2}, status=201)
    assert waiting.answer.result(10).get_json()["turn"] == 1


def test_time_runs_out_and_answers_as_without_waiting(api: Api, hands: ThreadPoolExecutor) -> None:
    table = api.table()
    path = f"{table.path}/turn"
    known = tag(api, path, table.token(0))
    held = api.call("GET", f"{path}?wait=1", token=table.token(0), If_None_Match=known, status=304)
    assert held.headers["ETag"] == known
    assert held.headers["Cache-Control"] == "private, no-cache"
    preferred = api.call("GET", path, token=table.token(0), If_None_Match=known, Prefer="wait=1", status=304)
    assert preferred.headers["Preference-Applied"] == "wait=1"
    assert "Preference-Applied" not in held.headers


@pytest.mark.parametrize("wait", ["0", "51", "-1", "x", "", "1.5", "9999999999"])
def test_other_waits_are_refused(api: Api, wait: str) -> None:
    table = api.table()
    for part in (f"{table.path}/view", f"{table.path}/turn", f"{table.path}/events", "/v1/me/turns"):
        problem = api.problem("GET", f"{part}?wait={wait}", 422, "invalid_request", token=table.token(0))
        assert problem["errors"][0]["pointer"] == "?wait"


def test_a_preference_that_makes_no_sense_is_passed_over(api: Api) -> None:
    table = api.table()
    known = tag(api, f"{table.path}/turn", table.token(0))
    for preference in ("wait=soon", "wait", "respond-async", "wait=0"):
        answer = api.call("GET", f"{table.path}/turn", token=table.token(0), If_None_Match=known, Prefer=preference)
        assert (answer.status_code, answer.headers.get("Preference-Applied")) == (304, None)


def test_bad_callers_are_refused_at_once(api: Api) -> None:
    table = api.table()
    turn = f"{table.path}/turn?wait={LONG}"
    api.problem("GET", turn, 401, "invalid_token", token="no-such-token")
    api.problem("GET", f"/v1/games/{table.people[0].id}/turn?wait={LONG}", 404, "not_found", token=table.token(0))
    api.problem("GET", f"/v1/me/turns?wait={LONG}", 401, "unauthenticated")
    outsider = api.register()
    hidden = api.table(spectators=False)
    api.problem("GET", f"{hidden.path}/turn?wait={LONG}", 403, "spectators_excluded", token=outsider.token)


def test_a_lost_wake_up_is_made_up_for(api: Api, hands: ThreadPoolExecutor) -> None:
    """As after kill -9 between commit and NOTIFY."""
    table = api.table()
    token = table.token(0)
    table.submit(0, status=201)
    known, turns = tag(api, f"{table.path}/turn", token), tag(api, "/v1/me/turns", token)
    waiting = [
        Waiting(api, hands, f"{table.path}/turn?wait={LONG}", token, If_None_Match=known),
        Waiting(api, hands, f"/v1/me/turns?wait={LONG}", token, If_None_Match=turns),
    ]
    with mock.patch.object(wakeups(api), "announce"):
        while not api.get("/v1/me/turns", token)["items"]:
            for seat in api.get(table.path)["awaited"]:
                table.submit(seat, status=201)
        started = time.monotonic()
        assert [each.status() for each in waiting] == [200, 200]
    assert time.monotonic() - started < 3.0


def test_waiting_survives_a_cut_connection(api: Api, hands: ThreadPoolExecutor) -> None:
    table = api.table()
    known = tag(api, f"{table.path}/turn", table.token(0))
    waiting = Waiting(api, hands, f"{table.path}/turn?wait={LONG}", table.token(0), If_None_Match=known)
    with api.app.extensions["holmgang"].store.pool.connection() as connection:
        killed = connection.execute(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'holmgang wake-ups'"
            " AND datname = current_database()"
        ).fetchone()
    assert killed is not None
    assert killed[0] >= 1
    table.submit(1, status=201)
    assert waiting.status() == 200


@pytest.mark.parametrize("after", ["%C2%B2", "x", "-1", "9" * 5000, "9" * 19])
def test_a_number_that_is_none_is_refused_also_where_one_would_wait(api: Api, after: str) -> None:
    """The first is a digit to Python, though no number: a superscript two."""
    table = api.table()
    for more in ({}, {"If_None_Match": '"x"'}):
        path = f"{table.path}/events?wait={LONG}&after={after}"
        api.problem("GET", path, 422, "invalid_request", token=table.token(0), **more)
    path = f"{table.path}/turn?wait={LONG}&after={after}"
    api.problem("GET", path, 422, "invalid_request", token=table.token(0), If_None_Match='"x"')


@pytest.mark.parametrize(
    ("part", "query"),
    [
        ("turn", "bogus=1"),
        ("turn", "include=foo"),
        ("view", "after=1"),
        ("events", "limit=x"),
        ("events", "limit=100000"),
        ("events", "after=99&after=1"),
        ("view", "wait=2"),
    ],
)
def test_what_would_be_refused_is_not_waited_for(api: Api, part: str, query: str) -> None:
    table = api.table()
    token = table.token(0)
    known = tag(api, f"{table.path}/{part}", token)
    path = f"{table.path}/{part}?wait={LONG}&{query}"
    api.problem("GET", path, 422, "invalid_request", token=token, If_None_Match=known)


def test_a_token_that_is_revoked_meanwhile_is_refused_when_the_time_is_up(api: Api, hands: ThreadPoolExecutor) -> None:
    table = api.table()
    owner = table.token(0)
    wanted = {"label": "t", "scopes": ["read"]}
    other = api.call("POST", "/v1/me/tokens", token=owner, json=wanted, status=201).get_json()
    known = tag(api, f"{table.path}/turn", other["token"])
    waiting = Waiting(api, hands, f"{table.path}/turn?wait=1", other["token"], If_None_Match=known)
    assert waiting.held()
    api.call("DELETE", f"/v1/me/tokens/{other['id']}", token=owner, status=204)
    assert waiting.status() == 401


def test_waiters_hold_no_connection(own: Api, hands: ThreadPoolExecutor) -> None:
    """One connection serves three waiters and whoever moves."""
    table = own.table()
    known = {seat: tag(own, f"{table.path}/turn", table.token(seat)) for seat in range(3)}
    waiting = [
        Waiting(own, hands, f"{table.path}/turn?wait={LONG}", table.token(seat), If_None_Match=known[seat])
        for seat in range(3)
    ]
    assert all(each.held() for each in waiting)
    table.submit(0, status=201)
    assert [each.status() for each in waiting] == [200, 200, 200]


def test_above_the_cap_the_answer_comes_at_once(own: Api, hands: ThreadPoolExecutor) -> None:
    """Two waits a token; four in all, three quarters of six connections."""
    table = own.table()
    tags = [tag(own, f"{table.path}/turn", table.token(seat)) for seat in range(3)]

    def wait(seat: int, **more: str) -> Waiting:
        path = f"{table.path}/turn?wait={LONG}"
        return Waiting(own, hands, path, table.token(seat), If_None_Match=tags[seat], **more)

    held = [wait(0), wait(0)]
    third = wait(0, Prefer="wait=20")
    assert third.status() == 304
    assert "Preference-Applied" not in third.answer.result().headers
    held += [wait(1), wait(1)]
    assert wait(2).status() == 304
    assert all(each.held() for each in held)
    table.submit(2, status=201)
    assert {each.status() for each in held} == {200}
    assert wakeups(own).waiting() == 0


def test_without_a_token_waits_are_counted_by_network(module_database: str, hands: ThreadPoolExecutor) -> None:
    """As requests are: whoever has one IPv6 address has all of its network."""
    api = Api(module_database, waits_per_token=2, trusted_proxies=1)
    try:
        table = api.table()
        path, known = f"{table.path}/turn?wait={LONG}", tag(api, f"{table.path}/turn", None)

        def wait(address: str) -> Waiting:
            return Waiting(api, hands, path, None, If_None_Match=known, X_Forwarded_For=address)

        held = [wait("2001:db8:0:1::1"), wait("2001:db8:0:1:ffff::2")]
        assert wait("2001:db8:0:1::3").status() == 304
        held += [wait("2001:db8:0:2::1"), wait("192.0.2.1"), wait("::ffff:192.0.2.1")]
        assert wait("192.0.2.1").status() == 304
        assert all(each.held() for each in held)
        for seat in range(3):
            table.submit(seat, status=201)
        assert {each.status() for each in held} == {200}
    finally:
        api.close()


def test_a_replacement_wakes_nobody_else(api: Api, hands: ThreadPoolExecutor) -> None:
    table = api.table()
    first = table.choice(0)
    receipt = table.submit(0, first, status=201).get_json()
    other = another_action(api, table, 0, first["action"])
    path = f"{table.path}/turn"
    tags = [tag(api, path, table.token(seat)) for seat in range(2)]
    mine, others = (
        Waiting(api, hands, f"{path}?wait={LONG}", table.token(seat), If_None_Match=tags[seat]) for seat in range(2)
    )
    body = {"turn": 1, "action": other, "revision": 1}
    api.call("PUT", f"{table.path}/submissions/{receipt['id']}", token=table.token(0), json=body, status=200)
    assert mine.status() == 200
    assert others.held()
    table.submit(2, status=201)
    assert others.status() == 200


# The stream


def told(text: str) -> list[tuple[str | None, str, Any]]:
    """Server-sent events as (id, event, data); comments and the retry line are left out."""
    found = []
    for block in text.strip().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if "data" in fields:
            found.append((fields.get("id"), fields.get("event", "message"), json.loads(fields["data"])))
    return found


def test_a_stream_gives_the_feed_to_its_end(api: Api) -> None:
    table = api.table(ruleset="claim", seats=2)
    table.play()
    for token in (table.token(0), None):
        answer = api.call("GET", f"{table.path}/events", token=token, status=200, Accept="text/event-stream")
        assert answer.headers["Content-Type"].startswith("text/event-stream")
        assert answer.headers["Cache-Control"] == "no-store"
        *events, end = told(answer.get_data(as_text=True))
        feed: list[Any] = []
        while page := api.get(f"{table.path}/events?limit=200&after={len(feed)}", token)["items"]:
            feed += page
        assert [data for _, _, data in events] == feed
        assert [ident for ident, _, _ in events] == [str(event["seq"]) for event in feed]
        assert end == (None, "end", {})


@pytest.mark.parametrize(("last", "first"), [("3", 4), ("nonsense", 1), ("", 1), ("9" * 40, 1)])
def test_a_stream_goes_on_after_the_last_event_id(api: Api, last: str, first: int) -> None:
    table = api.table(ruleset="claim", seats=2)
    api.call("POST", f"{table.path}/resignations", token=table.token(0), json={}, status=201)
    answer = api.call("GET", f"{table.path}/events", status=200, Accept="text/event-stream", Last_Event_ID=last)
    assert told(answer.get_data(as_text=True))[0][0] == str(first)


def test_a_stream_goes_on_as_the_game_does(api: Api) -> None:
    table = api.table()
    with mock.patch("holmgang.api.http.streams.HEARTBEAT_SECONDS", 0.01):
        answer = api.app.test_client().get(f"{table.path}/events", headers={"Accept": "text/event-stream"})
        chunks: Iterator[Any] = iter(answer.response)
        seen: list[Any] = []
        while not seen or seen[-1] != b": still here\n\n":
            seen.append(next(chunks))
    known = len(told(b"".join(map(bytes, seen)).decode()))
    mover = threading.Thread(target=lambda: table.submit(1, status=201))
    mover.start()
    fresh = next(chunk for chunk in chunks if chunk.startswith(b"id"))
    mover.join()
    assert told(fresh.decode())[0][2]["payload"] == {"type": "choice_sealed", "seat": 1}
    assert told(fresh.decode())[0][0] == str(known + 1)
    before = wakeups(api).waiting()
    answer.close()
    assert wakeups(api).waiting() == before - 1


def test_a_stream_beats_by_the_clock_whatever_wakes_it(api: Api) -> None:
    """Else others could tell from the beats when a sealed choice was replaced."""
    table = api.table()
    now, waits = 0.0, 0
    beats = []

    def wait(ticket: Ticket, seconds: float) -> bool:
        """Woken once, after the second pause; otherwise the time runs out."""
        nonlocal now, waits
        now, waits = now + seconds, waits + 1
        return waits == 2

    clock = SimpleNamespace(monotonic=lambda: now)
    patches = [mock.patch(f"holmgang.api.http.{module}.time", clock) for module in ("streams", "waiting")]
    with patches[0], patches[1], mock.patch.object(Ticket, "wait", wait):
        answer = api.app.test_client().get(f"{table.path}/events", headers={"Accept": "text/event-stream"})
        chunks = iter(answer.response)
        for _ in range(2):
            while next(chunks) != b": still here\n\n":
                pass
            beats.append(now)
        answer.close()
    assert waits > 2
    assert beats == [15.0, 30.0]


def test_a_stream_ends_when_its_client_has_hung_up(api: Api) -> None:
    table = api.table()
    ours, theirs = socket.socketpair()
    with mock.patch("holmgang.api.http.waiting.CHECK_SECONDS", 0.01):
        answer = api.app.test_client().get(
            f"{table.path}/events", headers={"Accept": "text/event-stream"}, environ_overrides={CONNECTION: ours}
        )
        before = wakeups(api).waiting()
        chunks: Iterator[Any] = iter(answer.response)
        next(chunks)
        theirs.close()
        assert all(chunk.startswith(b"id") for chunk in chunks)
    assert wakeups(api).waiting() == before
    ours.close()


def test_a_stream_without_room_tells_what_there_is(own: Api, hands: ThreadPoolExecutor) -> None:
    table = own.table()
    known = tag(own, f"{table.path}/turn", table.token(0))
    held = [
        Waiting(own, hands, f"{table.path}/turn?wait={LONG}", table.token(0), If_None_Match=known) for _ in range(2)
    ]
    answer = own.call("GET", f"{table.path}/events", token=table.token(0), Accept="text/event-stream", status=200)
    assert answer.get_data(as_text=True).startswith("retry: 10000\n\nid: 1\n")
    table.submit(1, status=201)
    assert {each.status() for each in held} == {200}


def test_a_stream_is_refused_like_the_list(api: Api) -> None:
    hidden = api.table(spectators=False)
    api.problem("GET", f"{hidden.path}/events", 401, "unauthenticated", Accept="text/event-stream")
