"""kill -9 in the middle of games, again and again: every acknowledged submission is kept, and no half one."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

import httpx
import pytest

from holmgang import Client, Problem
from holmgang.store.database import PostgresStore
from holmgang.store.embedded import EmbeddedPostgres
from tests.e2e.running import Running
from tests.integration.tables import Table
from tests.integration.test_submissions import feed_is_gapless, log_replays

if TYPE_CHECKING:
    from holmgang.answers import Receipt

PLAYERS = 4
GAMES = 6


@dataclass
class Match:
    """One game and its players, one client each, with every receipt that a client holds in its hand."""

    game: str
    clients: list[Client]
    receipts: dict[tuple[int, int], tuple[Receipt, Any]] = field(default_factory=dict)

    def play(self, stop: threading.Event, rng: random.Random) -> None:
        """Move whoever is awaited until told to stop, the game is over, or the server is gone."""
        try:
            while not stop.is_set():
                moved = False
                for seat, client in enumerate(self.clients):
                    turn = client.turn(self.game)
                    if turn["status"] == "over":
                        return
                    if not turn["yours"]:
                        continue
                    legal = turn["legal"]
                    assert legal is not None
                    action = rng.choice(legal["actions"]) if "actions" in legal else legal["sample"]
                    receipt = client.submit(self.game, turn["turn"], action)
                    self.receipts[(turn["turn"], seat)] = (receipt, action)
                    moved = True
                assert moved or stop.is_set(), "a running game awaits somebody"
        except httpx.TransportError:
            return
        except Problem as problem:
            if not problem.retryable:
                raise


@pytest.fixture
def running(open_folder: Path, free_port: int) -> Iterator[Running]:
    service = Running(open_folder, free_port)
    yield service
    if service.process is not None and service.process.poll() is None:
        service.kill(database=True)


def _matches(url: str) -> list[Match]:
    matches = []
    for _ in range(GAMES):
        clients = [Client.register(url, f"player {n}", patience=2) for n in range(PLAYERS)]
        game = clients[0].create_game("eketorp", PLAYERS)["id"]
        for client in clients[1:]:
            client.take_seat(game)
        matches.append(Match(game, clients))
    return matches


def _kill_and_look(running: Running, kills: int) -> None:
    rng = random.Random(20)
    running.start()
    matches = _matches(running.url)
    for round_ in range(kills):
        if all(m.clients[0].game(m.game)["status"] == "over" for m in matches):
            matches += _matches(running.url)
        stop = threading.Event()
        players = [
            threading.Thread(target=m.play, args=(stop, random.Random(round_ * 100 + n)), daemon=True)
            for n, m in enumerate(matches)
        ]
        before = sum(len(m.receipts) for m in matches)
        for player in players:
            player.start()
        # A random moment under load: after some more moves, wherever the others are just then.
        goal = before + rng.randrange(5, 60)
        while sum(len(m.receipts) for m in matches) < goal and any(p.is_alive() for p in players):
            players[rng.randrange(len(players))].join(0.001)
        running.kill(database=round_ % 2 == 1)
        stop.set()
        for player in players:
            player.join(20)
            assert not player.is_alive()
        running.start()
        _everything_is_there(matches)
    with EmbeddedPostgres(running.folder) as postgres:
        store = PostgresStore(postgres.url, pool_size=2)
        for match in matches:
            table = Table(store, UUID(match.game), [], [])
            log_replays(table)
            feed_is_gapless(table)
        store.close()
    assert running.stop() == 0


def _everything_is_there(matches: list[Match]) -> None:
    for match in matches:
        for (turn, seat), (receipt, action) in match.receipts.items():
            kept = match.clients[seat].submission(match.game, receipt["id"])
            assert (kept["turn"], kept["seat"], kept["revision"]) == (turn, seat, receipt["revision"])
            assert kept["action"] == action
            assert kept["received_at"] == receipt["received_at"]


def test_killed_without_and_with_its_database_in_the_middle_of_games(running: Running) -> None:
    _kill_and_look(running, 2)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_killed_twenty_times_in_the_middle_of_games(running: Running) -> None:
    _kill_and_look(running, 20)
