"""The disk under the database is full: refusals that say to try again, nothing half written, and all goes on by itself
once there is room.

Postgres answers in two ways, and both are tried. Where a table or index cannot grow, the statement fails and all else
goes on. Where the write-ahead log cannot, the server stops itself, and cannot start before there is room.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from holmgang import Client
from holmgang.store.embedded import EmbeddedPostgres
from tests.e2e.asking import Refused, call
from tests.e2e.running import Running
from tests.e2e.test_faults import games_are_whole
from tests.waiting import wait_until

SIZE = "160m"
SEATS = 3


@pytest.fixture
def running(open_folder: Path, free_port: int) -> Iterator[Running]:
    """A service whose database has a small disk of its own; it logs elsewhere."""
    disk = open_folder / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=755", "holmgang-test", str(disk)]
    if os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("only root can mount a disk that is small enough to be filled")
    mounted = subprocess.run(mount, capture_output=True, text=True, check=False)
    if mounted.returncode != 0:
        pytest.skip(f"this machine lets nobody mount a disk of that size: {mounted.stderr.strip()}")
    service = Running(open_folder, free_port, settings={"DATA_DIR": str(disk / "data"), "WORKERS": "1"})
    try:
        yield service
    finally:
        if service.process is not None and service.process.poll() is None:
            service.stop()
        EmbeddedPostgres(disk / "data").start().stop()
        wait_until(lambda: subprocess.run(["umount", str(disk)], check=False).returncode == 0, "nobody uses the disk")


def data(running: Running) -> Path:
    return Path(running.settings["DATA_DIR"])


def fill(running: Running) -> Callable[[], None]:
    """Leave no byte on the disk. What it gives makes room again."""
    ballast = data(running).parent / "ballast"
    with ballast.open("wb", buffering=0) as file:
        size = 1 << 20
        while size:
            try:
                file.write(b"\0" * size)
            except OSError:
                size //= 2
    return ballast.unlink


class Seated:
    """A game under way, and who plays it."""

    def __init__(self, running: Running) -> None:
        self.running = running
        clients = [Client.register(running.url, f"player {n}") for n in range(SEATS)]
        self.game = clients[0].create_game("eketorp", SEATS)["id"]
        for client in clients[1:]:
            client.take_seat(self.game)
        self.tokens = [str(client.token) for client in clients]
        for client in clients:
            client.close()
        self.receipts: dict[str, int] = {}

    def move(self) -> None:
        """One choice of each who is asked, or Refused."""
        for seat, token in enumerate(self.tokens):
            turn = call(self.running.url, token, "GET", f"/v1/games/{self.game}/turn").json()
            if turn["status"] == "active" and turn["yours"]:
                legal = turn["legal"]
                body = {"turn": turn["turn"], "action": legal.get("sample") or legal["actions"][0]}
                kept = call(self.running.url, token, "POST", f"/v1/games/{self.game}/submissions", body)
                self.receipts[kept.json()["id"]] = seat

    def moves(self) -> bool:
        try:
            self.move()
        except Refused:
            return False
        return True

    def receipts_are_kept(self) -> None:
        for receipt, seat in self.receipts.items():
            call(self.running.url, self.tokens[seat], "GET", f"/v1/games/{self.game}/submissions/{receipt}")


def insert_for_ever(connection: psycopg.Connection[Any]) -> None:
    """Use up what is free in the files that there are."""
    while True:
        connection.execute("INSERT INTO ballast SELECT repeat('x', 900) FROM generate_series(1, 50)")


def log_for_ever(connection: psycopg.Connection[Any]) -> None:
    """Use up the segments of the write-ahead log that are set aside."""
    while True:
        connection.execute("SELECT pg_logical_emit_message(false, 'fill', repeat('x', 1000000))")


@pytest.mark.slow
@pytest.mark.timeout(180)
def test_a_table_that_cannot_grow(running: Running) -> None:
    running.start()
    seated = Seated(running)
    seated.move()
    with psycopg.connect(EmbeddedPostgres(data(running)).url, autocommit=True) as connection:
        connection.execute("CREATE TABLE ballast (x text)")
        make_room = fill(running)
        with pytest.raises(psycopg.errors.DiskFull):
            insert_for_ever(connection)
    refused = 0
    for _ in range(100):
        refused += not seated.moves()
        if refused == 5:
            break
    assert refused == 5, "the game's own tables cannot grow either"
    seated.receipts_are_kept()
    call(running.url, seated.tokens[0], "GET", f"/v1/games/{seated.game}/view")  # reading goes on
    make_room()
    goes_on(running, seated, "it goes on by itself", 60)


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_a_write_ahead_log_that_cannot_grow(running: Running) -> None:
    running.start()
    seated = Seated(running)
    seated.move()
    make_room = fill(running)
    url = EmbeddedPostgres(data(running)).url
    with psycopg.connect(url, autocommit=True) as connection, pytest.raises(psycopg.OperationalError):
        log_for_ever(connection)
    wait_until(lambda: not seated.moves(), "moves are refused", 60)
    for path in ("/v1/me/games", f"/v1/games/{seated.game}/view"):
        with pytest.raises(Refused):
            call(running.url, seated.tokens[0], "GET", path)
    assert httpx.get(f"{running.url}/healthz", timeout=10).status_code == 200
    assert httpx.get(f"{running.url}/readyz", timeout=10).status_code == 503
    make_room()
    goes_on(running, seated, "Postgres is started again, and it goes on by itself", 90)


def goes_on(running: Running, seated: Seated, what: str, seconds: float) -> None:
    """Moves are taken again; whatever was acknowledged is there, and the games are whole."""
    for _ in range(5):
        wait_until(seated.moves, what, seconds)
    seated.receipts_are_kept()
    assert running.stop() == 0
    with EmbeddedPostgres(data(running)) as postgres:
        games_are_whole(postgres.url, [seated.game])
