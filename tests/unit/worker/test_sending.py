"""Attempts against servers on loopback: what is sent, to whom alone, and that the answer cannot do harm."""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Callable
from ipaddress import ip_address
from typing import Any

import httpcore
import pytest

from holmgang.worker import sending
from holmgang.worker.sending import Outcome
from tests.unit.worker.servers import (
    CERTIFICATES,
    NO_CONTENT,
    Answer,
    dripping,
    flooding,
    saying,
    serving,
    silent,
)

BODY = b'{"type":"turn.started"}'
HOST = "hooks.example.test"
# For attempts that must end by themselves; those that must be cut off get SHORT.
LONG, SHORT = 30.0, 0.3


def loopback(host: str, port: int) -> list[str]:
    return ["127.0.0.1"]


def post(url: str, **changed: Any) -> Outcome:
    given: dict[str, Any] = {"allow_private": True, "timeout": LONG, "lookup": loopback, **changed}
    return sending.post(url, given.pop("headers", {}), given.pop("body", BODY), **given)


@pytest.fixture(autouse=True)
def only_numbers_are_connected_to(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Every connection made, and a failure for one made by name: that would be a second look-up."""
    made: list[tuple[str, int]] = []
    real = socket.create_connection

    def connect(address: tuple[str, int], *rest: Any, **named: Any) -> socket.socket:
        ip_address(address[0])
        made.append(address)
        return real(address, *rest, **named)

    monkeypatch.setattr(socket, "create_connection", connect)
    return made


def test_what_is_sent() -> None:
    with serving(saying(NO_CONTENT)) as server:
        outcome = post(
            server.url(HOST, path="/hook?key=1"), headers={"webhook-id": "m1", "Content-Type": "application/json"}
        )
    assert (outcome.status, outcome.error, outcome.delivered) == (204, None, True)
    assert 0 < outcome.seconds < LONG
    head, _, body = server.requests[0].partition(b"\r\n\r\n")
    assert body == BODY
    assert head.decode().split("\r\n") == [
        "POST /hook?key=1 HTTP/1.1",
        f"Host: {HOST}:{server.port}",
        "Connection: close",
        f"Content-Length: {len(BODY)}",
        "webhook-id: m1",
        "Content-Type: application/json",
    ]


def test_a_long_body_arrives_whole() -> None:
    body = bytes(range(256)) * 8192
    with serving(saying(NO_CONTENT)) as server:
        assert post(server.url(), body=body).delivered
    assert server.requests[0].endswith(b"\r\n\r\n" + body)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Host", "internal"),
        ("hOST", "internal"),
        ("Content-Length", "0"),
        ("Transfer-Encoding", "chunked"),
        ("Connection", "keep-alive"),
        ("a b", "1"),
        ("a:", "1"),
        ("", "1"),
        ("a", ""),
        ("a", "1\r\nHost: internal"),
        ("a", "1\n"),
        ("a", " 1"),
        ("a", "é"),
        ("a", "\x00"),
    ],
)
def test_headers_that_cannot_be_given(name: str, value: str) -> None:
    with pytest.raises(ValueError, match="not a header"):
        post("http://127.0.0.1:1/", headers={name: value})


@pytest.mark.parametrize(
    ("status", "delivered"),
    [(200, True), (202, True), (299, True), (300, False), (400, False), (410, False), (429, False), (503, False)],
)
def test_only_2xx_is_a_delivery(status: int, delivered: bool) -> None:
    with serving(saying(b"HTTP/1.1 %d Whatever\r\nContent-Length: 2\r\n\r\nok" % status)) as server:
        outcome = post(server.url())
    assert (outcome.status, outcome.delivered, outcome.error) == (status, delivered, None)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_failures_and_nobody_goes_there(status: int) -> None:
    with serving(saying(NO_CONTENT)) as inner:
        answer = b"HTTP/1.1 %d Elsewhere\r\nLocation: http://127.0.0.1:%d/\r\nContent-Length: 0\r\n\r\n"
        with serving(saying(answer % (status, inner.port))) as outer:
            outcome = post(outer.url())
    assert (outcome.status, outcome.delivered) == (status, False)
    assert (len(outer.requests), inner.connections) == (1, 0)


def test_proxies_and_the_environment_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
        monkeypatch.setenv(name.lower(), "http://127.0.0.1:1")
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATES / "authority.pem"))
    sending._trust.cache_clear()
    with serving(saying(NO_CONTENT)) as server:
        assert post(server.url()).delivered
    with serving(saying(NO_CONTENT), certificate="host.pem") as server:
        assert post(server.url(HOST, "https")).error == "The certificate of the host is not trusted."


def test_cookies_are_not_kept() -> None:
    with serving(saying(b"HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nContent-Length: 0\r\n\r\n")) as server:
        for _ in range(2):
            assert post(server.url()).delivered
    assert len(server.requests) == 2
    assert b"cookie" not in server.requests[1].lower()


# Where it connects to


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:{}/", "http://[::ffff:127.0.0.1]:{}/", "http://hooks.example.test:{}/"]
)
def test_nothing_private_is_connected_to(url: str, only_numbers_are_connected_to: list[tuple[str, int]]) -> None:
    with serving(saying(NO_CONTENT)) as server:
        outcome = post(url.format(server.port), allow_private=False, allow_http=True)
        assert only_numbers_are_connected_to == []
    assert outcome.status is None
    assert outcome.error is not None
    assert "public" in outcome.error
    assert server.connections == 0


def test_a_name_that_changes_its_answer_is_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check sees a public address; a second look-up would lead to the server on loopback."""
    asked: list[str] = []
    connected: list[str] = []

    def rebinding(host: str, port: int, *rest: Any, **named: Any) -> list[Any]:
        asked.append(host)
        address = "93.184.216.34" if len(asked) == 1 else "127.0.0.1"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

    def connect(address: tuple[str, int], *rest: Any) -> socket.socket:
        connected.append(address[0])
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", rebinding)
    monkeypatch.setattr(socket, "create_connection", connect)
    outcome = sending.post(f"https://{HOST}/", {}, BODY, allow_private=False, timeout=LONG)
    assert (asked, connected) == ([HOST], ["93.184.216.34"])
    assert outcome.error == "The host cannot be reached, or it closed the connection."


def test_a_name_that_turns_private_before_the_next_attempt_is_refused(
    only_numbers_are_connected_to: list[tuple[str, int]],
) -> None:
    answers = iter([["10.0.0.1"], ["93.184.216.34", "127.0.0.1"]])
    for _ in range(2):
        outcome = post(f"https://{HOST}/", allow_private=False, lookup=lambda _host, _port: next(answers))
        assert outcome.error == f"{HOST} does not lead to public addresses only."
    assert only_numbers_are_connected_to == []


def test_the_connection_ignores_the_host_it_is_asked_for() -> None:
    deadline = sending._Deadline(time.monotonic() + LONG, time.monotonic)
    with serving(saying(NO_CONTENT)) as server:
        backend = sending._Judged([ip_address("127.0.0.1")], deadline)
        backend.connect_tcp("elsewhere.example", server.port).close()
    assert server.connections == 1


def test_the_next_address_is_tried_where_one_does_not_answer(
    only_numbers_are_connected_to: list[tuple[str, int]],
) -> None:
    with serving(saying(NO_CONTENT)) as server:
        outcome = post(server.url(HOST), lookup=lambda _host, _port: ["127.0.0.2", "::1", "127.0.0.1"])
        tried = [address for address, _ in only_numbers_are_connected_to]
    assert outcome.delivered
    assert tried == ["127.0.0.2", "::1", "127.0.0.1"]


def test_not_all_of_many_addresses_are_tried(
    free_port: int, only_numbers_are_connected_to: list[tuple[str, int]]
) -> None:
    many = [f"127.0.0.{last}" for last in range(2, 200)]
    outcome = post(f"http://{HOST}:{free_port}/", lookup=lambda _host, _port: many)
    assert outcome.error == "The host cannot be reached, or it closed the connection."
    assert [address for address, _ in only_numbers_are_connected_to] == many[: sending.MOST_ADDRESSES]


def test_an_address_that_does_not_answer_leaves_time_for_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    shares: list[float] = []

    def connect(address: tuple[str, int], timeout: float) -> socket.socket:
        shares.append(timeout)
        raise TimeoutError

    monkeypatch.setattr(socket, "create_connection", connect)
    outcome = post(f"http://{HOST}/", lookup=lambda _host, _port: ["10.0.0.1", "10.0.0.2"], timeout=10, clock=lambda: 0)
    assert shares == [5, 10]
    assert outcome == Outcome(None, "The host took too long.", 0)


def test_http_is_not_spoken_unless_allowed(only_numbers_are_connected_to: list[tuple[str, int]]) -> None:
    outcome = sending.post("http://example.org/", {}, BODY, allow_private=False)
    assert (outcome.status, outcome.error) == (None, "Only https is called.")
    assert only_numbers_are_connected_to == []


# TLS


@pytest.fixture(scope="module")
def trusting() -> ssl.SSLContext:
    return ssl.create_default_context(cafile=CERTIFICATES / "authority.pem")


@pytest.mark.parametrize(("host", "sent"), [(HOST, HOST), ("127.0.0.1", None)])
def test_the_certificate_is_verified_for_the_name_and_not_for_the_address(
    trusting: ssl.SSLContext, host: str, sent: str | None
) -> None:
    with serving(saying(NO_CONTENT), certificate="host.pem") as server:
        assert post(server.url(host, "https"), context=trusting).delivered
    assert server.names == [sent]
    assert f"\r\nHost: {host}:{server.port}\r\n".encode() in server.requests[0]


@pytest.mark.parametrize(
    ("host", "certificate", "error"),
    [
        ("other.example.test", "host.pem", "The certificate is not valid for the host."),
        ("localhost", "host.pem", "The certificate is not valid for the host."),
        (HOST, "expired.pem", "The certificate of the host has expired."),
    ],
)
def test_certificates_that_do_not_fit(trusting: ssl.SSLContext, host: str, certificate: str, error: str) -> None:
    with serving(saying(NO_CONTENT), certificate=certificate) as server:
        outcome = post(server.url(host, "https"), context=trusting)
    assert (outcome.status, outcome.error) == (None, error)
    assert server.requests == []


def test_the_certificate_of_one_address_is_none_for_another(
    monkeypatch: pytest.MonkeyPatch, trusting: ssl.SSLContext
) -> None:
    with serving(saying(NO_CONTENT), certificate="host.pem") as server:
        connected = socket.create_connection(("127.0.0.1", server.port), LONG)
        with monkeypatch.context() as patch:
            patch.setattr(socket, "create_connection", lambda *_: connected)
            outcome = post(server.url("127.0.0.2", "https"), context=trusting)
    assert outcome.error == "The certificate is not valid for the host."


def test_authorities_of_nobody_are_not_trusted() -> None:
    with serving(saying(NO_CONTENT), certificate="host.pem") as server:
        outcome = post(server.url(HOST, "https"))
    assert (outcome.status, outcome.error) == (None, "The certificate of the host is not trusted.")
    assert server.requests == []


def test_plain_answers_to_tls(trusting: ssl.SSLContext) -> None:
    # It stays open: hanging up on a greeting that it has not read would take the answer back.
    with serving(dripping(NO_CONTENT, b""), unread=True) as server:
        outcome = post(server.url(HOST, "https"), context=trusting)
    assert outcome.error == "The host does not speak TLS as it should."


# Answers that are slow, endless or broken

HEAD = b"HTTP/1.1 200 OK\r\n"
# A record that says it is a handshake of 16000 bytes, which then come one by one.
ENDLESS_HANDSHAKE = b"\x16\x03\x03\x3e\x80\x02\x00\x3e\x7c"


@pytest.fixture
def ticking(monkeypatch: pytest.MonkeyPatch) -> Callable[[], float]:
    """A clock on which everything that is received takes a second, and nothing else takes any time."""
    received = counting(monkeypatch)
    return lambda: float(len(received))


def test_silence_is_cut_off() -> None:
    with serving(silent) as server:
        outcome = post(server.url(), timeout=SHORT)
    assert (outcome.status, outcome.error) == (None, "The host took too long.")
    assert outcome.seconds < LONG / 3


@pytest.mark.parametrize(
    "answer",
    [dripping(b"", b"HTTP/1.1 100 Continue\r\n\r\n"), dripping(HEAD + b"X: ", b"a"), dripping(b"", b"H")],
    ids=["continue for ever", "a head that grows", "not even a status"],
)
def test_slow_heads_are_cut_off(answer: Answer, ticking: Callable[[], float]) -> None:
    with serving(answer) as server:
        outcome = post(server.url(), timeout=10, clock=ticking)
    assert outcome == Outcome(None, "The host took too long.", 10)


@pytest.mark.parametrize("answer", [silent, dripping(ENDLESS_HANDSHAKE, b"\x00")], ids=["silent", "dripping"])
def test_slow_handshakes_are_cut_off(trusting: ssl.SSLContext, answer: Answer) -> None:
    with serving(answer, unread=True) as server:
        outcome = post(server.url(HOST, "https"), timeout=SHORT, context=trusting)
    assert (outcome.status, outcome.error) == (None, "The host took too long.")
    assert outcome.seconds < LONG / 3


def test_a_host_that_does_not_read_is_cut_off() -> None:
    with serving(silent, unread=True) as server:
        outcome = post(server.url(), body=b"x" * 32_000_000, timeout=SHORT)
    assert (outcome.status, outcome.error) == (None, "The host took too long.")
    assert outcome.seconds < LONG / 3


def test_a_lookup_that_hangs_is_cut_off() -> None:
    with serving(silent) as server:

        def lookup(host: str, port: int) -> list[str]:
            server.stopped.wait(20)
            return ["127.0.0.1"]

        outcome = post(server.url(HOST), lookup=lookup, timeout=SHORT)
        assert server.connections == 0
    assert outcome.error == f"Looking up {HOST} took too long."


def test_time_spent_on_the_lookup_is_not_given_again() -> None:
    now = [0.0]

    def lookup(host: str, port: int) -> list[str]:
        now[0] += 11
        return ["127.0.0.1"]

    with serving(saying(NO_CONTENT)) as server:
        outcome = post(server.url(HOST), lookup=lookup, timeout=10, clock=lambda: now[0])
    assert outcome == Outcome(None, "The host took too long.", 11)
    assert server.connections == 0


@pytest.mark.parametrize("certificate", [None, "host.pem"])
def test_nothing_is_said_any_more_when_connecting_took_all_the_time(
    monkeypatch: pytest.MonkeyPatch, trusting: ssl.SSLContext, certificate: str | None
) -> None:
    now = [0.0]
    real = socket.create_connection

    def connect(*given: Any) -> socket.socket:
        connected = real(*given)
        now[0] = 11
        return connected

    with serving(saying(NO_CONTENT), certificate=certificate) as server:
        monkeypatch.setattr(socket, "create_connection", connect)
        url = server.url(HOST, "https" if certificate else "http")
        outcome = post(url, context=trusting, timeout=10, clock=lambda: now[0])
    assert outcome == Outcome(None, "The host took too long.", 11)
    assert b"".join(server.requests) == b""
    assert server.names == []


@pytest.mark.parametrize(
    "answer",
    [
        dripping(HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\na\r\n"),
        dripping(HEAD + b"Content-Length: 1000000\r\n\r\n", b"a"),
        dripping(HEAD + b"\r\n", b"a"),
    ],
    ids=["chunked", "of a length", "until it closes"],
)
def test_the_status_counts_although_the_rest_is_slow(answer: Answer, ticking: Callable[[], float]) -> None:
    with serving(answer) as server:
        outcome = post(server.url(), timeout=10, clock=ticking)
    assert outcome == Outcome(200, None, 10)
    assert outcome.delivered


@pytest.mark.parametrize(
    "answer",
    [
        flooding(HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1000\r\n" + b"a" * 4096 + b"\r\n"),
        flooding(HEAD + b"Content-Length: 100000000000\r\n\r\n", b"a" * 65536),
        flooding(HEAD + b"Content-Encoding: gzip\r\n\r\n", b"a" * 65536),
    ],
    ids=["chunked", "of a length", "said to be compressed"],
)
def test_the_status_counts_although_the_rest_is_endless(monkeypatch: pytest.MonkeyPatch, answer: Answer) -> None:
    received = counting(monkeypatch)
    with serving(answer) as server:
        outcome = post(server.url())
    assert (outcome.status, outcome.error) == (200, None)
    assert outcome.seconds < LONG / 3
    assert sum(received) == sending.MOST_RECEIVED


@pytest.mark.parametrize(
    "answer",
    [
        flooding(HEAD, b"X: a\r\n" * 1000),
        flooding(HEAD + b"X: ", b"a" * 4096),
        flooding(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 100),
    ],
    ids=["headers", "one header", "continue"],
)
def test_endless_heads_are_cut_off(monkeypatch: pytest.MonkeyPatch, answer: Answer) -> None:
    received = counting(monkeypatch)
    with serving(answer) as server:
        outcome = post(server.url())
    assert (outcome.status, outcome.error) == (None, "The head of the answer is too long.")
    assert sum(received) == sending.MOST_RECEIVED


def counting(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The lengths of all that is received from now on."""
    lengths: list[int] = []
    real = sending._Stream.read

    def read(self: sending._Stream, max_bytes: int, timeout: float | None = None) -> bytes:
        chunk = real(self, max_bytes, timeout)
        lengths.append(len(chunk))
        return chunk

    monkeypatch.setattr(sending._Stream, "read", read)
    return lengths


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"HTTP/1.1 200",
        HEAD,
        HEAD + b"X: 1\r\n",
        b"220 mail.example.org ESMTP\r\n",
        b"HTTP/2 200\r\n\r\n",
        b"HTTP/1.1 2000 OK\r\n\r\n",
        b"HTTP/1.1 OK\r\n\r\n",
        b"HTTP/1.1 999 \xff\r\n: \r\n\r\n",
        HEAD + b"Content-Length: x\r\n\r\n",
        HEAD + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
        HEAD + b"Transfer-Encoding: gzip\r\n\r\n",
        b"\x00" * 100,
        b"\x15\x03\x01\x00\x02\x02\x46",
    ],
)
def test_broken_answers(answer: bytes) -> None:
    with serving(saying(answer)) as server:
        outcome = post(server.url())
    assert (outcome.status, outcome.error) == (None, "The answer is not HTTP, or it broke off.")


@pytest.mark.parametrize(
    "rest",
    [
        b"Content-Length: 10\r\n\r\nabc",
        b"Transfer-Encoding: chunked\r\n\r\nnonsense\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n5\r\nab",
        b"Content-Length: 1\r\n\r\nabc",
    ],
)
def test_the_status_counts_although_the_rest_is_broken(rest: bytes) -> None:
    with serving(saying(HEAD + rest)) as server:
        outcome = post(server.url())
    assert (outcome.status, outcome.error) == (200, None)


def test_an_upgrade_is_no_delivery() -> None:
    answer = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
    with serving(saying(answer)) as server:
        outcome = post(server.url())
    assert not outcome.delivered


def test_nobody_listens(free_port: int) -> None:
    outcome = post(f"http://127.0.0.1:{free_port}/")
    assert (outcome.status, outcome.error) == (None, "The host cannot be reached, or it closed the connection.")


def test_an_answer_before_the_request_is_read_counts() -> None:
    """A server may refuse what is too long for it and hang up. The answer may get lost on the way, but nothing else."""
    with serving(saying(b"HTTP/1.1 413 Too Long\r\nContent-Length: 0\r\n\r\n"), unread=True) as server:
        outcome = post(server.url(), body=b"x" * 8_000_000)
    assert outcome.status in (413, None)
    assert (outcome.status is None) == (outcome.error is not None)


def test_a_failed_write_is_told_to_httpcore_so_that_it_looks_for_an_answer() -> None:
    ours, theirs = socket.socketpair()
    stream = sending._Stream(ours, sending._Deadline(time.monotonic() + LONG, time.monotonic))
    theirs.close()
    with pytest.raises(httpcore.WriteError):
        stream.write(b"x")
    stream.close()


def test_connections_are_closed(monkeypatch: pytest.MonkeyPatch, trusting: ssl.SSLContext) -> None:
    closed: list[bool] = []
    real = sending._Stream.close

    def close(self: sending._Stream) -> None:
        real(self)
        closed.append(self._socket.fileno() == -1)

    monkeypatch.setattr(sending._Stream, "close", close)
    for answer in (NO_CONTENT, b"nonsense\r\n\r\n", HEAD + b"Content-Length: 9\r\n\r\n"):
        closed.clear()
        with serving(saying(answer)) as server:
            post(server.url())
        assert closed
        assert all(closed)
    closed.clear()
    with serving(saying(NO_CONTENT), certificate="host.pem") as server:
        post(server.url("other.example.test", "https"), context=trusting)
    assert closed == [True]


SECRET = "s3cretpath"


@pytest.mark.parametrize(
    "answer",
    [b"", f"HTTP/1.1 200 {SECRET}\r\nX\r\n\r\n".encode(), f"{SECRET}\r\n\r\n".encode(), b"HTTP/1.1 500 x\r\n\r\n"],
)
def test_no_error_tells_what_was_sent_or_received(answer: bytes) -> None:
    with serving(saying(answer)) as server:
        outcome = post(
            server.url(path=f"/{SECRET}?{SECRET}"), headers={"webhook-signature": SECRET}, body=SECRET.encode()
        )
    assert SECRET not in repr(outcome)
    assert "127.0.0.1" not in repr(outcome)


@pytest.mark.parametrize(
    "url", [f"https://u:{SECRET}@example.org/", f"https://example.org/{SECRET} ", f"https://example.org/#{SECRET}"]
)
def test_no_error_tells_a_url(url: str) -> None:
    outcome = post(url)
    assert outcome.error is not None
    assert SECRET not in repr(outcome)
