"""A tournament whose worker is a process of its own, and is killed in the middle of it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter
from functools import partial

import msgspec
import pytest

from holmgang.app.access import find_caller
from holmgang.app.fairness.claims import read_record
from holmgang.app.fairness.verify import verify
from holmgang.app.reading import queries
from holmgang.store.database import PostgresStore
from tests.integration.tournaments import Event, made
from tests.waiting import wait_until


def started(url: str) -> subprocess.Popen[bytes]:
    environ = {**os.environ, "DATABASE_URL": url, "LOG_LEVEL": "ERROR", "METRICS": "off"}
    return subprocess.Popen([sys.executable, "-m", "holmgang", "worker"], env=environ)


def in_the_middle(event: Event, after: int) -> bool:
    """Whether a round after that one is being played, and some of its tables have been counted."""
    tables = [table for table in event.tables() if table.round == event.read().round > after]
    return 0 < sum(table.counted is None for table in tables) < len(tables)


def need_records(event: Event) -> int:
    """All games of a tournament have records that hold. How many there are."""
    games = [game.game for table in event.tables() for game in table.games if game.game is not None]
    for game in games:
        with event.store.reading() as tables:
            record = queries.record(tables, find_caller(tables, None, game))
        assert verify(read_record(msgspec.json.encode(record))).difference is None
    return len(games)


@pytest.mark.slow
@pytest.mark.plain_postgres("a worker of its own is given an address")
@pytest.mark.parametrize(("bots", "rounds"), [(64, 7)])
def test_it_goes_on_where_its_worker_was_killed(module_database: str, bots: int, rounds: int) -> None:
    store = PostgresStore(module_database, pool_size=4)
    event = made(store, 0, rounds=rounds, bots=("random",), fill_to=bots)
    event.begin()
    began = time.monotonic()
    worker = started(module_database)
    try:
        for at in (rounds // 3, 2 * rounds // 3):
            wait_until(partial(in_the_middle, event, at), f"round {at} is played", 600)
            worker.kill()
            worker.wait()
            worker = started(module_database)
        wait_until(lambda: event.read().status == "over", "the end", 1200)
    finally:
        worker.kill()
        worker.wait()
    print(f"{time.monotonic() - began:.0f} s")
    assert event.faults() == []
    tables = event.tables()
    assert len(tables) == rounds * bots // 2
    assert all(len(table.games) == 1 for table in tables)
    assert need_records(event) == len(tables)
    lines = event.standings()
    assert sum(line.points for line in lines) == len(tables)
    assert all(times == 1 for times in Counter(frozenset(table.players) for table in tables).values())
    store.close()
