"""Plain Postgres beside Citus with one worker node and with two, in turns, in one run: polls, moves and views a second,
and the CPU time that each part spends on each.

Every layout has the API's processes and one `holmgang worker`, straight on the database over TCP. The plain one is the
same Postgres without the extension. All nodes are on this machine and take their cores from each other, so throughput
falls with each; the CPU time of a part is what carries over to machines of their own (`bench.million`).
"""

from __future__ import annotations

import math
import os
import random
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psutil
import psycopg

from bench import million
from bench.deployment import free_port, holmgang
from bench.http import (
    CONNECTIONS,
    POOL_SIZE,
    SEATS,
    UNLIMITED,
    Table,
    play_script,
    poll_script,
    serving,
    set_tables,
    view_script,
)
from bench.load import Script, drive
from bench.million import Telling
from bench.scaling import notified
from bench.waiting import Run
from holmgang.store.database import PostgresStore
from holmgang.store.distribution import distribute
from holmgang.store.migrate import upgrade
from tests.citus.building import programs
from tests.citus.cluster import Node, create_database

DURABLE: dict[str, str | int] = {"fsync": "on", "full_page_writes": "on"}
PLAIN: dict[str, str | int] = {
    **DURABLE,
    "shared_preload_libraries": "",
    "wal_level": "replica",
    "max_prepared_transactions": 0,
}
WAITED_AT = 50
"""Games at which all four seats wait."""
MOVES_A_SECOND = 20
LISTENING, CHANGES = 64, 20
"""Sessions that hear of a notification, and changes in one that tells of many."""
WARM_SECONDS = 4.0
"""Until each session has prepared its statements. On a node of Citus a session plans each of a move for each shard."""

Cost = dict[str, float]
"""By part."""


@dataclass(frozen=True)
class Layout:
    """A database on its nodes, the first of which the service knows."""

    name: str
    url: str
    nodes: Mapping[str, Node]


def measure(seconds: float, rounds: int) -> dict[str, Any]:
    """Figures by layout, medians of the rounds, and what is computed from them; each measurement lasts so many seconds.
    Raises Missing."""
    programs()
    with TemporaryDirectory(prefix="holmgang-citus-", dir="/tmp") as folder, ExitStack() as running:
        Path(folder).chmod(0o755)  # as root, Postgres runs as another user
        layouts = list(_layouts(Path(folder), running))
        games = CONNECTIONS * max(1, round(seconds / 10))
        each = games + CONNECTIONS + WAITED_AT
        tables = {layout.name: _tables(layout.url, each * rounds) for layout in layouts}
        figures: dict[str, list[dict[str, Any]]] = {layout.name: [] for layout in layouts}
        for turn in range(rounds):
            for layout in layouts:
                mine = tables[layout.name][turn::rounds]
                figures[layout.name].append(_round(layout, mine, seconds))
        telling = _telling(layouts[-1])
    costs = {name: _medians(each) for name, each in figures.items()}
    return {"layouts": costs, "telling": asdict(telling), "million": dict(million.table(costs, telling))}


def _layouts(folder: Path, running: ExitStack) -> Iterator[Layout]:
    plain = Node(folder / "plain", PLAIN)
    coordinator, *workers = (Node(folder / f"node-{number}", DURABLE) for number in range(3))
    for node in (plain, coordinator, *workers):
        node.make()
        node.start()
        running.callback(node.stop)
    upgrade(plain.url())
    yield Layout("plain", plain.url(), {"postgres": plain})
    for count in (1, 2):
        some = workers[:count]
        url = create_database(f"on_{count}", [node.port for node in (coordinator, *some)])
        upgrade(url)
        distribute(url)
        nodes = {"coordinator": coordinator, **{f"node {number}": node for number, node in enumerate(some, 1)}}
        yield Layout(f"citus, {count} worker{'s' * (count > 1)}", url, nodes)


def _tables(url: str, count: int) -> list[Table]:
    store = PostgresStore(url, pool_size=2)
    try:
        return set_tables(store, count, random.Random(1))
    finally:
        store.close()


def _round(layout: Layout, tables: list[Table], seconds: float) -> dict[str, Any]:
    waited, warming, played = tables[:WAITED_AT], tables[WAITED_AT:][:CONNECTIONS], tables[WAITED_AT + CONNECTIONS :]
    port = free_port()
    environ = {"DATABASE_URL": layout.url, "POOL_SIZE": str(POOL_SIZE), **UNLIMITED}
    with serving("holmgang.bootstrap:create_app", port, environ) as api, _worker(layout.url) as worker:
        with psycopg.connect(layout.url, autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE")
        parts = {"api": psutil.Process(api), "worker": psutil.Process(worker)}
        meter = Meter(parts | {name: node.postmaster() for name, node in layout.nodes.items()})
        seated = [(table.game, table.tokens[number % SEATS]) for number, table in enumerate(played[:CONNECTIONS])]
        kinds: dict[str, Callable[[], list[Script]]] = {
            "poll": lambda: [poll_script(port, f"/v1/games/{game}/turn", token) for game, token in seated],
            "view": lambda: [view_script(f"/v1/games/{game}/view", token) for game, token in seated],
            "move": lambda: [play_script(played[number::CONNECTIONS]) for number in range(CONNECTIONS)],
        }
        for warm_up in (kinds["poll"](), kinds["view"](), [play_script([table]) for table in warming]):
            drive(port, warm_up, min(seconds, WARM_SECONDS))
        meter.read()
        time.sleep(seconds)
        idle = meter.read(per=seconds)
        figures: dict[str, Any] = {"cpu_ms_idle_a_second": idle}
        for kind, scripts in kinds.items():
            meter.read()
            done = drive(port, scripts(), seconds)
            figures[f"cpu_ms_a_{kind}"] = meter.read(per=sum(done.statuses.values()))
            figures[f"{kind}s_per_second"] = done.per_second
            figures[f"{kind}_p50_ms"], figures[f"{kind}_p99_ms"] = (done.quantile(q) * 1000 for q in (0.5, 0.99))
        return figures | _waits(port, waited, meter, idle, figures["cpu_ms_a_move"], seconds)


def _waits(port: int, tables: list[Table], meter: Meter, idle: Cost, a_move: Cost, seconds: float) -> dict[str, Any]:
    """What it costs that requests wait, while nothing happens and when there is news."""
    run = Run(tables, port=port, moves_a_second=MOVES_A_SECOND)
    run.start_waiting()
    waiters = sum(len(table.tokens) for table in tables)
    run.due = math.inf
    meter.read()
    run.go_on(seconds)
    waiting = {name: max(0.0, spent - seconds * idle[name]) for name, spent in meter.read().items()}
    run.due = time.perf_counter()
    run.go_on(seconds)
    woken = meter.read()
    run.close()
    times = sorted(run.times)
    left = {name: spent - waiting[name] - run.moves * a_move[name] for name, spent in woken.items()}
    return {
        "cpu_ms_of_waiting_a_second": {name: spent / waiters / seconds for name, spent in waiting.items()},
        "cpu_ms_a_wake_up": {name: spent / len(times) for name, spent in left.items()},
        "refused": run.refused,
        "wake_p50_ms": times[len(times) // 2] * 1000,
        "wake_p99_ms": times[int(len(times) * 0.99)] * 1000,
    }


class Meter:
    """CPU time of parts, each a process and all its children, those included that have ended."""

    def __init__(self, parts: dict[str, psutil.Process]) -> None:
        self._parts = parts
        self._before = self._spent()

    def read(self, per: float = 1.0) -> Cost:
        """Milliseconds of each part since the last time, divided by `per`."""
        now = self._spent()
        spent = {name: (now[name] - self._before[name]) * 1000 / per for name in now}
        self._before = now
        return spent

    def _spent(self) -> Cost:
        return {
            name: sum(_seconds(each) for each in (first, *first.children(recursive=True)))
            for name, first in self._parts.items()
        }


def _seconds(process: psutil.Process) -> float:
    """Of all its threads, to the nanosecond: what waits takes little. Of children that have ended, in ticks."""
    with suppress(psutil.NoSuchProcess, FileNotFoundError, ProcessLookupError):
        threads = [file.read_text().split()[0] for file in Path(f"/proc/{process.pid}/task").glob("*/schedstat")]
        ended = process.cpu_times()
        return sum(map(int, threads)) / 1e9 + float(ended.children_user + ended.children_system)
    return 0.0


@contextmanager
def _worker(url: str) -> Iterator[int]:
    """`holmgang worker`, until the block ends; its process."""
    environ = {**os.environ, "DATABASE_URL": url, "LOG_LEVEL": "warning"}
    worker = subprocess.Popen(holmgang("worker"), env=environ, stdout=subprocess.DEVNULL)
    try:
        yield worker.pid
    finally:
        worker.terminate()
        worker.wait(timeout=30)


def _telling(layout: Layout) -> Telling:
    """What the coordinator spends on a notification, for each session that listens."""
    postmaster = layout.nodes["coordinator"].postmaster()
    one, many = (notified(layout.url, postmaster, LISTENING, changes)["cpu_ms_a_listener"] for changes in (1, CHANGES))
    change = (many - one) / (CHANGES - 1)
    return Telling(statement=one - change, change=change)


def _medians(rounds: list[dict[str, Any]]) -> dict[str, Any]:
    """Of each figure, and of each part's."""
    first = rounds[0]
    return {
        name: _medians([each[name] for each in rounds])
        if isinstance(value, dict)
        else round(statistics.median(each[name] for each in rounds), 4)
        for name, value in first.items()
    }
