"""The scaled-out deployment of `tests/scaling` with a cluster behind its PgBouncer."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from bench.deployment import NAME, PASSWORD, Database, Deployment, deployed, missing_programs
from holmgang.store.distribution import distribute
from holmgang.store.migrate import upgrade
from tests.scaling.test_scale_out import test_all_games_finish_while_replicas_and_workers_are_killed

from .cluster import Cluster

__all__ = ["test_all_games_finish_while_replicas_and_workers_are_killed"]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(missing_programs()), reason="needs pgbouncer and caddy: apt-get install pgbouncer caddy"),
]


@pytest.fixture
def deployment(cluster: Cluster) -> Iterator[Deployment]:
    cluster.create_database(NAME)
    coordinator = cluster.coordinator
    with psycopg.connect(coordinator.url(NAME), autocommit=True) as connection:  # which tells the workers
        connection.execute(f"CREATE ROLE {NAME} LOGIN PASSWORD '{PASSWORD}'".encode())
    for node in cluster.nodes:
        with psycopg.connect(node.url(), autocommit=True) as connection:
            connection.execute("SET citus.enable_alter_database_owner = off")
            connection.execute(f"ALTER DATABASE {NAME} OWNER TO {NAME}".encode())
    direct = f"postgresql://{NAME}@127.0.0.1:{coordinator.port}/{NAME}"
    upgrade(direct)
    distribute(direct)
    account = coordinator.cluster.stat().st_uid
    with deployed(database=Database(direct, coordinator.cluster, coordinator.port, account)) as running:
        yield running
    cluster.drop_database(NAME)
