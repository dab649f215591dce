"""When calls are made again, against a server that answers what a test says, on a clock that only pauses move."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import httpx
import pytest

from holmgang import AsyncClient, Client, Patience, Problem, Unreachable, problems
from holmgang.client._session import rest_after

Answer = httpx.Response | type[httpx.TransportError]
BUSY = {"code": "busy", "detail": "Later.", "retryable": True}


@dataclass
class Server:
    """Gives its answers one after another, the last one for ever."""

    answers: list[Answer]
    asked: list[httpx.Request] = field(default_factory=list)
    pauses: list[float] = field(default_factory=list)
    time: float = 0.0
    takes: float = 0.0
    """How long each answer takes."""

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        self.time += self.takes
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, type):
            raise answer("fault", request=request)
        return httpx.Response(answer.status_code, headers=answer.headers, content=answer.content)

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.time += seconds

    async def sleep_async(self, seconds: float) -> None:
        self.sleep(seconds)

    def patience(self, total: float) -> Patience:
        return Patience(total=total, first=1.0, longest=8.0, clock=lambda: self.time, draw=lambda _low, high: high)

    def do(self, asynchronous: bool, name: str, *args: Any, **kwargs: Any) -> Any:
        """The call of that name, by one client or the other: both must behave alike."""
        return self.do_all(asynchronous, 1, name, *args, **kwargs)[0]

    def do_all(
        self, asynchronous: bool, times: int, name: str, *args: Any, total: float = 60.0, **kwargs: Any
    ) -> list[Any]:
        """The same call so many times, by one client."""
        transport = httpx.MockTransport(self.answer)
        patience = self.patience(total)
        if not asynchronous:
            with Client("http://x", "t", transport=transport, patience=patience, sleep=self.sleep) as client:
                return [getattr(client, name)(*args, **kwargs) for _ in range(times)]

        async def call() -> list[Any]:
            async with AsyncClient(
                "http://x", "t", transport=transport, patience=patience, sleep=self.sleep_async
            ) as client:
                return [await getattr(client, name)(*args, **kwargs) for _ in range(times)]

        return asyncio.run(call())


def ok(body: Any = None, **headers: str) -> httpx.Response:
    return httpx.Response(200, json={} if body is None else body, headers=headers)


def busy(status: int = 503, **headers: str) -> httpx.Response:
    return httpx.Response(status, json={**BUSY, "status": status}, headers=headers)


both = pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])


@both
def test_pauses_double_up_to_the_longest_and_end_with_the_patience(asynchronous: bool) -> None:
    server = Server([ok(), httpx.ConnectError])
    with pytest.raises(httpx.ConnectError) as fault:
        server.do_all(asynchronous, 2, "game", "g", total=30.0)
    assert not isinstance(fault.value, Unreachable)
    assert server.pauses == [1, 2, 4, 8, 8]
    assert len(server.asked) == 1 + 6


@both
@pytest.mark.parametrize("fault", [httpx.ReadError, httpx.RemoteProtocolError, httpx.ReadTimeout, busy(), busy(502)])
def test_a_submission_is_sent_again_as_it_was(asynchronous: bool, fault: Answer) -> None:
    server = Server([fault, ok({"id": "s"})])
    assert server.do(asynchronous, "submit", "g", 3, {"type": "move"}) == {"id": "s"}
    first, second = server.asked
    assert first.content == second.content
    assert first.headers["Idempotency-Key"] == second.headers["Idempotency-Key"]


@both
def test_retry_after_is_waited_and_a_drawn_pause_on_top(asynchronous: bool) -> None:
    server = Server([busy(429, **{"Retry-After": "7"}), ok()])
    server.do(asynchronous, "me")
    assert server.pauses == [7 + 1]


def test_retry_after_may_be_a_date() -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    server = Server([busy(503, **{"Retry-After": date}), ok()])
    server.do(False, "me")
    assert 28 < server.pauses[0] - 1 <= 30


@both
def test_nobody_waits_longer_than_the_patience_for_retry_after(asynchronous: bool) -> None:
    server = Server([busy(503, **{"Retry-After": "3600"})])
    with pytest.raises(problems.Busy):
        server.do(asynchronous, "me")
    assert server.pauses == []


@both
@pytest.mark.parametrize(
    "written",
    [
        "-7",
        "1.5",
        "soon",
        "",
        "Mon, 01 Jan 2026 00:00:00 +99999999999999999999",
        "Mon, 01 Jan 99999 00:00:00 GMT",
        "Sun, 06 Nov 1994 08:49:37 GMT",
    ],
)
def test_a_retry_after_that_says_nothing_is_none(asynchronous: bool, written: str) -> None:
    server = Server([busy(429, **{"Retry-After": written}), ok()])
    server.do(asynchronous, "me")
    assert server.pauses == [1]


@pytest.mark.parametrize(("written", "rest"), [("90", 90), ("86400", 3600), ("9" * 5000, 3600), ("no", 0)])
def test_a_bot_begins_again_no_sooner_than_it_was_asked(written: str, rest: float) -> None:
    server = Server([busy(429, **{"Retry-After": written})])
    with pytest.raises(problems.Busy) as caught:
        server.do(False, "me", total=0.0)
    assert rest_after(caught.value, server.patience(0.0), 2) == rest + 4
    assert rest_after(httpx.ReadError("fault"), server.patience(0.0), 0) == 1


@both
@pytest.mark.parametrize("fault", [httpx.UnsupportedProtocol, httpx.LocalProtocolError])
def test_what_cannot_be_sent_is_not_tried_again(asynchronous: bool, fault: type[httpx.TransportError]) -> None:
    server = Server([fault])
    with pytest.raises(fault):
        server.do(asynchronous, "me")
    assert len(server.asked) == 1


@pytest.mark.parametrize(("fault", "tries"), [(httpx.ReadError, 1), (busy(), 1), (httpx.ConnectError, 2)])
def test_registering_is_repeated_only_if_it_was_never_sent(fault: Answer, tries: int) -> None:
    server = Server([fault, ok({"token": "new"})])
    settings: dict[str, Any] = {
        "transport": httpx.MockTransport(server.answer),
        "patience": server.patience(9),
        "sleep": server.sleep,
    }
    if tries == 1:
        with pytest.raises((Unreachable, Problem)):
            Client.register("http://x", "Astrid", **settings)
    else:
        assert Client.register("http://x", "Astrid", **settings).token == "new"
    assert len(server.asked) == tries


@both
def test_a_refusal_is_not_asked_again_and_tells_all(asynchronous: bool) -> None:
    body = {"code": "stale_turn", "detail": "Past.", "request_id": "r1", "retryable": False, "current_turn": 8}
    server = Server([httpx.Response(409, json=body)])
    with pytest.raises(problems.StaleTurn) as refusal:
        server.do(asynchronous, "submit", "g", 7, {})
    assert (refusal.value.current_turn, refusal.value.request_id, refusal.value.status) == (8, "r1", 409)
    assert len(server.asked) == 1


def test_an_illegal_action_names_its_rule_and_bad_fields_their_pointers() -> None:
    entry = {"pointer": "/turn", "code": "type", "detail": "A number."}
    body = {"code": "illegal_action", "detail": "No.", "rule": "E3.2", "errors": [entry]}
    with pytest.raises(problems.IllegalAction, match=r"E3\.2.*/turn: A number") as refusal:
        Server([httpx.Response(422, json=body)]).do(False, "submit", "g", 7, {})
    assert (refusal.value.rule, refusal.value.errors) == ("E3.2", [entry])


@pytest.mark.parametrize("text", ["<h1>Bad gateway</h1>", "[1]", ""])
def test_what_is_no_problem_document_is_a_plain_problem(text: str) -> None:
    with pytest.raises(Problem) as refusal:
        Server([ok(), httpx.Response(418, text=text)]).do_all(False, 2, "me")
    assert (type(refusal.value), refusal.value.code) == (Problem, "unknown")


def test_a_retryable_conflict_is_asked_again() -> None:
    flight = httpx.Response(409, json={"code": "idempotency_in_flight", "retryable": True})
    server = Server([flight, ok({"id": "g"})])
    assert server.do(False, "create_game", "claim", 2) == {"id": "g"}


def test_the_last_answer_is_kept_by_its_tag_and_cannot_be_spoilt() -> None:
    server = Server([ok({"turn": 1, "awaited": []}, ETag='W/"a"'), httpx.Response(304), httpx.Response(304)])
    with Client("http://x", "t", transport=httpx.MockTransport(server.answer)) as client:
        client.turn("g")["awaited"].append(9)
        assert client.turn("g", wait=50) == {"turn": 1, "awaited": []}
        with pytest.raises(Problem):
            client.turn("other", wait=50)
    first, second, third = server.asked
    assert "If-None-Match" not in first.headers
    assert (second.headers["If-None-Match"], second.url.params["wait"]) == ('W/"a"', "50")
    assert second.extensions["timeout"]["read"] == 80
    assert "If-None-Match" not in third.headers


def test_a_list_goes_through_all_pages() -> None:
    pages = [ok({"items": [1, 2], "next": "/v1/games?status=open&cursor=c"}), ok({"items": [3], "next": None})]
    server = Server([*pages])
    transport = httpx.MockTransport(server.answer)
    with Client("http://x", transport=transport) as client:
        found: list[Any] = list(client.games(status="open"))
        assert found == [1, 2, 3]
    assert dict(server.asked[1].url.params) == {"status": "open", "cursor": "c"}

    async def all_of_them() -> list[Any]:
        async with AsyncClient("http://x", transport=httpx.MockTransport(Server([*pages]).answer)) as client:
            return [game async for game in client.games(status="open")]

    assert asyncio.run(all_of_them()) == [1, 2, 3]


def test_events_are_a_list_that_ends_where_nothing_more_has_happened() -> None:
    """Those of a game that goes on always have a next page."""
    at = "/v1/games/g/events?after="
    pages = [{"items": [{"seq": 4}, {"seq": 5}], "next": f"{at}5"}, {"items": [{"seq": 6}], "next": f"{at}6"}]
    server = Server([*[ok(page) for page in pages], ok({"items": [], "next": f"{at}6"})])
    with Client("http://x", transport=httpx.MockTransport(server.answer)) as client:
        assert [event["seq"] for event in client.events("g", after=3, limit=2, as_seat=1)] == [4, 5, 6]
    first, *others = server.asked
    assert dict(first.url.params) == {"after": "3", "limit": "2", "as_seat": "1"}
    assert [request.url.params["after"] for request in others] == ["5", "6"]


def test_they_are_followed_as_the_same_seat() -> None:
    server = Server([_told(1), _told(2, end=True)])
    transport, patience = httpx.MockTransport(server.answer), server.patience(60)
    with Client("http://x", transport=transport, patience=patience, sleep=server.sleep) as client:
        followed = client.events("g", follow=True, as_seat=1, invitation="i")
        assert [event["seq"] for event in followed] == [1, 2]
    for after, request in enumerate(server.asked):
        assert dict(request.url.params) == {"after": str(after), "as_seat": "1"}
        assert (request.headers["Accept"], request.headers["Holmgang-Invitation"]) == ("text/event-stream", "i")


def _told(*seqs: int, end: bool = False) -> httpx.Response:
    lines = "retry: 2000\n\n" + "".join(f'id: {n}\ndata: {{"seq": {n}}}\n\n: still here\n\n' for n in seqs)
    return httpx.Response(200, text=lines + ("event: end\ndata: {}\n\n" if end else ""))


@pytest.mark.parametrize("last", [_told(4, end=True), httpx.Response(204)], ids=["an end", "nothing more"])
@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
def test_a_stream_goes_on_after_what_it_has_told(asynchronous: bool, last: httpx.Response) -> None:
    answers: list[httpx.Response | type[httpx.TransportError]] = [
        _told(1, 2),
        busy(),
        _told(2, 3),
        httpx.ReadError,
        last,
    ]
    server = Server(answers if last.content else [*answers[:-1], _told(4), last])
    transport, patience = httpx.MockTransport(server.answer), server.patience(60)
    if asynchronous:

        async def hear() -> list[int]:
            async with AsyncClient(
                "http://x", transport=transport, patience=patience, sleep=server.sleep_async
            ) as client:
                return [event["seq"] async for event in client.stream("g")]

        told = asyncio.run(hear())
    else:
        with Client("http://x", transport=transport, patience=patience, sleep=server.sleep) as client:
            told = [event["seq"] for event in client.stream("g")]
    assert told == [1, 2, 3, 4]
    asked = ["0", "2", "2", "3", "3"]
    assert [request.url.params["after"] for request in server.asked] == (asked if last.content else [*asked, "4"])
    assert server.pauses[:4] == [1, 2, 1, 2]


def test_the_address_may_end_in_v1() -> None:
    server = Server([ok()])
    for url in ("http://x", "http://x/", "http://x/v1", "http://x/v1/"):
        with Client(url, transport=httpx.MockTransport(server.answer)) as client:
            client.me()
    assert {str(request.url) for request in server.asked} == {"http://x/v1/me"}


def test_jitter_is_drawn_between_nothing_and_the_bound() -> None:
    bounds: list[tuple[float, float]] = []

    def draw(low: float, high: float) -> float:
        bounds.append((low, high))
        return 0.0

    patience = Patience(first=0.5, longest=3, draw=draw, clock=lambda: 0.0)
    server = Server([*[busy()] * 4, ok()])
    with Client("http://x", transport=httpx.MockTransport(server.answer), patience=patience, sleep=server.sleep) as c:
        c.me()
    assert bounds == [(0, 0.5), (0, 1), (0, 2), (0, 3)]
