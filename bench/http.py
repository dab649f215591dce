"""Polls, views and moves over HTTP, each beside its bare counterpart on the same server, in turns, in one run."""

from __future__ import annotations

import http.client
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

import msgspec
import psycopg
from uuid_utils.compat import uuid7

from bench import bare
from bench.load import Outcome, Script, drive, request
from holmgang.app.accounts.players import register
from holmgang.app.accounts.tokens import authenticate
from holmgang.app.fairness.dice import Dice
from holmgang.app.games.creation import create_game
from holmgang.app.games.seats import take_seat
from holmgang.app.play.position import position
from holmgang.app.records.terms import Terms
from holmgang.cli.processes import KEEP_SECONDS
from holmgang.engine.replay import perform
from holmgang.engine.turn import Await
from holmgang.store.database import PostgresStore
from holmgang.store.embedded import EmbeddedPostgres
from holmgang.store.migrate import upgrade

CONNECTIONS = 32
WORKERS, POOL_SIZE = 2, 2
SEATS = 4
BARE_PORT, PORT = 8801, 8802
UNLIMITED = {"RATE_LIMIT": "1000000"}
"""Views in full are more than a token may ask otherwise. They are counted all the same."""


@dataclass(frozen=True)
class Table:
    """A started game with the tokens of its seats and all its moves, played ahead in memory."""

    game: UUID
    tokens: list[str]
    moves: list[tuple[int, int, object]]


def set_tables(
    store: PostgresStore, count: int, rng: random.Random, ruleset: str = "eketorp", turns: int = 0
) -> list[Table]:
    """Start games, and play each to its end with the dice it will have, so that every move is known to be legal; with
    so many turns at least."""
    tables = []
    for _ in range(count):
        with store.transaction() as t:
            secrets = []
            for seat in range(SEATS):
                _, _, secret = register(t, f"bench {seat}")
                secrets.append(secret)
            callers = [authenticate(t, s) for s in secrets]
            game = create_game(t, callers[0], Terms(ruleset=ruleset), SEATS).id
            for caller in callers[1:]:
                take_seat(t, caller, game, None, None)
            game_row = t.game_row(game, lock=False)
            assert game_row is not None
            place = position(t, game_row)
        while True:
            rules, state, dice = place.rules, place.logged, Dice(game_row.seed, game_row.entropy, game_row.draws)
            moves: list[tuple[int, int, object]] = []
            while type(turn := rules.turn(state)) is Await:
                chosen = [(seat, rules.moves(state, seat).sample(rng)) for seat in turn.seats]
                moves += [(seat, turn.turn, msgspec.to_builtins(action)) for seat, action in chosen]
                state = perform(rules, state, chosen, None, dice.draw).step.state
            if moves[-1][1] >= turns:
                break
        tables.append(Table(game, secrets, moves))
    return tables


def bare_rows(url: str, count: int) -> list[UUID]:
    """The tables of the bare endpoints, with so many games."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(bare.SCHEMA.encode())
        rows = [uuid7() for _ in range(count)]
        for row in rows:
            connection.execute("INSERT INTO bare_games VALUES (%s, 0, %s)", (row, bare.STATE))
        connection.execute("VACUUM ANALYZE")
    return rows


def play_script(tables: list[Table]) -> Script:
    for table in tables:
        for seat, turn, action in table.moves:
            status = yield request(
                "POST",
                f"/v1/games/{table.game}/submissions",
                body=json.dumps({"turn": turn, "action": action}).encode(),
                Authorization=f"Bearer {table.tokens[seat]}",
            )
            if status != 201:
                raise AssertionError(f"a legal move was answered {status}")


def bare_move_script(game: UUID, moves: list[tuple[int, int, object]]) -> Script:
    while True:
        for _, turn, action in moves:
            yield request("POST", f"/move/{game}", body=json.dumps({"turn": turn, "action": action}).encode())


def poll_script(port: int, path: str, token: str | None) -> Script:
    headers: dict[str, Any] = {} if token is None else {"Authorization": f"Bearer {token}"}
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("GET", path, headers=headers)
    tag = connection.getresponse().headers["ETag"]
    connection.close()
    yield from again(request("GET", path, If_None_Match=tag, **headers), HTTPStatus.NOT_MODIFIED)


def view_script(path: str, token: str | None) -> Script:
    """Views in full: nothing is kept between two of them, in the client or in the server."""
    headers: dict[str, Any] = {} if token is None else {"Authorization": f"Bearer {token}"}
    yield from again(request("GET", path, **headers), HTTPStatus.OK)


def again(asked: bytes, answer: HTTPStatus) -> Script:
    """The same request for ever; every answer must be of that status."""
    while True:
        status = yield asked
        if status != answer:
            raise AssertionError(f"{asked[:60]!r} was answered {status}")


@contextmanager
def serving(target: str, port: int, environ: dict[str, str]) -> Iterator[int]:
    """The server of `holmgang serve`, with the same processes for every target, up until the block ends; the id of its
    first process."""
    command = [sys.executable, "-m", "gunicorn", "--worker-class", "holmgang.cli.gevent_server.Worker"]
    command += ["--bind", f"127.0.0.1:{port}", "--workers", str(WORKERS), "--keep-alive", str(KEEP_SECONDS)]
    command += ["--no-control-socket", "--graceful-timeout", "2", "--log-level", "warning", f"{target}()"]
    with TemporaryDirectory() as folder:
        log = Path(folder, "server.log")
        with log.open("wb") as out:
            server = subprocess.Popen(command, env={**os.environ, **environ}, stdout=out, stderr=out)
        try:
            deadline = time.monotonic() + 30
            while True:
                try:
                    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
                    connection.request("GET", "/healthz")
                    connection.getresponse()
                    break
                except OSError:
                    if server.poll() is not None or time.monotonic() > deadline:
                        raise RuntimeError(f"{target} did not start: {log.read_text()[-2000:]}") from None
                    time.sleep(0.1)
            yield server.pid
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(timeout=20)


def measure(seconds: float, rounds: int) -> dict[str, dict[str, object]]:
    """Each kind of request against both servers in turns; the ratio of the medians over the rounds.

    `seconds` is the length of one measurement; there are six in every round.
    """
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # as root, Postgres runs as another user
        return _measure_in(Path(folder), seconds, rounds)


def _measure_in(folder: Path, seconds: float, rounds: int) -> dict[str, dict[str, object]]:
    rng = random.Random(1)
    with EmbeddedPostgres(folder) as postgres:
        upgrade(postgres.url)
        store = PostgresStore(postgres.url, pool_size=2)
        tables = set_tables(store, CONNECTIONS * rounds * max(1, round(seconds / 10)), rng)
        store.close()
        rows = bare_rows(postgres.url, CONNECTIONS)
        pool = {"POOL_SIZE": str(POOL_SIZE)}
        with (
            serving("bench.bare:create_app", BARE_PORT, {"BARE_DATABASE_URL": postgres.url, **pool}),
            serving("holmgang.bootstrap:create_app", PORT, {"DATABASE_URL": postgres.url, **pool, **UNLIMITED}),
        ):
            report = _compare(tables, rows, seconds, rounds)
        raw = _raw(postgres.url, rows, seconds)
    for kind, row in report.items():
        done = raw["move" if kind == "move" else "poll"]
        row["raw_per_second"] = round(done)
        row["raw_ratio"] = round(float(str(row["per_second"])) / done, 2)
    return report


def _raw(url: str, rows: list[UUID], seconds: float) -> dict[str, float]:
    """How often a second one connection does the bare transactions, without HTTP, from one process."""
    done = {}
    with psycopg.connect(url, autocommit=True) as connection:
        work: dict[str, Callable[[UUID], object]] = {
            "poll": lambda row: connection.execute(bare.SELECT, (row,)).fetchone(),
            "move": lambda row: bare.move(connection, row, "raw"),
        }
        for kind, do in work.items():
            count, started = 0, time.perf_counter()
            while (took := time.perf_counter() - started) < seconds:
                do(rows[count % len(rows)])
                count += 1
            done[kind] = count / took
    return done


def _compare(tables: list[Table], rows: list[UUID], seconds: float, rounds: int) -> dict[str, dict[str, object]]:
    kinds = ("poll", "view", "move")
    runs: dict[str, list[Outcome]] = {name: [] for kind in kinds for name in (f"bare {kind}", kind)}
    share = len(tables) // rounds
    for turn in range(rounds):
        ours = tables[turn * share : (turn + 1) * share]
        polls = [
            poll_script(PORT, f"/v1/games/{t.game}/turn", t.tokens[i % SEATS]) for i, t in enumerate(ours[:CONNECTIONS])
        ]
        runs["bare poll"].append(
            drive(BARE_PORT, [poll_script(BARE_PORT, f"/poll/{row}", None) for row in rows], seconds)
        )
        runs["poll"].append(drive(PORT, polls, seconds))
        runs["bare move"].append(drive(BARE_PORT, [bare_move_script(row, tables[0].moves) for row in rows], seconds))
        lines = [ours[i::CONNECTIONS] for i in range(CONNECTIONS)]
        runs["move"].append(drive(PORT, [play_script(line) for line in lines], seconds))
        paths = [f"/poll/{row}" for row in rows]
        runs["bare view"].append(drive(BARE_PORT, [view_script(path, None) for path in paths], seconds))
        views = [view_script(f"/v1/games/{t.game}/view", t.tokens[i % SEATS]) for i, t in enumerate(ours[:CONNECTIONS])]
        runs["view"].append(drive(PORT, views, seconds))
    report = {}
    for kind in kinds:
        mine = statistics.median(r.per_second for r in runs[kind])
        least = statistics.median(r.per_second for r in runs[f"bare {kind}"])
        report[kind] = {
            "per_second": round(mine),
            "bare_per_second": round(least),
            "ratio": round(mine / least, 3),
            "p50_ms": round(statistics.median(r.quantile(0.5) for r in runs[kind]) * 1000, 2),
            "p99_ms": round(statistics.median(r.quantile(0.99) for r in runs[kind]) * 1000, 2),
            "rounds": [round(r.per_second) for r in runs[kind]],
            "bare_rounds": [round(r.per_second) for r in runs[f"bare {kind}"]],
        }
    return report
