"""The proxy of the deployment before servers that write down what comes, and when."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from bench.deployment import REPLICAS, Part, caddy, missing_programs
from holmgang.config import Settings

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif("caddy" in missing_programs(), reason="needs caddy: apt-get install caddy"),
]

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"


class Replica:
    """Answers every request; `bodies` holds what has come of those that have one, from their first byte on."""

    def __init__(self) -> None:
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self.listening.getsockname()[1])
        self.bodies: list[bytearray] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self.listening.accept()
            except OSError:  # closed
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, connection.makefile("rb") as stream:
            method = stream.readline().partition(b" ")[0]
            head = dict(line.lower().rstrip().split(b": ", 1) for line in iter(stream.readline, b"\r\n"))
            if method == b"POST":
                body = bytearray()
                self.bodies.append(body)
                while len(body) < int(head[b"content-length"]) and (part := stream.read1()):
                    body += part
            connection.sendall(ANSWER)


@contextmanager
def proxied(folder: Path) -> Iterator[tuple[Part, list[Replica]]]:
    replicas = [Replica() for _ in REPLICAS]
    proxy = caddy(folder, dict(zip(REPLICAS, (each.port for each in replicas), strict=True)))
    try:
        yield proxy.ready(), replicas
    finally:
        proxy.stop()
        for each in replicas:
            each.listening.close()


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[tuple[Part, list[Replica]]]:
    with proxied(tmp_path) as running:
        yield running


def test_a_body_that_comes_slowly_is_passed_on_at_once_when_it_is_whole(proxy: tuple[Part, list[Replica]]) -> None:
    part, replicas = proxy
    size = Settings().max_body_bytes
    with socket.create_connection(("127.0.0.1", part.port or 0), timeout=30) as sender:
        sender.sendall(
            f"POST /v1/players HTTP/1.1\r\nHost: 127.0.0.1:{part.port}\r\nContent-Length: {size}\r\n\r\n".encode()
        )
        for _ in range(4):
            sender.sendall(b"x" * (size // 4 - 1))
            for _ in range(3):  # the proxy is not stuck meanwhile, and does what comes after
                assert httpx.get(f"http://127.0.0.1:{part.port}/v1/rulesets", timeout=30).json() == {}
            assert not any(replica.bodies for replica in replicas)
        sender.sendall(b"x" * 4)
        assert sender.recv(65536).startswith(b"HTTP/1.1 200")
    assert [len(body) for replica in replicas for body in replica.bodies] == [size]


def test_a_body_that_never_gets_whole_leaves_no_connection_to_a_replica(proxy: tuple[Part, list[Replica]]) -> None:
    part, replicas = proxy
    with socket.create_connection(("127.0.0.1", part.port or 0), timeout=30) as sender:
        sender.sendall(
            f"POST /v1/players HTTP/1.1\r\nHost: 127.0.0.1:{part.port}\r\nContent-Length: 99\r\n\r\nxx".encode()
        )
        assert httpx.get(f"http://127.0.0.1:{part.port}/v1/rulesets", timeout=30).json() == {}
        assert not any(replica.bodies for replica in replicas)


@pytest.mark.parametrize("path", ["/metrics", "/readyz", "//readyz", "/%72eadyz", "/READYZ", "/readyz?x=1"])
def test_what_is_for_those_inside_is_kept_back(proxy: tuple[Part, list[Replica]], path: str) -> None:
    part, _ = proxy
    answer = httpx.get(f"http://127.0.0.1:{part.port}{path}", timeout=30)
    assert answer.status_code == 404
    assert httpx.get(f"http://127.0.0.1:{part.port}/healthz", timeout=30).status_code == 200
