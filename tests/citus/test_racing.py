"""The race of `tests/histories` on a cluster, whose nodes are killed in turn with all else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from holmgang.store.database import PostgresStore
from tests.e2e.running import Running
from tests.e2e.test_faults import kill_one
from tests.histories.test_racing import END_SECONDS, PLENTY, SECONDS, judge, race

from .agenda import untrue
from .cluster import Cluster, Node

pytestmark = [pytest.mark.slow, pytest.mark.timeout(SECONDS + END_SECONDS + 900)]


@pytest.fixture
def database(cluster: Cluster) -> Iterator[str]:
    with cluster.distributed("racing") as url:
        yield url


@pytest.fixture
def running(database: str, open_folder: Path, free_port: int) -> Iterator[Running]:
    service = Running(open_folder, free_port, settings=PLENTY, database=database)
    yield service
    if service.process is not None and service.process.poll() is None:
        service.kill(database=False)


def lose(*nodes: Node) -> None:
    """They are killed, and started again."""
    for node in nodes:
        node.kill()
    for node in nodes:
        node.start()


def test_the_history_of_a_race_on_a_cluster_is_clean(
    cluster: Cluster, database: str, running: Running, tmp_path: Path
) -> None:
    one, two = cluster.workers
    faults: list[Callable[[], None]] = [
        lambda: kill_one(running, "api"),
        lambda: lose(one),
        lambda: kill_one(running, "worker"),
        lambda: lose(cluster.coordinator),
        lambda: kill_one(running, "server"),
        lambda: lose(*cluster.nodes),
        lambda: lose(two),
    ]
    judge(race(running, faults), database, tmp_path)
    with closing(PostgresStore(database, pool_size=1)) as store, store.reading() as tables:
        tables.sweep(7)  # what the killed have left
    assert untrue(database) == []
