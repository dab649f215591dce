"""One caller beside others at the running server: how many connections they may have, and for what."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator

import pytest

from bench import fairness
from tests.e2e.running import Running, serving

CONNECTIONS = 12


@pytest.fixture(scope="module")
def small() -> Iterator[Running]:
    with serving(WORKERS="1", CONNECTIONS=str(CONNECTIONS)) as service:
        yield service


def ask(service: Running, address: str) -> tuple[socket.socket, bytes]:
    """A connection from an address of this machine that is kept open, and what it was answered."""
    opened = socket.create_connection(("127.0.0.1", service.port), timeout=20, source_address=(address, 0))
    opened.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    answer = b""
    while b"}" not in answer and (part := opened.recv(65536)):
        answer += part
    return opened, answer


@pytest.mark.slow
def test_one_network_leaves_connections_to_others(small: Running) -> None:
    kept: list[socket.socket] = []
    try:
        statuses = []
        for _ in range(CONNECTIONS):
            opened, answer = ask(small, "127.0.0.1")
            kept.append(opened)
            statuses.append(int(answer[9:12]))
        most = CONNECTIONS // 2
        assert sorted(statuses) == [200] * most + [429] * (CONNECTIONS - most)
        head, _, body = answer.partition(b"\r\n\r\n")
        assert json.loads(body)["code"] == "too_many_requests"
        assert b"\r\nRetry-After: 1\r\n" in head
        assert b"\r\nConnection: close\r\n" in head
        opened, answer = ask(small, "127.0.0.2")
        kept.append(opened)
        assert answer.startswith(b"HTTP/1.1 200")
    finally:
        for each in kept:
            each.close()


KINDS = [
    "view?at=",
    "board.svg?at=",
    "board.svg",
    "record",
    "games",
    "me/games",
    "leaderboard",
    "events",
    "dry run",
    "healthz",
    "view?at=, without a token",
    "view?at=, as if it were a poll",
    "view?at=, made-up tokens",
    "view?at=, 200 tokens of one player",
    "view, by a tag that is none",
]


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_others_hardly_notice_an_attacker(kind: str) -> None:
    """Three times as long at most, of a hundred all but the slowest; and some milliseconds, for a machine that others
    use."""
    row = fairness.measure(6.0, 3, kind)[kind]
    assert row["requests"] > 1000
    assert not row["others_refused"]
    assert row["p99_ms"] <= 3 * row["p99_ms_without"] + 10, row
    if "=" in kind and "made-up" not in kind:
        assert row["attacker"][429] > 100, row
