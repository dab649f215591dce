"""The demonstration of every game, with worker and wake-ups, on a cluster."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e.running import Running, serving
from tests.e2e.test_demo import play_every_game

from .cluster import Cluster


@pytest.fixture
def running(cluster: Cluster) -> Iterator[Running]:
    with cluster.distributed("demo") as url, serving(url) as service:
        yield service


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_demonstration_plays_every_game_on_a_cluster(running: Running) -> None:
    play_every_game(running)
