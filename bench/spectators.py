"""A thousand spectators of one game beside a thousand single views, by the CPU time of the service and of Postgres.

Each spectator has a token of their own. They watch a stream of events, or wait for the next turn with its view, and
each move is news for all of them. The single views are of 250 games, for each of their four seats.
"""

from __future__ import annotations

import json
import random
import selectors
import socket
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psutil

from bench.deployment import free_port
from bench.http import SEATS, UNLIMITED, Table, set_tables
from bench.load import Script, drive, request
from bench.waiting import serving
from holmgang.app.accounts.players import register
from holmgang.store.database import PostgresStore
from holmgang.store.embedded import EmbeddedPostgres
from holmgang.store.migrate import upgrade

SPECTATORS = 1000
CONNECTIONS = 32
QUIET_SECONDS, QUIET_CPU = 0.5, 0.02
"""Everybody waits once the service has used less than that in so long."""


class _Spectator:
    """One kept connection, on which a stream runs or a request waits."""

    def __init__(self, port: int, token: str) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.token = token
        self.received = b""
        self.tag: str | None = None

    def send(self, path: str, **headers: Any) -> None:
        self.received = b""
        self.socket.sendall(request("GET", path, Authorization=f"Bearer {self.token}", **headers))

    def hear(self) -> None:
        chunk = self.socket.recv(1 << 18)
        if not chunk:
            raise ConnectionError(f"the server closed a connection after {self.received[:300]!r}")
        self.received += chunk

    @property
    def answered(self) -> bool:
        """Whether a whole answer has come. Its tag is noted."""
        head, found, body = self.received.partition(b"\r\n\r\n")
        if not found:
            return False
        headers = dict(line.split(b": ", 1) for line in head.split(b"\r\n")[1:])
        if len(body) < int(headers[b"Content-Length"]):
            return False
        assert head.startswith(b"HTTP/1.1 200"), head
        self.tag = headers[b"ETag"].decode()
        return True

    @property
    def told(self) -> bool:
        """Whether an event has come on the stream."""
        return b"\ndata: " in self.received


class _Crowd:
    """Everybody who watches one game, and who moves in it."""

    def __init__(self, port: int, table: Table, tokens: list[str], family: list[psutil.Process]) -> None:
        self.port, self.table, self.family = port, table, family
        self.everybody = [_Spectator(port, token) for token in tokens]
        self.selector = selectors.DefaultSelector()
        for each in self.everybody:
            self.selector.register(each.socket, selectors.EVENT_READ, each)
        self.moves = iter(table.moves)

    def close(self) -> None:
        self.selector.close()
        for each in self.everybody:
            each.socket.close()

    def hear(self, done: str) -> None:
        """Until everybody has heard."""
        left = set(self.everybody)
        deadline = time.monotonic() + 60
        while left:
            if time.monotonic() > deadline:
                raise RuntimeError(f"{len(left)} spectators have heard nothing")
            for key, _ in self.selector.select(timeout=1.0):
                key.data.hear()
                if getattr(key.data, done):
                    left.discard(key.data)

    def move(self) -> None:
        seat, turn, action = next(self.moves)
        body = json.dumps({"turn": turn, "action": action}).encode()
        path, token = f"/v1/games/{self.table.game}/submissions", self.table.tokens[seat]
        made = drive(self.port, [iter_once(request("POST", path, body=body, Authorization=f"Bearer {token}"))], 30)
        assert made.statuses == {201: 1}, made.statuses

    def quiet(self) -> None:
        before = cpu_of(self.family)
        while True:
            time.sleep(QUIET_SECONDS)
            now = cpu_of(self.family)
            if now - before < QUIET_CPU:
                return
            before = now

    def streams(self, news: int) -> float:
        """Seconds of CPU that one move's news take on all streams."""
        for each in self.everybody:
            each.send(f"/v1/games/{self.table.game}/events", Accept="text/event-stream")
        self.hear("told")
        self.quiet()
        spent = 0.0
        for _ in range(news):
            for each in self.everybody:
                each.received = b""
            before = cpu_of(self.family)
            self.move()
            self.hear("told")
            spent += cpu_of(self.family) - before
        return spent / news

    def waits(self, news: int) -> tuple[float, float]:
        """The same of requests that wait: seconds for the news, and for asking again."""
        path = f"/v1/games/{self.table.game}/turn?include=view"
        for each in self.everybody:
            each.send(path)
        self.hear("answered")
        spent = again = 0.0
        for _ in range(news):
            before = cpu_of(self.family)
            for each in self.everybody:
                each.send(f"{path}&wait=50", If_None_Match=str(each.tag))
            self.quiet()
            middle = cpu_of(self.family)
            self.move()
            self.hear("answered")
            spent += cpu_of(self.family) - middle
            again += middle - before
        return spent / news, again / news


def iter_once(asked: bytes) -> Script:
    yield asked


def _single_views(port: int, tables: list[Table], family: list[psutil.Process]) -> float:
    """Seconds of CPU of a thousand views, each another seat's or another game's."""
    asked = [
        request("GET", f"/v1/games/{table.game}/view", Authorization=f"Bearer {token}")
        for table in tables
        for token in table.tokens
    ]

    def ask(views: list[bytes]) -> Script:
        for view in views:
            status = yield view
            assert status == 200, status

    before = cpu_of(family)
    drive(port, [ask(asked[n::CONNECTIONS]) for n in range(CONNECTIONS)], 60)
    return (cpu_of(family) - before) / len(asked) * SPECTATORS


def cpu_of(roots: list[psutil.Process]) -> float:
    """Seconds of CPU of processes and their children so far."""
    times = [each.cpu_times() for root in roots for each in (root, *root.children(recursive=True))]
    return sum(each.user + each.system for each in times)


def measure(rounds: int, news: int = 10, games: int = SPECTATORS // SEATS) -> dict[str, Any]:
    """Milliseconds of CPU of each, medians of the rounds, and their ratios to the single views."""
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # as root, Postgres runs as another user
        with EmbeddedPostgres(Path(folder)) as postgres:
            upgrade(postgres.url)
            store = PostgresStore(postgres.url, pool_size=2)
            tables = set_tables(store, games, random.Random(4))
            watched = set_tables(store, 2 * rounds, random.Random(5), turns=2 * news)
            with store.transaction() as t:
                tokens = [register(t, f"spectator {number}")[2] for number in range(SPECTATORS)]
            store.close()
            postmaster = postgres.postmaster()
            assert postmaster is not None
            port = free_port()
            with serving(postgres.url, port, **UNLIMITED, RATE_LIMIT_POLLS="1000000") as server:
                family = [psutil.Process(server.pid), postmaster]
                return _measured(port, tables, watched, tokens, family, news)


def _measured(
    port: int, tables: list[Table], watched: list[Table], tokens: list[str], family: list[psutil.Process], news: int
) -> dict[str, Any]:
    _single_views(port, tables, family)  # what is made once is made
    runs = []
    for streamed, waited in zip(watched[::2], watched[1::2], strict=True):
        single = _single_views(port, tables, family)
        crowd = _Crowd(port, streamed, tokens, family)
        streams = crowd.streams(news)
        crowd.close()
        crowd = _Crowd(port, waited, tokens, family)
        waits, again = crowd.waits(news)
        crowd.close()
        runs.append((single, streams, waits, again))
    single, streams, waits, again = (sorted(each)[len(runs) // 2] for each in zip(*runs, strict=True))
    return {
        "spectators": SPECTATORS,
        "single_views_cpu_ms": round(single * 1000),
        "news_on_streams_cpu_ms": round(streams * 1000),
        "news_to_waiting_cpu_ms": round(waits * 1000),
        "asking_again_cpu_ms": round(again * 1000),
        "streams_ratio": round(streams / single, 3),
        "waiting_ratio": round(waits / single, 3),
        "waiting_ratio_with_asking_again": round((waits + again) / single, 3),
    }
