"""A thousand waiting clients on one `holmgang serve`: how late they hear of a move, what they cost others, and memory.

Every seat of 250 games keeps one request waiting for its game's next change; 50 moves a second wake those of a game
each. The time of a wake-up runs from just before the move's commit (the database's clock, as the receipt tells it) to
the waiter's whole answer. Another process polls with tags meanwhile, as fast as it can, and did so before without.
"""

from __future__ import annotations

import http.client
import json
import math
import multiprocessing
import os
import random
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.http import SEATS, Table, poll_script, set_tables
from bench.load import drive, request
from holmgang.store.database import PostgresStore
from holmgang.store.embedded import EmbeddedPostgres
from holmgang.store.migrate import upgrade

PORT = 8803
GAMES = 250
MOVES_A_SECOND = 50
POLLERS = 16
WAIT = 30


class _Client:
    """One kept connection. `game` is the table that it waits at; None for those that move."""

    def __init__(self, game: int | None, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.game = game
        self.busy = False
        self.received = bytearray()

    def send(self, data: bytes) -> None:
        self.busy = True
        self.socket.sendall(data)

    def answer(self) -> tuple[int, dict[str, str], bytes] | None:
        chunk = self.socket.recv(65536)
        if not chunk:
            raise ConnectionError(
                f"the server closed a connection of {self.game}: {self.busy} {bytes(self.received)[:300]!r}"
            )
        self.received += chunk
        end = self.received.find(b"\r\n\r\n")
        if end < 0:
            return None
        first, *lines = bytes(self.received[:end]).decode().split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        status = int(first.split()[1])
        length = int(headers.get("content-length", 0)) if status != 304 else 0
        if len(self.received) < end + 4 + length:
            return None
        body = bytes(self.received[end + 4 : end + 4 + length])
        del self.received[: end + 4 + length]
        self.busy = False
        return status, headers, body


def measure(seconds: float) -> dict[str, Any]:
    """Figures of a run with waiters of so many seconds, after one of the same length without."""
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # as root, Postgres runs as another user
        with EmbeddedPostgres(Path(folder)) as postgres:
            upgrade(postgres.url)
            store = PostgresStore(postgres.url, pool_size=2)
            tables = set_tables(store, GAMES, random.Random(2))
            polled = set_tables(store, POLLERS, random.Random(3))
            store.close()
            with serving(postgres.url) as server:
                return _measure(server, tables, polled, seconds)


def _measure(
    server: subprocess.Popen[bytes], tables: list[Table], polled: list[Table], seconds: float
) -> dict[str, Any]:
    idle = _memory(server.pid)
    without = _polls(polled, seconds, None)
    moving = Run(tables)
    moving.start_moving()
    with_moves = _polls(polled, seconds, moving)
    run = Run(tables, moving.next_move)
    run.start_waiting()
    with_waiters = _polls(polled, seconds, run)
    times = sorted(run.times)
    return {
        "waiters": len(tables) * SEATS,
        "moves_per_second": round(run.moves / run.seconds, 1),
        "wake_ups": len(times),
        "p50_ms": round(times[len(times) // 2] * 1000, 2),
        "p99_ms": round(times[int(len(times) * 0.99)] * 1000, 2),
        "most_ms": round(times[-1] * 1000, 2),
        "polls_per_second": round(with_waiters),
        "polls_per_second_without": round(without),
        "ratio": round(with_waiters / without, 3),
        "polls_per_second_with_moves": round(with_moves),
        "ratio_to_moves_alone": round(with_waiters / with_moves, 3),
        "memory_mb": round(_memory(server.pid), 1),
        "memory_mb_idle": round(idle, 1),
    }


def _polls(tables: list[Table], seconds: float, run: Run | None) -> float:
    """Conditional polls a second, made by another process; `run` goes on in this one meanwhile."""
    context = multiprocessing.get_context("spawn")
    mine, theirs = context.Pipe()
    games = [(str(table.game), table.tokens[0]) for table in tables]
    poller = context.Process(target=_poll, args=(games, seconds, theirs))
    poller.start()
    while not mine.poll(0 if run else 0.2):
        if run:
            run.go_on(0.05)
    rate: float = mine.recv()
    poller.join()
    return rate


def _poll(games: list[tuple[str, str]], seconds: float, out: Any) -> None:
    scripts = [poll_script(PORT, f"/v1/games/{game}/turn", token) for game, token in games]
    out.send(drive(PORT, scripts, seconds).per_second)


class Run:
    """Waiters and movers, driven by one thread."""

    def __init__(
        self,
        tables: list[Table],
        next_move: list[int] | None = None,
        port: int = PORT,
        moves_a_second: float = MOVES_A_SECOND,
    ) -> None:
        self.tables = tables
        self.port = port
        self.moves_a_second = moves_a_second
        self.times: list[float] = []
        self.selector = selectors.DefaultSelector()
        self.moved_at = [0.0] * len(tables)
        self.next_move = list(next_move or [0] * len(tables))
        self.movers: list[_Client] = []
        self.waiting = False
        self.moves = self.turn = self.refused = 0
        self.seconds = 0.0
        self.due = 0.0
        self.heard = False
        self.early: list[list[float]] = [[] for _ in tables]

    def start_moving(self) -> None:
        for _ in range(8):
            mover = _Client(None, self.port)
            self.movers.append(mover)
            self.selector.register(mover.socket, selectors.EVENT_READ, mover)
        self.due = time.perf_counter()

    def start_waiting(self) -> None:
        for number, table in enumerate(self.tables):
            for token in table.tokens:
                client = _Client(number, self.port)
                client.token = token  # type: ignore[attr-defined]
                self.selector.register(client.socket, selectors.EVENT_READ, client)
                client.send(_wait_for(table, token, None))
        self.due = math.inf
        while True:  # until all hang on: for as long as any is answered at once, the server is busy with the beginning
            self.heard = False
            self.go_on(1.0)
            if not self.heard:
                break
        self.waiting = True
        self.seconds = 0.0
        self.start_moving()

    def go_on(self, seconds: float) -> None:
        started = time.perf_counter()
        while (now := time.perf_counter()) < started + seconds:
            late = now >= self.due and not self._move()  # as all movers wait for their answers
            until = now + 0.001 if late else min(self.due, started + seconds)
            for key, _ in self.selector.select(timeout=max(0.0, until - now)):
                self._hear(key.data)
        self.seconds += time.perf_counter() - started

    def close(self) -> None:
        for key in list(self.selector.get_map().values()):
            key.data.socket.close()
        self.selector.close()

    def _move(self) -> bool:
        mover = next((m for m in self.movers if not m.busy), None)
        if mover is None:
            return False
        self.movers.remove(mover)
        self.movers.append(mover)  # all in turn: a connection on which nothing is asked for long is closed
        self.due += 1.0 / self.moves_a_second
        number = self.turn % len(self.tables)
        self.turn += 1
        table = self.tables[number]
        seat, turn, action = table.moves[self.next_move[number]]
        self.next_move[number] += 1
        mover.at = number  # type: ignore[attr-defined]
        mover.send(
            request(
                "POST",
                f"/v1/games/{table.game}/submissions",
                body=json.dumps({"turn": turn, "action": action}).encode(),
                Authorization=f"Bearer {table.tokens[seat]}",
            )
        )
        return True

    def _hear(self, client: _Client) -> None:
        answer = client.answer()
        if answer is None:
            return
        now = time.time()
        self.heard = True
        status, headers, body = answer
        if client.game is None:
            assert status == 201, (status, body)
            self.moves += 1
            at = datetime.fromisoformat(json.loads(body)["received_at"]).timestamp()
            number: int = client.at  # type: ignore[attr-defined]
            self.moved_at[number] = at
            self.times += [heard - at for heard in self.early[number] if heard >= at]  # woken before the mover's answer
            self.early[number].clear()
            return
        table = self.tables[client.game]
        self.refused += status not in (200, 304)
        if status == 200 and self.waiting:  # before that come the first answers, for those who are asked
            busy = any(m.busy and m.at == client.game for m in self.movers)  # type: ignore[attr-defined]
            if busy:
                self.early[client.game].append(now)
            elif self.moved_at[client.game]:  # not a first answer that came late
                self.times.append(now - self.moved_at[client.game])
        client.send(_wait_for(table, client.token, headers.get("etag")))  # type: ignore[attr-defined]


def _wait_for(table: Table, token: str, tag: str | None) -> bytes:
    headers: dict[str, Any] = {"Authorization": f"Bearer {token}"} | ({} if tag is None else {"If_None_Match": tag})
    return request("GET", f"/v1/games/{table.game}/turn?wait={WAIT}", **headers)


@contextmanager
def serving(url: str, port: int = PORT, **more: str) -> Iterator[subprocess.Popen[bytes]]:
    command = [str(Path(sys.executable).with_name("holmgang")), "serve"]
    environ = {**os.environ, "DATABASE_URL": url, "PORT": str(port), "LOG_LEVEL": "warning", **more}
    server = subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while True:
            try:
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
                connection.request("GET", "/readyz")
                if connection.getresponse().status == 200:
                    break
            except OSError:
                pass
            if server.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("holmgang serve did not start")
            time.sleep(0.1)
        yield server
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(timeout=30)


def _memory(pid: int) -> float:
    """The proportional set size, in MB, of a process and all its children; Postgres is no child here."""
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parents[int(folder.name)] = int(Path(folder, "stat").read_text().rpartition(")")[2].split()[1])
    family, grown = {pid}, True
    while grown:
        more = {child for child, parent in parents.items() if parent in family} - family
        family |= more
        grown = bool(more)
    return sum(_pss(each) for each in family)


def _pss(pid: int) -> float:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1000
