"""What one caller can do to others: over 1,200 connections they ask for dear things again and again, as fast as they
are answered, while others ask for little, now and then. The others' times stand beside those that they had without that
caller, in turns, in one run.

Two processes of their own make the load, so that neither waits for the other.
"""

from __future__ import annotations

import http.client
import json
import multiprocessing
import os
import random
import selectors
import signal
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.http import SEATS, Table, play_script, set_tables
from bench.load import drive, request
from holmgang.store.database import PostgresStore
from holmgang.store.embedded import EmbeddedPostgres
from holmgang.store.migrate import upgrade

CONNECTIONS = 1200
TOKENS = 200
"""As many as one player may have."""
OTHERS, PAUSE = 6, 0.02
"""The other callers, each of which asks one thing, and pauses so many seconds."""
GAMES_IN_LISTS = 100
BEFORE = 2.0
"""Seconds after which an attack is under way."""


def measure(seconds: float, rounds: int, only: str | None = None) -> dict[str, dict[str, Any]]:
    """Times of the others with and without an attack of each kind, or of the one kind that is named."""
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # as root, Postgres runs as another user
        with EmbeddedPostgres(Path(folder)) as postgres:
            upgrade(postgres.url)
            store = PostgresStore(postgres.url, pool_size=2)
            rng = random.Random(9)
            over, *tables = set_tables(store, 2 + OTHERS + GAMES_IN_LISTS, rng)
            store.close()
            with serving(postgres.url, RATE_LIMIT="1000000", RATE_LIMIT_MOVES="1000000") as port:
                drive(port, [play_script([over])], 60.0)
                tokens = [_token(port, over.tokens[0]) for _ in range(TOKENS - 1)]
            with serving(postgres.url) as port:
                kinds = attacks(over, tables[0], tokens)
                chosen = {name: asked for name, asked in kinds.items() if only in (None, name)}
                return {name: _measure(port, asked, tables[1:], seconds, rounds) for name, asked in chosen.items()}


def attacks(over: Table, table: Table, tokens: list[str]) -> dict[str, list[bytes]]:
    """What is asked, kind by kind; the connections go through it in turns. `over` is a finished game and `table` one
    that goes on; `tokens` are more of the first player of `over`."""
    mine: dict[str, Any] = {"Authorization": f"Bearer {over.tokens[0]}"}
    game, last = f"/v1/games/{over.game}", max(turn for _, turn, _ in over.moves) - 1
    seat, turn, action = table.moves[0]
    trial = json.dumps({"turn": turn, "action": action}).encode()
    asked = {
        "view?at=": f"{game}/view?at={last}",
        "board.svg?at=": f"{game}/board.svg?at={last}",
        "board.svg": f"{game}/board.svg",
        "record": f"{game}/record",
        "games": "/v1/games?limit=200",
        "me/games": "/v1/me/games?limit=200",
        "leaderboard": "/v1/leaderboards/eketorp?limit=200",
        "events": f"{game}/events?limit=200",
        "healthz": "/healthz",
    }
    kinds = {name: [request("GET", path, **mine)] for name, path in asked.items()}
    kinds["dry run"] = [
        request(
            "POST",
            f"/v1/games/{table.game}/submissions?dry_run=true",
            body=trial,
            Authorization=f"Bearer {table.tokens[seat]}",
        )
    ]
    kinds["view?at=, without a token"] = [request("GET", asked["view?at="])]
    poll: dict[str, Any] = {"If_None_Match": '""', **mine}
    kinds["view?at=, as if it were a poll"] = [request("GET", asked["view?at="] + "&wait=1", **poll)]
    kinds["view, by a tag that is none"] = [request("GET", f"{game}/view", **poll)]
    kinds["view?at=, made-up tokens"] = [
        request("GET", asked["view?at="], Authorization=f"Bearer none-{n}") for n in range(CONNECTIONS)
    ]
    kinds["view?at=, 200 tokens of one player"] = [
        request("GET", asked["view?at="], Authorization=f"Bearer {token}") for token in (over.tokens[0], *tokens)
    ]
    return kinds


def _token(port: int, secret: str) -> str:
    connection = http.client.HTTPConnection("127.0.0.1", port)
    body = json.dumps({"label": "one more", "scopes": ["read", "play"]})
    headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
    connection.request("POST", "/v1/me/tokens", body, headers)
    token: str = json.loads(connection.getresponse().read())["token"]
    connection.close()
    return token


def _measure(port: int, asked: list[bytes], others: list[Table], seconds: float, rounds: int) -> dict[str, Any]:
    callers = [(f"/v1/games/{table.game}", table.tokens[n % SEATS]) for n, table in enumerate(others[:OTHERS])]
    context = multiprocessing.get_context("spawn")
    alone: list[list[float]] = []
    beside: list[list[float]] = []
    failed, answers = Counter[int](), Counter[int]()
    for _ in range(rounds):
        for times, attacked in ((alone, False), (beside, True)):
            mine, theirs = context.Pipe()
            attack = context.Process(target=storm, args=(port, asked, CONNECTIONS, BEFORE + seconds + 1.0, theirs))
            if attacked:
                attack.start()
                time.sleep(BEFORE)
            here, there = context.Pipe()
            asking = context.Process(target=ask_now_and_then, args=(port, callers, seconds, there))
            asking.start()
            taken, bad = here.recv()
            asking.join()
            times.append(taken)
            failed += bad
            if attacked:
                answers += mine.recv()
                attack.join()
    figures = {
        "p50_ms": _median(beside, 0.5),
        "p99_ms": _median(beside, 0.99),
        "p50_ms_without": _median(alone, 0.5),
        "p99_ms_without": _median(alone, 0.99),
    }
    return {
        **figures,
        "p50_ratio": round(figures["p50_ms"] / figures["p50_ms_without"], 2),
        "p99_ratio": round(figures["p99_ms"] / figures["p99_ms_without"], 2),
        "requests": sum(map(len, beside)),
        "others_refused": dict(failed),
        "attacker": dict(answers),
    }


def _median(rounds: list[list[float]], share: float) -> float:
    ranked = [sorted(times) for times in rounds]
    return round(statistics.median(each[min(len(each) - 1, int(share * len(each)))] for each in ranked) * 1000, 2)


def ask_now_and_then(port: int, callers: list[tuple[str, str]], seconds: float, out: Any) -> None:
    """Polls and views of callers, each on a connection of its own; sends what all took, in seconds, and statuses that
    were not expected."""
    taken: list[float] = []
    failed = Counter[int]()

    def call(path: str, token: str) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        headers = {"Authorization": f"Bearer {token}"}

        def ask(part: str, wanted: int, **more: str) -> str:
            started = time.perf_counter()
            connection.request("GET", f"{path}/{part}", headers={**headers, **more})
            answer = connection.getresponse()
            answer.read()
            taken.append(time.perf_counter() - started)
            if answer.status != wanted:
                failed[answer.status] += 1
            return answer.headers.get("ETag", '"none"')

        until = time.perf_counter() + seconds
        tag = ask("turn", 200)
        while time.perf_counter() < until:
            for _ in range(3):
                ask("turn", 304, **{"If-None-Match": tag})
                time.sleep(PAUSE)
            ask("view", 200)
            time.sleep(PAUSE)
        connection.close()

    threads = [threading.Thread(target=call, args=caller) for caller in callers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    out.send((taken, failed))


def storm(port: int, asked: list[bytes], connections: int, seconds: float, out: Any) -> None:
    """Ask again on every connection as soon as an answer has come, whatever it is; sends how often each status came. A
    connection that is closed is opened anew."""
    selector = selectors.DefaultSelector()
    answers = Counter[int]()
    until = time.monotonic() + seconds

    def connect(number: int) -> None:
        opened = socket.create_connection(("127.0.0.1", port))
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        selector.register(opened, selectors.EVENT_READ, (number, bytearray()))
        with suppress(OSError):
            opened.sendall(asked[number % len(asked)])

    for number in range(connections):
        connect(number)
    while time.monotonic() < until:
        for key, _ in selector.select(timeout=0.2):
            number, received = key.data
            opened: socket.socket = key.fileobj  # type: ignore[assignment]
            try:
                chunk = opened.recv(65536)
                received += chunk
                if chunk and (status := _whole(received)) is not None:
                    answers[status] += 1
                    received.clear()
                    opened.sendall(asked[number % len(asked)])
            except OSError:
                chunk = b""
            if not chunk:
                answers[0] += 1
                selector.unregister(opened)
                opened.close()
                connect(number)
    for key in list(selector.get_map().values()):
        key.fileobj.close()  # type: ignore[union-attr]
    out.send(answers)


def _whole(received: bytearray) -> int | None:
    """The status of an answer, once all of it is there."""
    end = received.find(b"\r\n\r\n")
    if end < 0:
        return None
    head = bytes(received[:end]).lower()
    status, at = int(head[9:12]), head.find(b"content-length:")
    length = int(head[at + 15 :].split(b"\r\n", 1)[0]) if at >= 0 and status != 304 else 0
    return status if len(received) >= end + 4 + length else None


@contextmanager
def serving(url: str, **settings: str) -> Iterator[int]:
    """`holmgang serve`, as it is shipped but for these settings, on a free port; which is given."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    command = [str(Path(sys.executable).with_name("holmgang")), "serve"]
    environ = {**os.environ, "DATABASE_URL": url, "PORT": str(port), "LOG_LEVEL": "warning", **settings}
    server = subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while True:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
            try:
                connection.request("GET", "/readyz")
                if connection.getresponse().status == 200:
                    break
            except OSError:
                pass
            finally:
                connection.close()
            if server.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("holmgang serve did not start")
            time.sleep(0.1)
        yield port
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(timeout=30)
