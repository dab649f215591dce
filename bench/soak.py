"""A soak: `holmgang serve` as it is shipped, with its own Postgres, under mixed play at a fixed rate, and watched.

Bots make, join and play whole games of all three kinds one after the other, some with a built-in bot at the table, and
wait for their turns by `?wait=`; others poll views and turns with tags, wait for any of their games, read events as
server-sent events, and have webhooks called. Of each game that is over record, picture, view, events and a page of the
list are fetched. The one setting that differs is WEBHOOKS_PRIVATE, since the receiver is on the same machine.

What is asked: does anything grow that should not? Memory is fitted by a line after the warm-up, which is a fifth of the
time: of the processes of Python their proportional set size, of Postgres what is its own, without the buffers that its
processes share (those fill up to their size as long as the tables grow). Connections and descriptors are compared
between the first third and the last, and before the load and after it; latencies by thirds, beside those of `/healthz`,
for which the service does next to nothing: they tell how busy the machine was.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psutil
import psycopg

from bench.bots import Connection, Notes, Player, Unexpected, play_together
from bench.load import request
from holmgang.config import Settings
from holmgang.store.embedded import EmbeddedPostgres

POSTGRES, WORKER, SERVER_PROCESS, CONTROL = "postgres", "worker", "server-process", "/healthz"
START_SECONDS = 120.0
MOVES_A_SECOND = 40.0
TABLES = (
    ("eketorp", 4, None),
    ("drakkars", 3, None),
    ("claim", 2, None),
    ("eketorp", 3, "random"),
    ("drakkars", 2, "greedy"),
    ("claim", 2, "greedy"),
) * 2
POLLERS, POLL_SECONDS = 8, 0.4
STREAMS, WAITERS, HOOKS = 12, 4, 6
WARM_SHARE = 0.2
LONGEST_PAUSE = 5.0
"""Seconds between two looks at the processes, at most."""
REST_SECONDS = 60.0
"""How long after the load it may take until no more descriptors are open than before, and `KEPT` for each process."""
KEPT = 8
"""So many descriptors a process may open when it first needs them, such as database connections, and keep."""
GROWING = ("games", "log", "events", "combats", "submissions", "answers", "deliveries", "awaited", "seats", "tokens")
"""Tables whose rows are counted."""


@dataclass
class _Sample:
    """One look, so many seconds after the start: of each process memory in MB and descriptors; database connections."""

    at: float
    memory: dict[str, float]
    descriptors: dict[str, int]
    connections: int


@dataclass
class _Load:
    """What all who load the service share."""

    port: int
    rng: random.Random
    due: float
    gap: float
    notes: Notes = field(default_factory=Notes)
    running: dict[int, str] = field(default_factory=dict)
    """The game at each table."""
    streamed: int = 0
    called: int = 0

    async def pace(self) -> None:
        """Until the next move is due: moves come at a fixed rate. What was missed is not made up for."""
        now = time.monotonic()
        self.due = max(self.due + self.gap, now)
        await asyncio.sleep(self.due - now)

    def some_game(self) -> str | None:
        return self.rng.choice(list(self.running.values())) if self.running else None


def measure(minutes: float, rate: float = MOVES_A_SECOND) -> dict[str, Any]:
    """What such a soak of so many minutes found, with so many moves a second."""
    with TemporaryDirectory(prefix="holmgang-soak-") as folder:
        Path(folder).chmod(0o755)  # as root, Postgres runs as another user
        base = Path(folder)
        port = _free_port()
        with _serving(base, port) as server:
            found = asyncio.run(_Soak(server, base, port, minutes * 60, rate).run())
        found["stopped"] = server.returncode
        found["complaints"] = _complaints(base / "serve.log")
        return found


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def _serving(base: Path, port: int) -> Iterator[psutil.Popen]:
    environ = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environ |= {"DATA_DIR": str(base), "PORT": str(port), "WEBHOOKS_PRIVATE": "1", "LOG_FORMAT": "json"}
    command = [str(Path(sys.executable).with_name("holmgang")), "serve"]
    with (base / "serve.log").open("wb") as out:
        server = psutil.Popen(command, env=environ, stdout=subprocess.DEVNULL, stderr=out)
    try:
        asyncio.run(_until_ready(server, port, base / "serve.log"))
        yield server
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(timeout=30)


async def _until_ready(server: psutil.Popen, port: int, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while True:
        connection = Connection(port, Notes())
        with contextlib.suppress(Unexpected):
            await connection.ask("GET", "/readyz")
            connection.close()
            return
        if server.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"holmgang serve did not start: {log.read_text(errors='replace')[-2000:]}")
        await asyncio.sleep(0.1)


def _complaints(log: Path) -> list[str]:
    """What the service logged as a warning or worse."""
    found = []
    for line in log.read_text(errors="replace").splitlines():
        try:
            level = json.loads(line).get("level")
        except ValueError:
            level = "no JSON"
        if level not in ("debug", "info"):
            found.append(line[:500])
    return found


class _Soak:
    def __init__(self, server: psutil.Popen, base: Path, port: int, seconds: float, rate: float) -> None:
        self.seconds, self.rate = seconds, rate
        postgres = EmbeddedPostgres(base)
        self.processes = _Processes(server, postgres)
        self.samples: list[_Sample] = []
        self.load = _Load(port, random.Random(9), time.monotonic(), 1 / rate)
        self.started = 0.0

    async def run(self) -> dict[str, Any]:
        before = await self._complete()
        hearing = await asyncio.start_server(self._receive, "127.0.0.1", 0)
        jobs = await self._jobs(hearing.sockets[0].getsockname()[1])
        self.started = time.monotonic()
        tasks = [asyncio.create_task(job) for job in jobs]
        warm_rows: dict[str, int] = {}
        warm = self.seconds * WARM_SHARE
        pause = min(LONGEST_PAUSE, self.seconds / 60)
        while (at := time.monotonic() - self.started) < self.seconds:
            self.samples.append(await asyncio.to_thread(self.processes.look, at))
            if at >= warm and not warm_rows:
                warm_rows = await asyncio.to_thread(self.processes.rows)
            await asyncio.wait(tasks, timeout=pause, return_when=asyncio.FIRST_EXCEPTION)
            for task in list(tasks):
                if task.done() and not task.cancelled() and (fault := task.exception()) is not None:
                    self.load.notes.fault(f"a part of the load ended: {_innermost(fault)!r}")
                    tasks.remove(task)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.load.notes.hang_up()
        hearing.close()
        rows = await asyncio.to_thread(self.processes.rows)
        after = await self._at_rest(before)
        return self._report(before, after, warm, warm_rows, rows)

    async def _complete(self) -> _Sample:
        """A look when all processes have started."""
        wanted = Settings.from_environment().workers
        deadline = time.monotonic() + START_SECONDS
        while True:
            found = await asyncio.to_thread(self.processes.look, 0.0)
            roles = [name.split()[0] for name in found.memory]
            if roles.count(SERVER_PROCESS) == wanted and WORKER in roles:
                return found
            if time.monotonic() > deadline:
                raise RuntimeError(f"of the service only these processes have started: {sorted(found.memory)}")
            await asyncio.sleep(0.2)

    async def _at_rest(self, before: _Sample) -> _Sample:
        """A look when all that the load had opened is closed again, or at the end of the time that this may take."""
        deadline = time.monotonic() + REST_SECONDS
        while True:
            found = await asyncio.to_thread(self.processes.look, time.monotonic() - self.started)
            more = (
                found.descriptors.get(name, 0) - count for name, count in before.descriptors.items() if name != POSTGRES
            )
            if max(more) <= KEPT or time.monotonic() > deadline:
                return found
            await asyncio.sleep(1)

    # The load

    async def _jobs(self, hook_port: int) -> list[Coroutine[Any, Any, None]]:
        jobs = [self._control()]
        players: list[Player] = []
        for number, (ruleset, seats, bot) in enumerate(TABLES):
            sitting = [await self._player(f"soak {number} {n}") for n in range(seats)]
            players += sitting
            jobs.append(self._table(number, sitting, ruleset, bot))
        for player in players[:: len(players) // HOOKS][:HOOKS]:
            hook = {"url": f"http://127.0.0.1:{hook_port}/", "events": ["turn.waiting", "game.over"]}
            await player.connection.ask("POST", "/v1/webhooks", hook, wanted=(201,))
        for number in range(POLLERS):
            form = ("view", "turn")[number % 2]
            jobs.append(
                self._polls(Connection(self.load.port, self.load.notes, players[number].connection.token), form)
            )
        jobs += [
            self._waits(Connection(self.load.port, self.load.notes, p.connection.token)) for p in players[-WAITERS:]
        ]
        jobs += [self._streams(players[number].connection.token) for number in range(STREAMS)]
        return jobs

    async def _player(self, name: str) -> Player:
        return await Player.register(self.load.port, self.load.notes, name, random.Random(name))

    async def _table(self, number: int, players: list[Player], ruleset: str, bot: str | None) -> None:
        """Game after game, each looked at once more when it is over."""
        while True:
            ident = await self._noted(number, players, ruleset, bot)
            looking = Connection(
                self.load.port, self.load.notes
            )  # a new one: where nothing is asked for long, it is closed
            for path in ("record", "board.svg", "view", "events?limit=200"):
                await looking.ask("GET", f"/v1/games/{ident}/{path}")
            await looking.ask("GET", "/v1/games?status=over&limit=50")
            looking.close()

    async def _noted(self, number: int, players: list[Player], ruleset: str, bot: str | None) -> str:
        """A game that others find among those that are played, until it is over."""

        def made(game: str) -> None:
            self.load.running[number] = game

        try:
            return await play_together(players, ruleset, bot, self.load.pace, made)
        finally:
            self.load.running.pop(number, None)

    async def _control(self) -> None:
        """Asks for what costs the service nothing."""
        connection = Connection(self.load.port, self.load.notes)
        while True:
            await connection.ask("GET", "/healthz", kind=CONTROL)
            await asyncio.sleep(POLL_SECONDS)

    async def _polls(self, connection: Connection, form: str) -> None:
        """Conditional polls of one game until it is over, then of another."""
        while True:
            game, tag = self.load.some_game(), None
            while game is not None:
                answer = await connection.ask(
                    "GET", f"/v1/games/{game}/{form}", tag=tag, wanted=(200, 304), kind=f"{form} polled"
                )
                tag = answer.headers["etag"]
                await asyncio.sleep(POLL_SECONDS)
                if game not in self.load.running.values():
                    break
            else:
                await asyncio.sleep(POLL_SECONDS)

    async def _waits(self, connection: Connection) -> None:
        """Waits for any of a player's games."""
        tag = '""'
        while True:
            answer = await connection.ask("GET", "/v1/me/turns?wait=20", tag=tag, wanted=(200, 304))
            tag = answer.headers["etag"]

    async def _streams(self, token: str | None) -> None:
        """Reads the events of one game to its end, then those of another."""
        while True:
            game = self.load.some_game()
            if game is None:
                await asyncio.sleep(POLL_SECONDS)
                continue
            connection = Connection(self.load.port, self.load.notes, token)
            reader, writer = await connection.open()
            writer.write(
                request(
                    "GET",
                    f"/v1/games/{game}/events",
                    Authorization=f"Bearer {token}",
                    Accept="text/event-stream",
                )
            )
            head = await reader.readuntil(b"\r\n\r\n")
            if b" 200 " not in head.split(b"\r\n", 1)[0]:
                self.load.notes.fault(f"GET events as a stream: {head.splitlines()[0].decode()}")
            while (line := await reader.readline()) != b"event: end\n":
                if not line:
                    self.load.notes.fault("a stream of events broke off")
                    break
                self.load.streamed += line.startswith(b"data:")
            connection.close()

    async def _receive(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """A webhook's receiver."""
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            length = next(
                int(line.partition(b":")[2])
                for line in head.splitlines()
                if line.lower().startswith(b"content-length:")
            )
            await reader.readexactly(length)
            self.load.called += 1
            writer.write(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    # What was found

    def _report(
        self, before: _Sample, after: _Sample, warm: float, warm_rows: dict[str, int], rows: dict[str, int]
    ) -> dict[str, Any]:
        samples = [each for each in self.samples if each.at >= warm]
        third = len(samples) // 3
        first, last = samples[:third], samples[-third:]
        names = [name for name in samples[-1].memory if all(name in each.memory for each in samples)]
        notes = self.load.notes
        return {
            "minutes": round(self.seconds / 60, 1),
            "moves": notes.moves,
            "moves_per_second": round(notes.moves / self.seconds, 1),
            "games_over": dict(notes.games),
            "events_streamed": self.load.streamed,
            "webhooks_called": self.load.called,
            "faults": dict(notes.faults),
            "processes_replaced": sorted(set(after.memory) ^ set(before.memory)),
            "memory": {
                name: {
                    "before_mb": round(before.memory.get(name, 0.0), 1),
                    "warm_mb": round(statistics.median(each.memory[name] for each in first), 1),
                    "end_mb": round(statistics.median(each.memory[name] for each in last), 1),
                    "mb_per_hour": round(slope([(each.at, each.memory[name]) for each in samples]) * 3600, 2),
                }
                for name in names
            },
            "connections": {
                "before": before.connections,
                "first_third": statistics.median(each.connections for each in first),
                "last_third": statistics.median(each.connections for each in last),
                "after": after.connections,
            },
            "descriptors": {
                name: {
                    "before": before.descriptors.get(name, 0),
                    "first_third": statistics.median(each.descriptors[name] for each in first),
                    "last_third": statistics.median(each.descriptors[name] for each in last),
                    "after": after.descriptors.get(name, 0),
                }
                for name in names
            },
            "latency_by_thirds": {kind: self._thirds(times, warm) for kind, times in notes.times.items()},
            "rows": {table: [warm_rows.get(table, 0), count] for table, count in rows.items()},
        }

    def _thirds(self, times: list[tuple[float, float]], warm: float) -> list[dict[str, float]]:
        thirds: list[list[float]] = [[], [], []]
        for at, seconds in times:
            share = (at - self.started - warm) / (self.seconds - warm)
            if 0 <= share < 1:
                thirds[int(share * 3)].append(seconds * 1000)
        return [
            {
                "count": len(each),
                "p50_ms": round(statistics.median(each), 2),
                "p99_ms": round(sorted(each)[int(len(each) * 0.99)], 2),
            }
            for each in thirds
            if each
        ]


class _Processes:
    """The service's processes, by what they do and their ids; all of Postgres counts as one."""

    def __init__(self, server: psutil.Popen, postgres: EmbeddedPostgres) -> None:
        self._server, self._postgres = psutil.Process(server.pid), postgres
        self._connection = psycopg.connect(postgres.url, autocommit=True)
        self._own = self._connection.info.backend_pid

    def look(self, at: float) -> _Sample:
        memory: dict[str, float] = {POSTGRES: 0.0}
        descriptors: dict[str, int] = {POSTGRES: 0}
        postmaster = self._postgres.postmaster()
        assert postmaster is not None, "Postgres is gone"
        database = [postmaster, *postmaster.children(recursive=True)]
        for process in database:
            with contextlib.suppress(psutil.Error, OSError):
                memory[POSTGRES] += _own_memory(process.pid)
                descriptors[POSTGRES] += process.num_fds()
        for process in [self._server, *self._server.children(recursive=True)]:
            with contextlib.suppress(psutil.Error, OSError):
                name = f"{self._role(process)} {process.pid}"
                memory[name], descriptors[name] = _memory(process.pid)["Pss"], process.num_fds()
        return _Sample(at, memory, descriptors, self._connections())

    def _role(self, process: psutil.Process) -> str:
        if process == self._server:
            return "serve"
        if any("resource_tracker" in part for part in process.cmdline()):
            return "tracker"
        if process.parent() != self._server:
            return SERVER_PROCESS
        return "server" if process.children() else WORKER

    def _connections(self) -> int:
        row = self._connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> %s", [self._own]
        ).fetchone()
        assert row is not None
        return int(row[0])

    def rows(self) -> dict[str, int]:
        counts = {}
        for table in GROWING:
            row = self._connection.execute(f"SELECT count(*) FROM {table}".encode()).fetchone()  # noqa: S608 # a name of ours
            assert row is not None
            counts[table] = int(row[0])
        return counts


def _memory(pid: int) -> dict[str, float]:
    """MB by the names of smaps_rollup."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    return {line.split(":")[0]: int(line.split()[1]) / 1000 for line in lines}


def _own_memory(pid: int) -> float:
    found = _memory(pid)
    return found["Pss"] - found.get("Pss_Shmem", 0.0)


def _innermost(fault: BaseException) -> BaseException:
    while isinstance(fault, BaseExceptionGroup):
        fault = fault.exceptions[0]
    return fault


def slope(points: list[tuple[float, float]]) -> float:
    """Of the line that fits the points best, by least squares."""
    middle_x, middle_y = (statistics.fmean(values) for values in zip(*points, strict=True))
    over = sum((x - middle_x) ** 2 for x, _ in points)
    return sum((x - middle_x) * (y - middle_y) for x, y in points) / over if over else 0.0
