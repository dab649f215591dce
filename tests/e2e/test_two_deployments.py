"""Two deployments on one database, of this code and of the code before it, as during an update: clients of both play
the same games, and the workers of both end turns and play for bots."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from holmgang import Client
from tests.e2e.running import Running
from tests.e2e.test_faults import Player, games_are_whole
from tests.integration.test_migration_rules import unpack_code_before
from tests.trees import package_of, python_path
from tests.waiting import wait_until

pytestmark = pytest.mark.slow
RULESET, SEATS, PERSONS = "drakkars", 4, 3


@pytest.fixture
def deployments(database: str, open_folder: Path, tmp_path: Path) -> Iterator[tuple[Running, Running]]:
    """This code, and the code before it."""
    with contextlib.ExitStack() as started:
        found = []
        for code in (None, unpack_code_before(tmp_path)):
            folder = open_folder / ("now" if code is None else "before")
            folder.mkdir()
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                port = int(probe.getsockname()[1])
            running = Running(folder, port, database=database, settings={"WORKERS": "1"}, code=code)
            running.start()
            started.callback(running.kill, database=False)
            found.append(running)
        yield found[0], found[1]


def folder_of(running: Running) -> Path:
    """Where the code lies that its processes import."""
    name = "holmgang" if running.code is None else package_of(running.code)
    command = [sys.executable, "-c", f"import {name}; print({name}.__file__)"]
    environ = {**os.environ, **({} if running.code is None else {"PYTHONPATH": python_path(running.code)})}
    found = subprocess.run(command, cwd=running.code, env=environ, capture_output=True, text=True, check=True)
    return Path(found.stdout.strip())


def test_two_deployments_at_once(deployments: tuple[Running, Running], database: str) -> None:
    now, before = deployments
    assert before.code is not None
    assert folder_of(before).is_relative_to(before.code)
    assert not folder_of(now).is_relative_to(before.code)
    players = []
    for _ in range(3):
        clients = [Client.register(deployments[n % 2].url, f"player {n}") for n in range(PERSONS)]
        game = clients[0].create_game(RULESET, SEATS, turn_seconds=3600)["id"]
        for client in clients[1:]:
            client.take_seat(game)
        clients[0].seat_bot(game, "random")
        for n, client in enumerate(clients):
            url, token = deployments[n % 2].url, str(client.token)
            client.close()
            players.append(Player(url, token, game, n, loses_connections=False))
    for player in players:
        player.start()
    wait_until(lambda: sum(player.moves for player in players) >= 30, "the games get on", 60)
    for player in players:
        player.join(120)
    assert [wrong for player in players for wrong in player.wrong] == []
    assert all(player.over.is_set() for player in players)
    for now_or_before in deployments:
        assert now_or_before.stop() == 0
    games_are_whole(database, {player.game for player in players})


def test_a_key_is_one_for_both(deployments: tuple[Running, Running]) -> None:
    with Client.register(deployments[0].url, "Ragna") as client:
        headers = {"Authorization": f"Bearer {client.token}", "Idempotency-Key": "the-same"}
        body = {"ruleset": RULESET, "seats": SEATS}
        first, again = (
            httpx.post(f"{each.url}/v1/games", headers=headers, json=body, timeout=30) for each in deployments
        )
        assert (first.status_code, again.status_code) == (201, 201)
        assert first.content == again.content
        assert len(list(client.my_games())) == 1
