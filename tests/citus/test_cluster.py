"""The cluster that other tests run on is what it says."""

from __future__ import annotations

import psycopg

from .cluster import SHARDS, Cluster


def test_rows_lie_on_the_workers_and_come_back(cluster: Cluster) -> None:
    url = cluster.create_database("rows")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE t (id int PRIMARY KEY, n int)")
        connection.execute("SELECT create_distributed_table('t', 'id')")
        for n in range(40):
            connection.execute("INSERT INTO t VALUES (%s, %s)", [n, n])
        placed = connection.execute("SELECT nodeport, count(*) FROM citus_shards GROUP BY 1").fetchall()
        assert dict(placed) == dict.fromkeys((node.port for node in cluster.workers), SHARDS // 2)
        victim = cluster.workers[0]
        victim.kill()
        answered = []
        for n in range(40):
            try:
                answered.append(connection.execute("SELECT n FROM t WHERE id = %s", [n]).fetchone())
            except psycopg.Error:
                answered.append(None)
        assert None in answered
        assert any(answered)
        victim.start()
        assert connection.execute("SELECT count(*) FROM t").fetchone() == (40,)
    cluster.drop_database("rows")
