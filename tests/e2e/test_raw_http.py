"""Bytes sent at the running server that no client library would send: what would desynchronise a proxy is refused and
the connection closed, and no answer carries anything of the request but a well-formed id."""

from __future__ import annotations

import json
import socket
from typing import NamedTuple

import pytest

from tests.api_document import api_document

HERE = b"Host: here.example\r\n"
PLAYER = b'{"name":"x"}'
POST = b"POST /v1/players HTTP/1.1\r\n" + HERE + b"Content-Type: application/json\r\n"
HEALTH = b"GET /healthz HTTP/1.1\r\n" + HERE + b"\r\n"
LENGTH = b"Content-Length: 12\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def code(self) -> str:
        assert self.headers["content-type"] == "application/problem+json"
        body = json.loads(self.body)
        assert body["status"] == self.status
        assert body["request_id"] == self.headers["x-request-id"]
        return str(body["code"])


class Line:
    """One connection; answers are read by their Content-Length, so that a second one would be noticed."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        self.file = self.socket.makefile("rb")

    def send(self, raw: bytes) -> None:
        self.socket.sendall(raw)

    def answer(self, head: bool = False) -> Answer:
        status = self.file.readline().split()
        headers: dict[str, str] = {}
        while line := self.file.readline().rstrip(b"\r\n").decode("latin-1"):
            name, _, value = line.partition(": ")
            assert name.lower() not in headers, f"{name} occurs twice"
            headers[name.lower()] = value
        length = 0 if head else int(headers.get("content-length", 0))
        return Answer(int(status[1]), headers, self.file.read(length))

    def ended(self) -> bool:
        """Whether the server has closed the connection, and has sent nothing more."""
        try:
            return self.file.read(1) == b""
        except ConnectionResetError:
            return True

    def close(self) -> None:
        self.file.close()
        self.socket.close()


@pytest.fixture
def line(port: int) -> Line:
    return Line(port)


AMBIGUOUS = {
    "length-and-chunked": POST + LENGTH + CHUNKED + b"\r\n0\r\n\r\n",
    "chunked-and-length": POST + CHUNKED + LENGTH + b"\r\n0\r\n\r\n",
    "two-lengths": POST + LENGTH + b"Content-Length: 5\r\n\r\n" + PLAYER,
    "two-equal-lengths": POST + LENGTH + LENGTH + b"\r\n" + PLAYER,
    "list-of-lengths": POST + b"Content-Length: 12, 12\r\n\r\n" + PLAYER,
    "signed-length": POST + b"Content-Length: +12\r\n\r\n" + PLAYER,
    "negative-length": POST + b"Content-Length: -1\r\n\r\n" + PLAYER,
    "hexadecimal-length": POST + b"Content-Length: 0xc\r\n\r\n" + PLAYER,
    "underscored-length": POST + b"Content-Length: 1_2\r\n\r\n" + PLAYER,
    "unknown-coding": POST + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "chunked-twice": POST + CHUNKED + CHUNKED + b"\r\n0\r\n\r\n",
    "chunked-not-last": POST + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    "chunked-in-1.0": POST.replace(b"HTTP/1.1", b"HTTP/1.0") + CHUNKED + b"\r\n0\r\n\r\n",
    "blank-before-colon": POST + b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
    "vertical-tab": POST + b"Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n",
    "folded-header": POST + b"X-A: a\r\n Transfer-Encoding: chunked\r\n" + LENGTH + b"\r\n" + PLAYER,
    "bare-line-feeds": HEALTH.replace(b"\r\n", b"\n"),
    "one-bare-line-feed": b"GET /healthz HTTP/1.1\r\n" + HERE + b"X-A: a\nContent-Length: 3\r\n\r\nabc",
    "bare-carriage-return": b"GET /healthz HTTP/1.1\r\n" + HERE + b"X-A: a\rb\r\n\r\n",
    "nul-in-header": b"GET /healthz HTTP/1.1\r\n" + HERE + b"X-A: a\0b\r\n\r\n",
    "two-hosts": b"GET /healthz HTTP/1.1\r\n" + HERE + HERE + b"\r\n",
    "chunk-size-of-letters": POST + CHUNKED + b"\r\nzz\r\nabc\r\n0\r\n\r\n",
    "negative-chunk": POST + CHUNKED + b"\r\n-1\r\nabc\r\n0\r\n\r\n",
    "chunk-longer-than-it-says": POST + CHUNKED + b"\r\n3\r\nabcdef\r\n0\r\n\r\n",
    "unknown-expectation": POST + b"Expect: a miracle\r\n" + LENGTH + b"\r\n" + PLAYER,
    "http-2": b"GET /healthz HTTP/2.0\r\n" + HERE + b"\r\n",
    "http-2-preface": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "no-version": b"GET /healthz\r\n" + HERE + b"\r\n",
    "blank-in-target": b"GET /healthz x HTTP/1.1\r\n" + HERE + b"\r\n",
    "relative-target": b"GET healthz HTTP/1.1\r\n" + HERE + b"\r\n",
    "asterisk": b"GET * HTTP/1.1\r\n" + HERE + b"\r\n",
    "bytes-in-target": b"GET /v1/games/\xc3\xa9 HTTP/1.1\r\n" + HERE + b"\r\n",
    "bytes-in-query": b"GET /v1/games?status=\xff HTTP/1.1\r\n" + HERE + b"\r\n",
    "lower-case-method": b"get /healthz HTTP/1.1\r\n" + HERE + b"\r\n",
    "markup-in-method": b"<b> /healthz HTTP/1.1\r\n" + HERE + b"\r\n",
    "endless-method": b"A" * 300 + b" /healthz HTTP/1.1\r\n" + HERE + b"\r\n",
}


@pytest.mark.parametrize("raw", AMBIGUOUS.values(), ids=AMBIGUOUS)
def test_what_could_be_read_in_two_ways_is_refused_and_the_connection_closed(line: Line, raw: bytes) -> None:
    """So that the request that follows it is never taken for part of it, nor the other way round."""
    line.send(raw + HEALTH)
    answer = line.answer()
    assert answer.status == 400
    assert answer.code == "malformed_request"
    assert answer.headers["connection"] == "close"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-store"
    assert b"xchunked" not in answer.body
    assert b"<b>" not in answer.body
    assert line.ended()
    line.close()


@pytest.mark.parametrize(
    ("raw", "status", "code"),
    [
        (b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n" + HERE + b"\r\n", 414, "address_too_long"),
        (HEALTH[:-2] + b"X-A: " + b"a" * 9000 + b"\r\n\r\n", 431, "headers_too_large"),
        (HEALTH[:-2] + b"".join(b"X-%d: a\r\n" % n for n in range(120)) + b"\r\n", 431, "headers_too_large"),
    ],
    ids=["address", "long-header", "many-headers"],
)
def test_too_much_before_the_body(line: Line, raw: bytes, status: int, code: str) -> None:
    line.send(raw)
    answer = line.answer()
    assert (answer.status, answer.code) == (status, code)
    line.close()


def test_what_is_allowed_is_not_refused(line: Line) -> None:
    """The longest header, chunks with an extension, and several requests sent at once keep their order."""
    line.send(HEALTH[:-2] + b"X-A: " + b"a" * 8000 + b"\r\n\r\n")
    line.send(POST + CHUNKED + b"\r\nc;a=b\r\n" + PLAYER + b"\r\n0\r\n\r\n" + HEALTH + POST + LENGTH + b"\r\n" + PLAYER)
    assert [line.answer().status for _ in range(4)] == [200, 201, 200, 201]
    line.close()


def test_a_body_that_nobody_asked_for_is_no_request(line: Line) -> None:
    """Neither that of a GET nor that of a call that is refused before its body is looked at."""
    line.send(HEALTH[:-2] + b"Content-Length: %d\r\n\r\n" % len(HEALTH) + HEALTH)
    line.send(POST + b"Content-Length: 70000\r\n\r\n" + (HEALTH * 2000)[:70000])
    line.send(b"GET /v1/nowhere HTTP/1.1\r\n" + HERE + b"\r\n")
    assert [line.answer().status for _ in range(3)] == [200, 413, 404]
    line.close()


@pytest.mark.parametrize(
    "host", [None, "", "a/b", "a b", "a@b", "a?b", "a#b", "a\\b", "<b>", "a:b", "a:80:80", "[::1", "a" * 300, "é"]
)
def test_no_host_or_none_that_could_be_one(line: Line, host: str | None) -> None:
    """Links that are given out may begin with it."""
    named = b"" if host is None else b"Host: " + host.encode() + b"\r\n"
    line.send(b"GET /healthz HTTP/1.1\r\n" + named + b"\r\n")
    assert line.answer().code == "malformed_request"
    line.close()


def test_an_address_without_a_path_is_the_root(line: Line) -> None:
    """As it may be written to a proxy; nobody is sent to the name that they gave themselves."""
    line.send(b"GET http://here.example HTTP/1.1\r\n" + HERE + b"\r\n")
    answer = line.answer()
    assert answer.status == 200
    assert "location" not in answer.headers
    line.close()


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8000", "games.example.org", "a_b-c", "[::1]:8000", "[::1]"])
def test_every_host_that_could_be_one(line: Line, host: str) -> None:
    line.send(b"GET /healthz HTTP/1.1\r\nHost: " + host.encode() + b"\r\n\r\n")
    assert line.answer().status == 200
    line.send(b"GET /healthz HTTP/1.0\r\n\r\n")
    assert line.answer().status == 200, "HTTP/1.0 has no such header"
    line.close()


def test_an_absolute_address_is_its_path(line: Line) -> None:
    line.send(b"GET http://elsewhere.example/healthz HTTP/1.1\r\n" + HERE + b"\r\n")
    assert line.answer().status == 200
    line.send(b"GET http://elsewhere.example/v1/nowhere HTTP/1.1\r\n" + HERE + b"\r\n")
    answer = line.answer()
    assert answer.code == "not_found"
    assert b"elsewhere" not in answer.body
    line.close()


@pytest.mark.parametrize("method", ["BREW", "CONNECT", "TRACE", "PROPFIND", "PRI", "A-B"])
def test_unknown_methods(line: Line, method: str) -> None:
    line.send(f"{method} /v1/games HTTP/1.1\r\n".encode() + HERE + b"X-Secret: swordfish\r\n\r\n")
    answer = line.answer()
    assert (answer.status, answer.code) == (405, "method_not_allowed")
    assert b"swordfish" not in answer.body, "TRACE would give headers back"
    assert "GET" in answer.headers["allow"]
    line.close()


@pytest.mark.parametrize(
    "given", ["a%0d%0aSet-Cookie:%20a=b", "a\tb", "a b", "a;b", 'a"b', "a,b", "é", "a" * 129, "<script>", "${a}"]
)
def test_an_id_that_could_be_more_than_an_id_is_not_given_back(line: Line, given: str) -> None:
    line.send(b"GET /v1/nowhere HTTP/1.1\r\n" + HERE + b"X-Request-ID: " + given.encode() + b"\r\n\r\n")
    answer = line.answer()
    assert answer.code == "not_found"
    assert answer.headers["x-request-id"] != given
    assert "set-cookie" not in answer.headers
    line.close()


@pytest.mark.parametrize(
    "target",
    [
        "/v1/games/%0d%0aSet-Cookie:%20a=b",
        "/v1/rulesets/%0d%0aSet-Cookie:%20a=b",
        "/v1/rulesets/%ed%a0%80",
        "/v1/rulesets/%e2%80%ae%ff",
        "/v1/rulesets/%F0%9F%9B%A1",
        "/v1/rulesets/..%2f..%2fpyproject.toml",
        "/v1/rulesets/../../pyproject.toml",
        "/v1/rulesets/eketorp/../../me",
        "/docs/../../etc/passwd",
        "/docs/%2e%2e/docs.py",
        "/docs/..%2f..%2fpyproject.toml",
        "/docs//etc/passwd",
        "/docs/index",
        "/problems/../healthz",
        "/problems/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        "/problems/..%5c..%5cetc",
        "/problems/not_found%00.html",
        "/static/../service/holmgang/config.py",
        "/web/../files.py",
        "/web/%2e%2e/files.py",
        "/web/..%2f..%2fconfig.py",
        "/web/..%5cfiles.py",
        "/web//etc/passwd",
        "/web/%2fetc%2fpasswd",
        "/web/",
        "/games/..%2f..%2fetc",
        "/openapi.json/../healthz",
        "//elsewhere.example/healthz",
        "/%2f%2felsewhere.example",
        "/v1/games%2f..%2fme",
        "/.git/config",
        "/.env",
    ],
)
def test_addresses_lead_nowhere_but_to_what_is_there(line: Line, target: str) -> None:
    line.send(b"GET " + target.encode() + b" HTTP/1.1\r\n" + HERE + b"\r\n")
    answer = line.answer()
    assert answer.status in (400, 404)
    assert answer.code in ("malformed_request", "not_found")
    assert "location" not in answer.headers
    assert "set-cookie" not in answer.headers
    line.close()


PAGES = ("/docs", "/problems", "/problems/not_found", "/web/index.html", "/games/{game}")
READS = sorted(path for path, verbs in api_document()["paths"].items() if "get" in verbs)


@pytest.mark.parametrize("path", [*READS, *PAGES])
def test_head_of_everything_that_can_be_read(line: Line, path: str) -> None:
    """The same status and headers as GET, and no body that the next answer would begin with."""
    for name, value in {"game": "019a0c5f-ff00-7d20-8a70-0f4be9c3d1ff", "ruleset": "claim"}.items():
        path = path.replace("{" + name + "}", value)
    target = path.replace("{number}", "1").replace("{seat}", "0").split("{")[0].encode()
    line.send(b"GET " + target + b" HTTP/1.1\r\n" + HERE + b"\r\n")
    got = line.answer()
    line.send(b"HEAD " + target + b" HTTP/1.1\r\n" + HERE + b"\r\n" + HEALTH)
    head = line.answer(head=True)
    assert line.answer().body == b'{"status":"ok"}'
    assert head.status == got.status
    differing = {"x-request-id", "date", "ratelimit"}
    assert {k: v for k, v in head.headers.items() if k not in differing} == {
        k: v for k, v in got.headers.items() if k not in differing
    }
    line.close()


def test_who_forwards_is_not_believed_unless_trusted(line: Line) -> None:
    """Neither for the address that is counted nor for links."""
    spoofed = b"X-Forwarded-For: 192.0.2.%d\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Host: elsewhere.example\r\n"
    left = []
    for n in range(2):
        line.send(b"GET /v1/rulesets HTTP/1.1\r\n" + HERE + spoofed % n + b"Script-Name: /v1\r\n\r\n")
        answer = line.answer()
        assert b"elsewhere" not in answer.body
        left.append(answer.headers["ratelimit"].split(";")[1])
    assert int(left[0][2:]) - int(left[1][2:]) == 1
    line.close()
