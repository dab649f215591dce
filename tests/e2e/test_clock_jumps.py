"""The clock of the machine jumps, under Postgres, the server and the worker alike, while people and bots play against
deadlines: nobody is late by it, and no game stands still."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from holmgang import Client
from holmgang.store.embedded import EmbeddedPostgres
from tests.e2e.running import Running
from tests.e2e.test_faults import Player, nothing_is_lost_or_doubled
from tests.waiting import wait_until

pytestmark = pytest.mark.slow
RULESET, SEATS, PERSONS = "drakkars", 4, 3
TURN, DAY = 120, 86_400


OF_PYTHON = """
import os, time

_right = time.time


def believed():
    with open(os.environ["TEST_CLOCK"]) as file:
        return _right() + float(file.read())


time.time = believed
"""
"""What a Python process runs first; the library that does the same for others does not go well with it."""


def preloaded() -> str:
    """The library of the package `faketime`, which has a program believe in another time; skips the test without it."""
    program = shutil.which("faketime")
    if program is None:
        pytest.skip("the package faketime is not installed")
    command = [program, "-m", "now", "printenv", "LD_PRELOAD"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


class Clock:
    """The time that the programs believe in, by a file that they look at again and again."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.jump(0)

    def jump(self, seconds: int) -> None:
        """Be so far off the right time."""
        aside = self.file.with_suffix(".new")
        aside.write_text(f"{seconds:+d}\n")
        aside.chmod(0o644)
        aside.rename(self.file)


@pytest.fixture
def clock(open_folder: Path) -> Clock:
    return Clock(open_folder / "clock")


@pytest.fixture
def postgres(open_folder: Path, clock: Clock) -> Iterator[EmbeddedPostgres]:
    with pytest.MonkeyPatch.context() as environ:
        environ.setenv("LD_PRELOAD", preloaded())
        environ.setenv("FAKETIME_TIMESTAMP_FILE", str(clock.file))
        environ.setenv("FAKETIME_NO_CACHE", "1")
        environ.setenv("FAKETIME_DONT_FAKE_MONOTONIC", "1")
        server = EmbeddedPostgres(open_folder, {"fsync": "off"}).start()
    yield server
    server.stop()


@pytest.fixture
def running(postgres: EmbeddedPostgres, open_folder: Path, free_port: int, clock: Clock) -> Iterator[Running]:
    (open_folder / "sitecustomize.py").write_text(OF_PYTHON)
    environ = {"PYTHONPATH": str(open_folder), "TEST_CLOCK": str(clock.file)}
    service = Running(open_folder, free_port, database=postgres.url, settings=environ)
    yield service
    if service.process is not None and service.process.poll() is None:
        service.kill(database=False)


@pytest.mark.timeout(400)
def test_the_clock_of_the_machine_jumps(running: Running, postgres: EmbeddedPostgres, clock: Clock) -> None:
    running.start()
    players = []
    for _ in range(2):
        clients = [Client.register(running.url, f"player {n}") for n in range(PERSONS)]
        game = clients[0].create_game(RULESET, SEATS, turn_seconds=TURN, absence="forfeit")["id"]
        for client in clients[1:]:
            client.take_seat(game)
        clients[0].seat_bot(game, "random")
        for seat, client in enumerate(clients):
            players.append(Player(running.url, str(client.token), game, seat, loses_connections=False))
            client.close()
    with psycopg.connect(postgres.url, autocommit=True) as rows:
        for player in players:
            player.start()
        for number, to in enumerate((DAY, 0, -DAY, 0), start=1):
            wait_until(
                lambda number=number: sum(p.moves for p in players) >= number * 20,  # type: ignore[misc]
                "the games get on",
                120,
            )
            believed = rows.execute("SELECT clock_timestamp()").fetchone()
            clock.jump(to)
            wait_until(
                lambda before=believed: abs(seconds(rows, before)) > 3600,  # type: ignore[misc]
                "Postgres believes in it",
            )
        for player in players:
            player.join(200)
        late = rows.execute("SELECT count(*) FROM seats WHERE absent_since IS NOT NULL OR resigned_at IS NOT NULL")
        assert late.fetchone() == (0,)
    assert [wrong for player in players for wrong in player.wrong] == []
    assert all(player.over.is_set() for player in players)
    assert "deadlines were put off" in running.log()
    nothing_is_lost_or_doubled(running, players)


def seconds(rows: psycopg.Connection[tuple[object, ...]], since: object) -> float:
    assert isinstance(since, tuple)
    found = rows.execute("SELECT extract(epoch FROM clock_timestamp() - %s)", [since[0]]).fetchone()
    assert found is not None
    return float(str(found[0]))
