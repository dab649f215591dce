"""Tournaments over the real store: they start, are paired, played, counted, and end."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from holmgang.app.records.tournaments import Kind
from holmgang.store.database import PostgresStore
from holmgang.worker.loop import Worker
from tests.integration.tournaments import made


@pytest.fixture(scope="module")
def store(module_database: str) -> Iterator[PostgresStore]:
    store = PostgresStore(module_database, pool_size=10)
    yield store
    store.close()


@pytest.mark.parametrize("kind", ["swiss", "round-robin", "knock-out"])
@pytest.mark.parametrize(("people", "seats"), [(5, 2), (7, 3)])
def test_it_is_played_to_its_end(store: PostgresStore, kind: Kind, people: int, seats: int) -> None:
    event = made(store, people, kind, seats=seats)
    event.begin()
    event.play()
    one = event.read()
    assert one.status == "over"
    assert event.faults() == []
    assert {len(table.players) for table in event.tables()} <= {2, seats}


def test_the_worker_plays_one_of_bots_alone(store: PostgresStore) -> None:
    event = made(store, 1, bots=("random", "greedy"), fill_to=4, starts_with=None)
    event.leave(next(entry.player for entry in event.entries()))
    event.begin()
    worker = Worker(store, random.Random(1))
    for _ in range(400):
        if event.read().status == "over":
            break
        worker.work()
    assert event.read().status == "over"
    assert event.faults() == []
    assert {game.outcome for table in event.tables() for game in table.games} == {"played"}
