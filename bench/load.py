"""A load generator: many kept connections driven by one thread, each going through a script of requests."""

from __future__ import annotations

import selectors
import socket
import time
from collections import Counter
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field

Script = Generator[bytes, int, None]
"""Yields whole requests and is sent the status of each answer; the connection closes when it ends."""


def request(method: str, path: str, *, body: bytes = b"", **headers: str) -> bytes:
    """The bytes of a request; header names come with `_` for `-`."""
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + body


@dataclass
class Outcome:
    """What a run gave: answers by status, seconds, and the seconds each answer took."""

    statuses: Counter[int] = field(default_factory=Counter)
    seconds: float = 0.0
    latencies: list[float] = field(default_factory=list)

    @property
    def per_second(self) -> float:
        return sum(self.statuses.values()) / self.seconds

    def quantile(self, share: float) -> float:
        ranked = sorted(self.latencies)
        return ranked[min(len(ranked) - 1, int(share * len(ranked)))]


@dataclass
class _Line:
    script: Script
    socket: socket.socket
    sent_at: float = 0.0
    received: bytearray = field(default_factory=bytearray)

    def send(self, data: bytes) -> None:
        self.sent_at = time.perf_counter()
        self.socket.sendall(data)

    def answer(self) -> int | None:
        """The status of a whole answer; None while some of it is missing."""
        end = self.received.find(b"\r\n\r\n")
        if end < 0:
            return None
        head = bytes(self.received[:end]).lower()
        status = int(head[9:12])
        length = 0
        at = head.find(b"content-length:")
        if at >= 0 and status != 304:
            length = int(head[at + 15 :].split(b"\r\n", 1)[0])
        if len(self.received) < end + 4 + length:
            return None
        del self.received[: end + 4 + length]
        return status


def drive(port: int, scripts: Iterable[Script], seconds: float) -> Outcome:
    """Run every script on a connection of its own to 127.0.0.1 until `seconds` are over or all have ended."""
    selector = selectors.DefaultSelector()
    outcome = Outcome()
    started = time.perf_counter()
    deadline = started + seconds
    for script in scripts:
        line = _Line(script, socket.create_connection(("127.0.0.1", port)))
        line.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        selector.register(line.socket, selectors.EVENT_READ, line)
        line.send(next(script))
    while selector.get_map() and time.perf_counter() < deadline:
        for key, _ in selector.select(timeout=0.5):
            line = key.data
            chunk = line.socket.recv(65536)
            if not chunk:
                raise ConnectionError("the server closed a connection in the middle of a run")
            line.received += chunk
            status = line.answer()
            if status is None:
                continue
            outcome.statuses[status] += 1
            outcome.latencies.append(time.perf_counter() - line.sent_at)
            try:
                line.send(line.script.send(status))
            except StopIteration:
                selector.unregister(line.socket)
                line.socket.close()
    outcome.seconds = time.perf_counter() - started
    for key in list(selector.get_map().values()):
        key.data.socket.close()
    selector.close()
    return outcome
