"""A worker that has nothing to do, and is told to end: it waits for no news any more."""

from __future__ import annotations

import signal
import subprocess
import sys

import psycopg
import pytest

from tests.waiting import STARTED_S, wait_until

SLOW = """
from holmgang.cli.worker import work
from holmgang.config import Settings
from holmgang.worker import loop

loop.LOOK_SECONDS = loop.MEET_SECONDS = loop.ANALYSE_SECONDS = 3600
work(Settings.from_environment())
"""
"""A worker that looks by itself once an hour."""


def listening(url: str) -> bool:
    with psycopg.connect(url) as connection:
        return bool(
            connection.execute(
                "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'"
            ).fetchone()
        )


@pytest.mark.plain_postgres("a worker of its own is given an address")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_though_it_would_wait_for_long(database: str, number: signal.Signals) -> None:
    environ = {"DATABASE_URL": database, "LOG_LEVEL": "ERROR"}
    worker = subprocess.Popen([sys.executable, "-c", SLOW], env=environ)
    try:
        wait_until(lambda: listening(database), "the worker waits for news", STARTED_S)
        worker.send_signal(number)
        assert worker.wait(30) == 0
    finally:
        worker.kill()
        worker.wait()
