"""Mistakes that no patience mends: each is told before anything is asked, or by what comes first."""

from __future__ import annotations

import asyncio
import logging
import platform
import re
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from importlib.metadata import version
from typing import Any

import httpx
import pytest

import holmgang
from holmgang import AsyncClient, Bot, Client, Patience, Unreachable, any_action, problems
from holmgang.client._flow import FIRST_ANSWER_SECONDS

from .test_retries import Answer, Server, both, busy, ok

AT_ONCE = Patience(first_answer=0.0)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("127.0.0.1:8000", "does not begin with http://"),
        ("localhost", "does not begin with http://"),
        ("", "does not begin with http://"),
        ("ftp://x", "does not begin with http://"),
        ("http:x", "does not begin with http://"),
        ("http:///x", "names no host"),
        ("http://x:99999", "a port that there cannot be"),
        ("http://[::1", "cannot be read"),
        ("http://x\n", "a line break"),
        (" http://x", "a blank"),
        ("http://x?token=secret", "a query"),
        ("http://x/v1/games/g", "ends before /v1, 'http://x'"),
        ("http://astrid:secret@x", "a password"),
    ],
)
@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_an_address_that_is_none_is_refused(kind: type[Client | AsyncClient], url: str, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)) as fault:
        kind(url)
    assert "secret" not in str(fault.value)


@pytest.mark.parametrize("url", ["http://x", "https://x.example:8443/below/a/path/v1/#/games", "HTTP://[::1]:1"])
def test_an_address_that_is_one_is_taken(url: str) -> None:
    with Client(url) as client:
        assert url.startswith(client.url)
        assert not client.url.endswith(("/", "/v1"))


@pytest.mark.parametrize(
    ("token", "said"),
    [("abc\n", "line break"), ("ab c", "blank"), ("abcé", "not ASCII"), ("a\x00", "control"), ("", "empty")],
)
@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_a_token_that_cannot_be_sent_is_refused_and_not_told(
    kind: type[Client | AsyncClient], token: str, said: str
) -> None:
    with pytest.raises(ValueError, match=said) as fault:
        kind("http://x", token)
    assert not token or token not in str(fault.value)


def test_a_bot_refuses_an_empty_token_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would register somebody else instead, if a variable of its author's is not set."""
    monkeypatch.setenv("HOLMGANG_TOKEN", "another")
    with pytest.raises(ValueError, match="The token is empty"):
        Anything().run("http://x", "")


def test_in_a_notebook_a_bot_says_what_to_write() -> None:
    async def cell() -> None:
        Anything().run("http://x", "t")

    with pytest.raises(RuntimeError, match="await `play` instead"):
        asyncio.run(cell())


@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_seconds_are_numbers(kind: Any) -> None:
    for name in ("timeout", "patience"):
        for wrong in (None, "3", True):
            with pytest.raises(TypeError, match=f"`{name}` is a number of seconds"):
                kind("http://x", **{name: wrong})
        kind("http://x", **{name: 3})


def test_what_is_no_string_is_refused() -> None:
    for url, token in ((None, None), ("http://x", 7)):
        with pytest.raises(TypeError, match="string"):
            Client(url, token)  # type: ignore[arg-type]


class Anything(Bot):
    def choose(self, view: Any, legal: Any) -> Any:
        return any_action(legal)


def listening(handle: Callable[[socket.socket], None]) -> Iterator[int]:
    """The port of a server that does this with each connection."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with closing(connection):
                    handle(connection)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)
        thread.join(10)


@pytest.fixture
def plain() -> Iterator[int]:
    """As a server without TLS."""

    def answer(connection: socket.socket) -> None:
        connection.recv(65536)
        connection.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")

    yield from listening(answer)


@pytest.fixture
def other() -> Iterator[int]:
    """As a server that speaks something else, such as TLS, and hangs up on who does not."""

    def answer(connection: socket.socket) -> None:
        connection.recv(65536)
        connection.sendall(b"\x15\x03\x03\x00\x02\x02\x32")

    yield from listening(answer)


def asked(url: str, how: str) -> str:
    """What the first call there comes to."""

    def ask() -> None:
        with Client(url, "t", patience=AT_ONCE) as client:
            client.me()

    async def ask_async() -> None:
        async with AsyncClient(url, "t", patience=AT_ONCE) as client:
            await client.me()

    with pytest.raises(Unreachable) as fault:
        ask() if how == "sync" else asyncio.run(ask_async())
    return str(fault.value)


how = pytest.mark.parametrize("how", ["sync", "async"])


@how
def test_tls_where_none_is_spoken(plain: int, how: str) -> None:
    assert f"Is the address http://127.0.0.1:{plain}?" in asked(f"https://127.0.0.1:{plain}", how)


@how
def test_plain_http_where_something_else_is_spoken(other: int, how: str) -> None:
    assert f"Is the address https://127.0.0.1:{other}, " in asked(f"http://127.0.0.1:{other}", how)


@how
def test_a_port_at_which_nothing_listens(how: str) -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        told = asked(f"http://127.0.0.1:{bound.getsockname()[1]}", how)
    assert "(the connection is refused)" in told


def caused(cause: Exception) -> Callable[[httpx.Request], httpx.Response]:
    def fail(request: httpx.Request) -> httpx.Response:
        try:
            raise cause
        except Exception as fault:
            raise httpx.ConnectError("no connection", request=request) from fault

    return fail


@both
def test_what_listens_and_never_answers(asynchronous: bool) -> None:
    server = Server([httpx.ReadTimeout])
    server.takes = FIRST_ANSWER_SECONDS
    with pytest.raises(Unreachable, match="Something listens at http://x, but never answers"):
        server.do(asynchronous, "me")
    assert len(server.asked) == 1


def test_a_first_answer_may_take_less_time_than_others() -> None:
    for settings, limits in (
        ({}, [10.0, 30.0]),
        ({"timeout": 3}, [3.0, 3.0]),
        ({"timeout": 60, "patience": Patience(first_answer=40)}, [40.0, 60.0]),
    ):
        server = Server([ok()])
        with Client("http://x", transport=httpx.MockTransport(server.answer), **settings) as client:
            client.me()
            client.me()
        assert [request.extensions["timeout"]["read"] for request in server.asked] == limits


UNTRUSTED = ssl.SSLCertVerificationError(1, "[SSL: CERTIFICATE_VERIFY_FAILED]")
UNTRUSTED.verify_message = "self-signed certificate"
UNKNOWN = socket.gaierror(socket.EAI_NONAME, "Name or service not known")


@pytest.mark.parametrize(
    ("cause", "said", "pauses"),
    [
        (UNTRUSTED, "cannot be trusted (self-signed certificate). Name the authority's file in", 0),
        (UNKNOWN, "No host of the name x is known here", 2),
        (ExceptionGroup("all", [ConnectionRefusedError()]), "the connection is refused", 2),
        (ssl.SSLEOFError(8, "EOF occurred"), "No TLS is spoken", 2),
    ],
)
def test_what_keeps_a_connection_from_coming_about(cause: Exception, said: str, pauses: int) -> None:
    """Some of it may pass within seconds: a container's network that is not there yet."""
    server = Server([ok()])
    transport = httpx.MockTransport(caused(cause))
    with (
        Client("https://x", transport=transport, patience=server.patience(60), sleep=server.sleep) as client,
        pytest.raises(Unreachable, match=re.escape(said)),
    ):
        client.me()
    assert server.pauses == [1, 2][:pauses]
    assert issubclass(Unreachable, httpx.TransportError)


def answered(status: int, text: str, **headers: str) -> httpx.Response:
    return httpx.Response(status, text=text, headers={"Content-Type": "text/html", **headers})


@both
@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (answered(200, "<h1>Hello</h1>"), "no Holmgang: to GET /v1/me it said 200 OK (text/html)"),
        (answered(404, "<h1>Nothing</h1>"), "404 Not Found (text/html)"),
        (httpx.Response(404, json={"detail": "Not Found"}), "404 Not Found (application/json)"),
        (httpx.Response(401, text="Who?"), "401 Unauthorized"),
        (answered(301, "", Location="https://games.example.org/v1/me"), "on to https://games.example.org. Give that"),
    ],
)
def test_what_answers_first_is_no_holmgang(asynchronous: bool, answer: httpx.Response, said: str) -> None:
    server = Server([answer])
    with pytest.raises(Unreachable, match=re.escape(said)):
        server.do(asynchronous, "me")
    assert len(server.asked) == 1


@both
def test_a_problem_is_a_holmgangs(asynchronous: bool) -> None:
    server = Server([httpx.Response(401, json={"code": "invalid_token"})])
    with pytest.raises(problems.InvalidToken):
        server.do(asynchronous, "me")


@both
def test_once_a_holmgang_has_answered_faults_are_outlived(asynchronous: bool) -> None:
    faults: list[tuple[Answer, type[Exception]]] = [
        (httpx.ConnectError, httpx.ConnectError),
        (answered(200, "<h1>Back soon</h1>"), problems.Problem),
    ]
    for fault, raised in faults:
        server = Server([busy(), fault])
        with pytest.raises(raised) as end:
            server.do(asynchronous, "game", "g", total=200.0)
        assert not isinstance(end.value, Unreachable)


def test_below_a_wrong_path_another_call_tells() -> None:
    missing = httpx.Response(404, json={"code": "not_found"})
    for answers, fault in (([missing], Unreachable), ([missing, ok({"items": []})], problems.NotFound)):
        server = Server([*answers])
        with (
            Client("http://x/docs", transport=httpx.MockTransport(server.answer)) as client,
            pytest.raises(fault, match=r"Is its address http://x\?" if fault is Unreachable else "not_found"),
        ):
            client.game("g")
        assert [request.url.path for request in server.asked] == ["/docs/v1/games/g", "/docs/v1/rulesets"]


@pytest.mark.parametrize("token", ["t", None])
def test_a_bot_ends_with_it(plain: int, token: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOLMGANG_TOKEN", raising=False)
    with pytest.raises(Unreachable, match="no Holmgang"):
        Anything().run(f"http://127.0.0.1:{plain}", token)
    with pytest.raises(ValueError, match="does not begin"):
        Anything().run("localhost:8000", token)


@both
def test_every_call_that_is_made_again_is_logged(asynchronous: bool, caplog: pytest.LogCaptureFixture) -> None:
    server = Server([ok(), httpx.ConnectError, httpx.ReadTimeout, busy(), busy(429), httpx.ReadError, ok()])
    with caplog.at_level(logging.DEBUG, logger="holmgang"):
        server.do_all(asynchronous, 2, "game", "g")
    logged = [(record.levelname, record.getMessage()) for record in caplog.records if record.name == "holmgang"]
    pauses = [1, 2, 4, 8, 8]
    assert server.pauses == pauses
    assert logged[0] == (
        "WARNING",
        "waiting for http://x: fault (GET /v1/games/g); the next try is in 1.0 s, and the last one in 60 s",
    )
    assert [level for level, _ in logged] == ["WARNING", "DEBUG", "DEBUG", "WARNING", "WARNING"]
    assert "it answers 503 Service Unavailable" in logged[2][1]
    assert "the last one in 53 s" in logged[3][1]


def test_what_takes_several_strings_refuses_one() -> None:
    with Client("http://x", transport=httpx.MockTransport(Server([ok()]).answer)) as client:
        for call in (
            lambda: client.create_token("mine", "read"),  # type: ignore[arg-type]
            lambda: client.create_webhook("https://me", "game.over"),  # type: ignore[arg-type]
            lambda: client.change_webhook("w", events="game.over"),  # type: ignore[arg-type]
            lambda: Anything().run("http://x", "t", games="id"),  # type: ignore[arg-type]
            lambda: asyncio.run(Anything().play("http://x", "t", games="id")),  # type: ignore[arg-type]
        ):
            with pytest.raises(TypeError, match=r"takes several: write \['"):
                call()
        for wrong in (7, b"id", {"id": "g"}):
            with pytest.raises(TypeError, match="`games` takes several strings, and not a"):
                Anything().run("http://x", "t", games=wrong)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="one of its items is of type dict"):
            Anything().run("http://x", "t", games=[{"id": "g"}])  # type: ignore[list-item]
        for scopes in (["read"], ("read",), {"read"}, {"read": 1}.keys()):
            client.create_token("mine", scopes)  # type: ignore[arg-type] # of a variable's type, str

    class One(Anything):
        rulesets = "claim"  # type: ignore[assignment]

    with pytest.raises(TypeError, match="`rulesets` takes several"):
        One().run("http://x", "t")


def test_requests_say_what_sent_them() -> None:
    server = Server([ok()])
    assert holmgang.__version__ == version("holmgang")
    for agent in (None, "hasty/1.0"):
        with Client("http://x", transport=httpx.MockTransport(server.answer), user_agent=agent) as client:
            client.me()
    ours = f"holmgang/{holmgang.__version__} httpx/{httpx.__version__} python/{platform.python_version()}"
    assert [request.headers["User-Agent"] for request in server.asked] == [ours, f"hasty/1.0 {ours}"]
    with pytest.raises(ValueError, match="printable ASCII"):
        Client("http://x", user_agent="hasty\r\nX: y")


def test_ones_own_httpx_client_is_used_and_left_open() -> None:
    server = Server([ok({"token": "new"})])
    seen: list[httpx.Request] = []
    own = httpx.Client(
        transport=httpx.MockTransport(server.answer),
        base_url="http://elsewhere",
        headers={"Authorization": "Bearer another", "X-Mine": "1"},
        event_hooks={"request": [seen.append]},
    )
    with Client.register("http://x/below", "Astrid", http=own) as client:
        client.me()
    assert not own.is_closed
    registered, me = server.asked
    assert seen == [registered, me]
    assert str(me.url) == "http://x/below/v1/me"
    assert (me.headers["Authorization"], me.headers["X-Mine"]) == ("Bearer new", "1")
    with pytest.raises(TypeError, match=r"`http` must be an httpx\.AsyncClient"):
        AsyncClient("http://x", http=own)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="Give `transport` to your own"):
        Client("http://x", http=own, transport=httpx.MockTransport(server.answer))


def test_so_is_an_asynchronous_one() -> None:
    server = Server([ok()])

    async def ask() -> bool:
        async with httpx.AsyncClient(transport=httpx.MockTransport(server.answer)) as own:
            async with AsyncClient("http://x", "t", http=own) as client:
                await client.me()
            return own.is_closed

    assert asyncio.run(ask()) is False
    assert server.asked[0].headers["Authorization"] == "Bearer t"


@pytest.mark.parametrize("token", ["t", None])
def test_a_bots_client_is_made_with_its_settings(token: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that starts before its server waits for it."""
    monkeypatch.delenv("HOLMGANG_TOKEN", raising=False)
    away = [httpx.ConnectError] * 4
    server = Server([*away, httpx.Response(401, json={"code": "invalid_token"})])

    class Early(Anything):
        pass

    async def play() -> None:
        async with httpx.AsyncClient(transport=httpx.MockTransport(server.answer)) as own:
            patience = replace(server.patience(60), first_answer=30.0)
            Early.client_settings = {
                "http": own,
                "user_agent": "early/1.0",
                "patience": patience,
                "sleep": server.sleep_async,
            }
            with pytest.raises(problems.InvalidToken):
                await Early().play("http://x", token, games=["g"])

    asyncio.run(play())
    assert sum(server.pauses) > Patience().first_answer
    assert all(request.headers["User-Agent"].startswith("early/1.0 holmgang/") for request in server.asked)
