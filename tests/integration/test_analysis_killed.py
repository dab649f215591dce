"""Analyses by workers that are processes of their own, which are killed or told to stop in the middle."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from holmgang.app.access import find_caller
from holmgang.app.play import resignation
from holmgang.app.play.position import entry_of
from holmgang.app.reading import analyses
from holmgang.app.records.analyses import Analysis
from holmgang.store.database import PostgresStore
from tests.processes import command, family
from tests.waiting import wait_until

from .tables import Table, seat_players

TURNS = 24
"""Turns of Drakkars, where each takes some tenths of a second: more than are judged before anything is noted."""


def started(url: str) -> subprocess.Popen[bytes]:
    environ = {**os.environ, "DATABASE_URL": url, "LOG_LEVEL": "ERROR", "METRICS": "off"}
    return subprocess.Popen([sys.executable, "-m", "holmgang", "worker"], env=environ)


def look(table: Table) -> Analysis:
    with table.store.reading() as tables:
        return analyses.look(tables, table.game)


@pytest.mark.slow
@pytest.mark.plain_postgres("a worker of its own is given an address")
def test_it_goes_on_where_its_worker_ended_and_nothing_is_left_of_that(module_database: str) -> None:
    store = PostgresStore(module_database, pool_size=2)
    table = seat_players(store, 2, ruleset="drakkars")
    table.play(TURNS)
    with store.reading() as tables:
        resignation.resign(tables, table.secrets[0], table.game)
    with store.transaction() as tables:
        analyses.ask(tables, table.callers[0], find_caller(tables, None, table.game), most=1)
    noted = 0
    for how in (signal.SIGKILL, signal.SIGTERM):
        worker = started(module_database)
        try:
            wait_until(lambda before=noted: look(table).judged > before, "something is noted", 60)  # type: ignore[misc]
            (judge,) = [each for each in family(worker.pid)[1:] if "judging" in " ".join(command(each))]
            assert judge.nice() == 19
            worker.send_signal(how)
            worker.wait(60)
            judge.wait(10)
        finally:
            worker.kill()
            worker.wait()
        found = look(table)
        assert noted < found.judged < TURNS
        assert found.status == ("running" if how == signal.SIGKILL else "waiting"), "who is told to stop lets go"
        noted = found.judged
        with store.pool.connection() as rows:
            rows.execute("UPDATE analyses SET claimed_until = clock_timestamp()")  # a minute later
    worker = started(module_database)
    try:
        wait_until(lambda: look(table).status == "done", "the end", 120)
    finally:
        worker.kill()
        worker.wait()
    found = look(table)
    with store.reading() as tables:
        log = [(row.seq, entry_of(row)) for row in tables.log(table.game)]
    choices = [(seq, seat) for seq, entry in log for seat, _ in entry.actions]
    assert found.judged == found.total == len(choices) >= TURNS
    assert [(choice.seq, choice.seat) for choice in found.choices] == choices, "none is lost or doubled"
    asked = [seq - 1 for seq, entry in log if entry.actions]
    assert [position.seq for position in found.positions] == [*asked, log[-1][0]]
    store.close()
