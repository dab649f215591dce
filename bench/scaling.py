"""Processes that clients reach directly beside such as stand behind PgBouncer and Caddy, and what a notification costs.

All work on one database, one layout after the other. Every part's CPU time is counted: on a machine whose cores are all
shared it says more than the throughput does of what other machines would make of it. A wake-up's CPU is what is left
when the moves that woke have been taken off at the price that they have by themselves.
"""

from __future__ import annotations

import random
import selectors
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

import psutil
import psycopg

from bench.deployment import Deployment, Part, deployed, free_port, holmgang, pss
from bench.http import CONNECTIONS, Table, play_script, poll_script, set_tables
from bench.load import drive
from bench.waiting import Run
from holmgang.store.database import PostgresStore
from holmgang.store.embedded import EmbeddedPostgres
from holmgang.store.migrate import upgrade

WAITED_AT = 100
"""Games at which all four seats wait."""
MOVES_A_SECOND = 20
LISTENERS = (1, 8, 32, 128)
HEARD = 20_000
"""So often one of them is heard, however many hear it."""

Family = dict[str, list[psutil.Process]]


def measure(seconds: float) -> dict[str, dict[str, Any]]:
    """Figures by layout and by number of listeners; each measurement lasts so many seconds."""
    figures: dict[str, dict[str, Any]] = {}
    for processes in (1, 2):
        with deployed(WORKERS=str(processes), LOG_LEVEL="warning") as here:
            with _direct(here, processes) as part:
                assert part.port is not None
                family = {"api": part.family(), **_shared(here)}
                figures[f"{processes} direct"] = _layout(here, part.port, family, seconds)
            api = [process for replica in here.replicas.values() for process in replica.family()]
            between = {"pgbouncer": here.pooler.family(), "caddy": here.proxy.family()}
            family = {"api": api, **between, **_shared(here)}
            figures[f"{2 * processes} behind both"] = _layout(here, here.port, family, seconds)
    for listeners, row in _notifications().items():
        figures[f"notification, {listeners} listening"] = row
    return figures


@contextmanager
def _direct(here: Deployment, processes: int) -> Iterator[Part]:
    """So many processes of the API straight on the database."""
    port = free_port()
    environ = {"DATABASE_URL": here.direct, "PORT": str(port), "WORKERS": str(processes), "LOG_LEVEL": "warning"}
    part = Part("direct", holmgang("serve", "--no-worker"), environ, here.folder / "direct.log", port)
    try:
        yield part.start().ready()
    finally:
        part.stop()


def _shared(here: Deployment) -> Family:
    assert here.server is not None
    postmaster = here.server.postmaster()
    assert postmaster is not None
    return {
        "workers": [process for part in here.workers for process in part.family()],
        "postgres": [postmaster],
    }


def _layout(here: Deployment, port: int, family: Family, seconds: float) -> dict[str, Any]:
    store = PostgresStore(here.direct, pool_size=2)
    played = set_tables(store, CONNECTIONS, random.Random(1))
    waited = set_tables(store, WAITED_AT, random.Random(2))
    store.close()
    polls = [poll_script(port, f"/v1/games/{table.game}/turn", table.tokens[0]) for table in played]
    before = _cpu(family)
    polled = drive(port, polls, seconds)
    after_polls = _cpu(family)
    moved = drive(port, [play_script([table]) for table in played], seconds)
    after_moves = _cpu(family)
    a_move = _each(before=after_polls, after=after_moves, count=sum(moved.statuses.values()))
    return {
        "polls_per_second": round(polled.per_second),
        "moves_per_second": round(moved.per_second),
        "move_p50_ms": round(moved.quantile(0.5) * 1000, 1),
        "move_p99_ms": round(moved.quantile(0.99) * 1000, 1),
        "cpu_ms_a_poll": _each(before, after_polls, sum(polled.statuses.values())),
        "cpu_ms_a_move": a_move,
        **_waits(port, waited, family, a_move, seconds),
    }


def _waits(port: int, tables: list[Table], family: Family, a_move: dict[str, float], seconds: float) -> dict[str, Any]:
    held = _memory(family)
    run = Run(tables, port=port, moves_a_second=MOVES_A_SECOND)
    run.start_waiting()
    waiters = sum(len(table.tokens) for table in tables)
    memory = {name: round((size - held[name]) / waiters / 1000, 1) for name, size in _memory(family).items()}
    before = _cpu(family)
    run.go_on(seconds)
    after = _cpu(family)
    run.close()
    times = sorted(run.times)
    left = {name: after[name] - before[name] - run.moves * a_move[name] / 1000 for name in family}
    return {
        "waiters": waiters,
        "wake_ups": len(times),
        "wake_p50_ms": round(times[len(times) // 2] * 1000, 1),
        "wake_p99_ms": round(times[int(len(times) * 0.99)] * 1000, 1),
        "cpu_ms_a_wake_up": {name: round(spent / len(times) * 1000, 2) for name, spent in left.items()},
        "kb_a_wait": {name: size for name, size in memory.items() if name in ("api", "caddy")},
    }


def _each(before: dict[str, float], after: dict[str, float], count: int) -> dict[str, float]:
    return {name: round((after[name] - before[name]) / count * 1000, 3) for name in after}


def _cpu(family: Family) -> dict[str, float]:
    """Seconds of CPU so far. Postgres' connections are children of its first process, and are kept."""
    return {name: sum(_seconds(process) for process in _all(name, members)) for name, members in family.items()}


def _all(name: str, members: list[psutil.Process]) -> list[psutil.Process]:
    return [*members, *members[0].children()] if name == "postgres" else members


def _seconds(process: psutil.Process) -> float:
    with suppress(psutil.NoSuchProcess):
        spent = process.cpu_times()
        return float(spent.user + spent.system)
    return 0.0


def _memory(family: Family) -> dict[str, int]:
    return {name: sum(pss(process) for process in members) for name, members in family.items()}


def _notifications() -> dict[int, dict[str, Any]]:
    """What one notification that all of so many connections hear costs Postgres, and how long until all have heard."""
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # as root, Postgres runs as another user
        with EmbeddedPostgres(Path(folder), {"max_connections": max(LISTENERS) + 20}) as server:
            upgrade(server.url)
            postmaster = server.postmaster()
            assert postmaster is not None
            figures = {count: notified(server.url, postmaster, count) for count in LISTENERS}
            figures[1]["cpu_ms_of_an_api_process"] = _heard(server)
            return figures


def _heard(server: EmbeddedPostgres) -> float:
    """What one notification costs the thread of the service that hears it, in ms."""
    store = PostgresStore(server.url, pool_size=1)
    game = uuid4()
    with psycopg.connect(server.url, autocommit=True) as teller, store.watch_game(game) as ticket:
        (thread,) = (each for each in threading.enumerate() if each.name == "wakeups-listen")
        ticket.listen()
        while not ticket.wait(0.1):  # until it listens
            teller.execute("SELECT pg_notify('holmgang', %s)", [f"{game} 1"])
        before = _thread_seconds(thread)
        for number in range(HEARD):
            teller.execute("SELECT pg_notify('holmgang', %s)", [f"{uuid4()} {number}"])
        ticket.listen()
        teller.execute("SELECT pg_notify('holmgang', %s)", [f"{game} 2"])
        if not ticket.wait(60):
            raise RuntimeError("a notification was lost")
        spent = _thread_seconds(thread) - before
    store.close()
    return round(spent / HEARD * 1000, 4)


def _thread_seconds(thread: threading.Thread) -> float:
    (found,) = (each for each in psutil.Process().threads() if each.id == thread.native_id)
    return float(found.user_time + found.system_time)


def notified(url: str, postmaster: psutil.Process, count: int, changes: int = 1) -> dict[str, Any]:
    """What a statement that notifies of so many changes costs a server on which so many listen."""
    notifications = max(HEARD // count // changes, 200)
    told = [f"019a0c52-3f00-7000-8000-{number:012} 1234" for number in range(changes)]
    with ExitStack() as open_ones:
        listening = [open_ones.enter_context(psycopg.connect(url, autocommit=True)) for _ in range(count)]
        for connection in listening:
            connection.execute("LISTEN bench")
        teller = open_ones.enter_context(psycopg.connect(url, autocommit=True))
        hearing = _Hearing(listening)
        hearing.start()
        before, began = _ran(postmaster), time.perf_counter()
        for number in range(1, notifications + 1):
            teller.execute("SELECT pg_notify('bench', change) FROM unnest(%s::text[]) AS change", [told])
            hearing.await_all(number * count * changes)
        took = time.perf_counter() - began
        spent = _ran(postmaster) - before
        hearing.over = True
        hearing.join()
    return {
        "until_all_have_heard_ms": round(took / notifications * 1000, 2),
        "cpu_ms": round(spent / notifications * 1000, 3),
        "cpu_ms_a_listener": round(spent / notifications / count * 1000, 4),
    }


def _ran(postmaster: psutil.Process) -> float:
    """Seconds of CPU of Postgres' processes so far, to the nanosecond: each has little to do with a notification."""
    everybody = [postmaster, *postmaster.children()]
    return sum(int(Path(f"/proc/{each.pid}/schedstat").read_text().split()[0]) for each in everybody) / 1e9


class _Hearing(threading.Thread):
    """Reads notifications on all connections, and counts them."""

    def __init__(self, connections: list[psycopg.Connection[Any]]) -> None:
        super().__init__(daemon=True)
        self._selector = selectors.DefaultSelector()
        for connection in connections:
            self._selector.register(connection.fileno(), selectors.EVENT_READ, connection.pgconn)
        self._heard = 0
        self._news = threading.Condition()
        self.over = False

    def run(self) -> None:
        while not self.over:
            for key, _ in self._selector.select(0.1):
                key.data.consume_input()
                while key.data.notifies() is not None:
                    with self._news:
                        self._heard += 1
                        self._news.notify()

    def await_all(self, count: int) -> None:
        with self._news:
            if not self._news.wait_for(lambda: self._heard >= count, 30):
                raise RuntimeError("notifications were lost")
