"""What many waiting players would take, computed from CPU times that `bench.citus` has measured.

Each of W players waits at their game, which has `SEATS` of them and a move every t seconds. Then moves a second are
W / (SEATS t), wake-ups W / t, and waits that end after `WAIT` seconds without news W / t / (exp(WAIT / t) - 1). The
cores of a part are the sum of these by what each costs it, and of what it costs that requests wait at all. To that
comes what it costs the first database server to tell every process of every change.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

SEATS = 4
WAIT = 50.0
REST = 0.01
"""Seconds between two statements of a process that tell of changes."""
HELD = 6144
"""Requests that a process lets wait: three quarters of `CONNECTIONS`."""
USED = 0.7
"""Of each core."""
MACHINE, LARGEST = 16, 64
"""Cores of a machine of the API or of a worker node, and of the largest that a coordinator gets."""
PACES = {"10 s: bots": 10.0, "60 s: people at the table": 60.0, "600 s: by the way": 600.0}


@dataclass(frozen=True)
class Telling:
    """What a notification costs Postgres for each session that hears it, in ms: a statement, and a change in it."""

    statement: float
    change: float

    def cores(self, moves: float, processes: float, listening: float) -> float:
        """With so many sessions that hear of all that so many processes write."""
        each = moves / processes
        statements = processes * each / (1 + each * REST)
        return (statements * self.statement + moves * self.change) * listening / 1000


Costs = Mapping[str, Mapping[str, float]]
"""Figures of one layout of `bench.citus`; those whose names begin with `cpu_ms` are by part."""


@dataclass(frozen=True)
class Load:
    """So many a second, and so many that wait."""

    waiting: float
    moves: float
    wake_ups: float
    empty: float

    @classmethod
    def of(cls, waiting: float, pace: float) -> Load:
        wake_ups = waiting / pace
        return cls(waiting, wake_ups / SEATS, wake_ups, wake_ups / math.expm1(WAIT / pace))

    def cores(self, costs: Costs, part: str) -> float:
        return (
            self.moves * costs["cpu_ms_a_move"][part]
            + self.wake_ups * costs["cpu_ms_a_wake_up"][part]
            + self.empty * costs["cpu_ms_a_poll"][part]
            + self.waiting * costs["cpu_ms_of_waiting_a_second"][part]
        ) / 1000


def needed(costs: Costs, telling: Telling, waiting: float, pace: float) -> dict[str, float]:
    """Cores, processes and machines for so many who wait."""
    load = Load.of(waiting, pace)
    first, *nodes = (part for part in costs["cpu_ms_a_move"] if part not in ("api", "worker"))
    api, database = load.cores(costs, "api"), load.cores(costs, first)
    on_nodes = sum(load.cores(costs, node) for node in nodes)
    processes = math.ceil(max(waiting / HELD, api / USED))
    machines = math.ceil(api / USED / MACHINE)
    return {
        "moves a second": load.moves,
        "wake-ups a second": load.wake_ups,
        "empty waits a second": load.empty,
        "cores of the API": api,
        "processes of the API": processes,
        f"cores of the {first}": database,
        "cores of telling, all processes listening": telling.cores(load.moves, processes, processes),
        "cores of telling, one listening a machine": telling.cores(load.moves, processes, machines),
        **({"cores of all nodes": on_nodes, f"nodes of {MACHINE} cores": _machines(on_nodes)} if nodes else {}),
    }


def most(costs: Costs, telling: Telling, pace: float, *, by_machine: bool) -> float:
    """How many may wait until the first database server has `LARGEST` cores to do; `by_machine`: while one process of
    each machine listens."""
    low, high = 1e3, 1e9
    while high / low > 1.001:
        middle = math.sqrt(low * high)
        found = needed(costs, telling, middle, pace)
        own = found["cores of the coordinator" if "cores of the coordinator" in found else "cores of the postgres"]
        told = found[f"cores of telling, {'one listening a machine' if by_machine else 'all processes listening'}"]
        low, high = (middle, high) if own + told <= LARGEST * USED else (low, middle)
    return low


def _machines(cores: float) -> int:
    return math.ceil(cores / USED / MACHINE)


def table(layouts: Mapping[str, Costs], telling: Telling, waiting: float = 1e6) -> Iterable[tuple[str, dict[str, Any]]]:
    """For each layout and pace what is needed, and how many its first database server bears."""
    for name, costs in layouts.items():
        for pace, seconds in PACES.items():
            found: dict[str, Any] = needed(costs, telling, waiting, seconds)
            for way, by_machine in (("as it is", False), ("one listening a machine", True)):
                found[f"most who wait, {way}"] = most(costs, telling, seconds, by_machine=by_machine)
            yield f"{name}, {pace}", found
