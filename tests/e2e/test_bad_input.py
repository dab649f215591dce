"""Bad input over a real connection, where bodies are streams: what a test client cannot send."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse

import pytest


@contextmanager
def talking(port: int) -> Iterator[HTTPConnection]:
    connection = HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        yield connection
    finally:
        connection.close()


def problem(answer: HTTPResponse, status: int, code: str) -> None:
    body = json.loads(answer.read())
    assert (answer.status, body["code"]) == (status, code)
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.headers["X-Request-ID"] == body["request_id"]


def test_five_megabytes_are_refused_before_they_are_sent(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=20) as line:
        line.sendall(
            b"POST /v1/players HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\n"
            b'Content-Length: 5000000\r\n\r\n{"name": "'
        )
        answer = HTTPResponse(line)
        answer.begin()
        problem(answer, 413, "payload_too_large")


def test_a_chunked_body_has_the_same_limit(port: int) -> None:
    def chunks(size: int) -> Iterator[bytes]:
        yield b'{"name": "x"'
        for _ in range(size):
            yield b" " * 1024
        yield b"}"

    with talking(port) as connection:
        headers = {"Content-Type": "application/json"}
        connection.request("POST", "/v1/players", chunks(60), headers, encode_chunked=True)
        answer = connection.getresponse()
        assert answer.status == 201
        answer.read()
    with talking(port) as connection:
        connection.request("POST", "/v1/players", chunks(65), headers, encode_chunked=True)
        problem(connection.getresponse(), 413, "payload_too_large")


@pytest.mark.parametrize(
    ("target", "status", "code"),
    [
        ("/v1/games?status=%00", 400, "malformed_request"),
        ("/v1/games/%00", 400, "malformed_request"),
        ("/v1/games/%ff", 404, "not_found"),
        ("/v1/games/../../etc/passwd", 404, "not_found"),
        ("//v1//games", 404, "not_found"),
        ("/v1/games/" + "9" * 5000, 404, "not_found"),
        ("/v1/games/019a0c52-3f00-7d13-8a62-0f4be9c3d103/combats/" + "9" * 5000, 404, "not_found"),
    ],
)
def test_odd_addresses(port: int, target: str, status: int, code: str) -> None:
    with talking(port) as connection:
        connection.request("GET", target)
        problem(connection.getresponse(), status, code)


def test_the_connection_lives_on_after_refusals(port: int) -> None:
    with talking(port) as connection:
        for _ in range(3):
            connection.request("POST", "/v1/players", b"{", {"Content-Type": "application/json"})
            problem(connection.getresponse(), 400, "malformed_request")
            connection.request("POST", "/v1/players", b"x", {"Content-Type": "text/plain"})
            problem(connection.getresponse(), 415, "unsupported_media_type")
            connection.request("HEAD", "/v1/nowhere")
            answer = connection.getresponse()
            assert (answer.status, answer.read()) == (404, b"")
            connection.request("OPTIONS", "/v1/games", headers={"Access-Control-Request-Method": "POST"})
            answer = connection.getresponse()
            assert (answer.status, answer.read()) == (204, b"")
            connection.request("GET", "/healthz")
            assert json.loads(connection.getresponse().read()) == {"status": "ok"}
