"""A game that nobody touches, at a service as its users run it: archived by its worker, revived, played to its end."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random

import httpx
import pytest

from holmgang import Client, Problem
from holmgang.store.database import PostgresStore
from holmgang.store.embedded import EmbeddedPostgres
from tests.e2e.running import Running
from tests.e2e.test_kill import Match
from tests.waiting import wait_until


@pytest.fixture
def running(open_folder: Path, free_port: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    monkeypatch.setenv("ARCHIVE_DAYS", "2")
    service = Running(open_folder, free_port)
    service.start()
    yield service
    service.kill(database=True)


def make_old(running: Running, game: str, days: int) -> None:
    """As if all that was done in the game had been done so many days earlier. With the service stopped."""
    with EmbeddedPostgres(running.folder) as postgres:
        store = PostgresStore(postgres.url, pool_size=1)
        with store.pool.connection() as connection:
            for table, column, key in (("events", "at", "game_id"), ("games", "touched_at", "id")):
                connection.execute(
                    f"UPDATE {table} SET {column} = {column} - make_interval(days => %s) WHERE {key} = %s".encode(),
                    [days, game],
                )
        store.close()


@pytest.mark.slow  # integration/test_archive sees the same without a process
def test_the_worker_archives_after_the_days_it_is_told_and_the_record_still_holds(
    running: Running, tmp_path: Path
) -> None:
    clients = [Client.register(running.url, name) for name in ("Astrid", "Bjorn", "Ragna")]
    old, young = (clients[0].create_game("eketorp", 3)["id"] for _ in range(2))
    for client in clients[1:]:
        for game in (old, young):
            client.take_seat(game)
    turn = clients[0].turn(old)
    assert turn["legal"] is not None
    sealed = clients[0].submit(old, turn["turn"], turn["legal"]["sample"])
    assert sealed["state"] == "sealed"
    assert running.stop() == 0
    make_old(running, old, 3)
    make_old(running, young, 1)
    running.start()
    wait_until(lambda: httpx.get(f"{running.url}/v1/games/{old}").json()["status"] == "archived", "it is archived")
    listed = httpx.get(f"{running.url}/v1/games?status=archived").json()["items"]
    assert [each["id"] for each in listed] == [old]
    assert httpx.get(f"{running.url}/v1/games/{young}").json()["status"] == "active"

    with pytest.raises(Problem, match="game_archived"):
        clients[1].submit(old, turn["turn"], turn["legal"]["sample"])
    clients[2].return_to_seat(old, 2)
    assert [client.turn(old)["yours"] for client in clients] == [False, True, True], "the sealed choice stands"
    Match(old, clients).play(threading.Event(), Random(5))

    answer = httpx.get(f"{running.url}/v1/games/{old}/record")
    assert answer.status_code == 200, answer.text
    (tmp_path / "record.json").write_bytes(answer.content)
    command = [sys.executable, "-m", "holmgang.cli.main", "verify", str(tmp_path / "record.json")]
    verified = subprocess.run(command, env=os.environ, capture_output=True, text=True, timeout=120, check=False)
    assert verified.returncode == 0, verified.stdout + verified.stderr
    kept = httpx.get(f"{running.url}/v1/games/{old}/submissions/{sealed['id']}").json()
    assert (kept["state"], kept["turn"], kept["seat"]) == ("applied", turn["turn"], 0)
