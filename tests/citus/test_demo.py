"""The demonstration of every game, with worker and wake-ups, on a cluster."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from holmgang.store.distribution import distribute
from holmgang.store.migrate import upgrade
from tests.e2e.running import Running, serving
from tests.e2e.test_demo import play_every_game

from .cluster import Cluster


@pytest.fixture
def running(cluster: Cluster) -> Iterator[Running]:
    url = cluster.create_database("demo")
    upgrade(url)
    distribute(url)
    with serving(url) as service:
        yield service
    cluster.drop_database("demo")


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_demonstration_plays_every_game_on_a_cluster(running: Running) -> None:
    play_every_game(running)
