"""`holmgang distribute`: all or nothing, as often as one likes, and a sentence where it cannot be."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from click.testing import CliRunner

from holmgang.cli.commands.distribute import command
from holmgang.cli.commands.migrate import command as migrate
from holmgang.store.backup import BackupError, backup
from holmgang.store.database import PostgresStore
from holmgang.store.distribution import (
    OLDEST_CODE,
    ON_NODES,
    CannotDistribute,
    _place,
    check,
    distribute,
    is_distributed,
)
from holmgang.store.embedded import SUPERUSER
from holmgang.store.migrate import upgrade
from tests.integration.tables import seat_players
from tests.waiting import wait_until

from .cluster import Cluster, create_database

if TYPE_CHECKING:
    import click

PLACES = """
    SELECT 'table', logicalrelid::text FROM pg_dist_partition
    UNION ALL SELECT 'key', conname::text FROM pg_constraint WHERE contype = 'f'
    UNION ALL SELECT 'function', proname::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL
    SELECT 'routed', objid::regprocedure::text
    FROM pg_dist_object
    WHERE classid = 'pg_proc'::regclass AND distribution_argument_index = 0
    ORDER BY 1, 2
"""


def execute(url: str, statement: str) -> list[Any]:
    with psycopg.connect(url, autocommit=True) as connection:
        done = connection.execute(statement.encode())
        return done.fetchall() if done.description else []


@pytest.fixture
def name(cluster: Cluster) -> Iterator[str]:
    """Of a database for the test, which it makes itself."""
    name = f"test_{uuid.uuid4().hex}"
    yield name
    cluster.drop_database(name)


@pytest.fixture
def url(cluster: Cluster, name: str) -> str:
    """The coordinator's address of a migrated database, which is not distributed."""
    url = cluster.create_database(name)
    upgrade(url)
    return url


@pytest.fixture(scope="module")
def empty(cluster: Cluster) -> Iterator[str]:
    """The same of one without a schema, for tests that leave it so."""
    url = cluster.create_database("empty")
    yield url
    assert execute(url, "SELECT to_regclass('games')") == [(None,)]
    cluster.drop_database("empty")


class _BrokenOffError(Exception):
    pass


@contextmanager
def broken_off_after(monkeypatch: pytest.MonkeyPatch, statements: int) -> Iterator[list[str]]:
    """The process ends, as far as the database can see, once so many statements are through."""
    real, done = psycopg.Connection.execute, list[str]()

    def execute(self: psycopg.Connection, query: Any, *arguments: Any, **more: Any) -> Any:
        found = real(self, query, *arguments, **more)
        done.append(str(query))
        if len(done) == statements:
            self.pgconn.finish()
            raise _BrokenOffError
        return found

    with monkeypatch.context() as patch:
        patch.setattr(psycopg.Connection, "execute", execute)
        yield done


def test_broken_off_anywhere_it_is_done_by_the_next(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = execute(url, PLACES)
    broken = 0
    for statements in range(1, 1000, 11):
        with broken_off_after(monkeypatch, statements), suppress(_BrokenOffError):
            distribute(url)
            break
        broken += 1
        assert execute(url, PLACES) == before
    assert broken > 3
    after = execute(url, PLACES)
    assert after != before
    assert execute(url, "SELECT oldest FROM schema_floor") == [(OLDEST_CODE,)]
    with broken_off_after(monkeypatch, 0) as done:
        distribute(url)
    assert execute(url, PLACES) == after
    assert not [each for each in done if re.search(r"ALTER TABLE|create_distributed|CREATE FUNCTION", each)]


def test_a_backup_of_one_moment_is_not_promised(url: str, tmp_path: Path) -> None:
    distribute(url)
    with pytest.raises(BackupError, match="back up each server"):
        backup(url, tmp_path / "games.dump")
    assert not list(tmp_path.iterdir())


def test_two_at_once_distribute_once(url: str) -> None:
    faults: list[Exception] = []

    def run() -> None:
        try:
            distribute(url)
        except Exception as fault:
            faults.append(fault)

    both = [threading.Thread(target=run) for _ in range(2)]
    for each in both:
        each.start()
    for each in both:
        each.join()
    assert faults == []
    with psycopg.connect(url) as connection:
        assert is_distributed(connection)


def test_it_may_be_repeated_while_games_are_played(url: str) -> None:
    distribute(url)
    store = PostgresStore(url, pool_size=2)
    try:
        table = seat_players(store)
        table.play(turns=2)
        distribute(url)
        table.play()
        assert table.row().status == "over"
    finally:
        store.close()


def test_functions_keep_no_plans_on_the_nodes(cluster: Cluster, url: str, name: str) -> None:
    """Citus adds to a plan that it keeps at each use: the memory of a session grew by 100 KB a move."""
    distribute(url)
    planned = """
        SELECT f, proconfig
        FROM unnest(%s::text[]) AS f
        LEFT JOIN pg_proc ON oid = to_regprocedure(f)
    """
    for node in cluster.nodes:
        with psycopg.connect(node.url(name)) as connection:
            found = connection.execute(planned, [[function.signature for function in ON_NODES]]).fetchall()
        assert found == [(function.signature, ["plan_cache_mode=force_custom_plan"]) for function in ON_NODES]


def test_games_that_are_there_stay(url: str) -> None:
    store = PostgresStore(url, pool_size=2)
    seat_players(store)
    store.close()
    with pytest.raises(CannotDistribute, match="There are games already"):
        distribute(url)
    with psycopg.connect(url) as connection:
        assert not is_distributed(connection)


def test_a_service_that_runs_is_told_of(url: str) -> None:
    store = PostgresStore(url, pool_size=1)
    try:
        assert store.ready()
        with pytest.raises(CannotDistribute, match=r"A service or a worker is connected \(\d sessions\)"):
            distribute(url)
    finally:
        store.close()


def test_a_service_that_starts_meanwhile_writes_nothing_as_before(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It took games for such as lie beside all else. The functions are gone by which it would play them."""
    stores = []

    def place(connection: psycopg.Connection) -> None:
        stores.append(PostgresStore(url, pool_size=1))
        with stores[0].reading():
            pass
        _place(connection)

    monkeypatch.setattr("holmgang.store.distribution._place", place)
    distribute(url)
    try:
        with pytest.raises(psycopg.errors.UndefinedFunction):
            seat_players(stores[0]).play(turns=1)
        assert execute(url, "SELECT count(*) FROM log") == [(0,)]
    finally:
        stores[0].close()


@pytest.mark.parametrize("database_of", ["database", "empty_database"])
def test_a_database_without_citus_is_refused(database_of: str, request: pytest.FixtureRequest) -> None:
    with pytest.raises(CannotDistribute, match=r"The database has no Citus: .* CREATE EXTENSION citus"):
        check(request.getfixturevalue(database_of))


def test_an_old_citus_is_refused(empty: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check(empty)
    monkeypatch.setattr("holmgang.store.distribution.OLDEST", 99)
    with pytest.raises(CannotDistribute, match=r"The database has Citus 14\.\d-\d; 99\.0 or later is needed"):
        check(empty)


def test_more_than_one_copy_of_a_row_is_refused(empty: str) -> None:
    execute(empty, "ALTER DATABASE empty SET citus.shard_replication_factor = 2")
    with pytest.raises(CannotDistribute, match=r"citus\.shard_replication_factor is 2, .* set it to 1"):
        check(empty)
    execute(empty, "ALTER DATABASE empty RESET citus.shard_replication_factor")
    check(empty)


def test_a_coordinator_without_workers_is_refused(cluster: Cluster, name: str) -> None:
    alone = create_database(name, [cluster.coordinator.port])
    with pytest.raises(CannotDistribute, match=r"knows no worker that takes games: SELECT citus_add_node"):
        check(alone)


@pytest.mark.parametrize("command", [command, migrate], ids=lambda command: command.name)
def test_a_worker_is_refused_before_a_schema_is_made_there(
    cluster: Cluster, empty: str, command: click.Command
) -> None:
    worker = cluster.workers[0].url("empty")
    done = CliRunner().invoke(command, env={"DATABASE_URL": worker})
    assert done.exit_code == 1
    assert "Error: This server is a worker of a Citus cluster" in done.output
    assert "name the coordinator in DATABASE_URL." in done.output
    assert execute(worker, "SELECT to_regclass('games')") == [(None,)]
    check(empty)


def test_a_role_that_owns_nothing_is_refused(cluster: Cluster, url: str) -> None:
    role = f"role_{uuid.uuid4().hex[:8]}"
    theirs = url.replace(f"{SUPERUSER}@", f"{role}@")
    execute(url, f"SET citus.enable_create_role_propagation = off; CREATE ROLE {role} LOGIN")
    try:
        with pytest.raises(CannotDistribute, match=r"may not do that \(permission denied for table games\)"):
            distribute(theirs)
    finally:
        execute(url, f"SET citus.enable_create_role_propagation = off; DROP ROLE {role}")


def test_a_lost_node_is_a_sentence(cluster: Cluster, url: str) -> None:
    before = execute(url, PLACES)
    lost = cluster.workers[1]
    lost.stop()
    try:
        with pytest.raises(CannotDistribute, match=r"The cluster refuses \(.*\): put that right, then run this again"):
            distribute(url)
        assert execute(url, PLACES) == before
    finally:
        lost.start()
    distribute(url)


@pytest.mark.skipif(shutil.which("pgbouncer") is None, reason="needs pgbouncer: apt-get install pgbouncer")
def test_a_pooler_between_is_refused(cluster: Cluster, empty: str, open_folder: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    file = open_folder / "pgbouncer.ini"
    file.write_text(
        f"[databases]\n* = host=127.0.0.1 port={cluster.coordinator.port} user={SUPERUSER}\n[pgbouncer]\n"
        f"listen_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = any\npool_mode = transaction\n"
    )
    file.chmod(0o644)
    pooled = empty.replace(str(cluster.coordinator.port), str(port))
    with subprocess.Popen(["pgbouncer", "--user=nobody", str(file)], stderr=subprocess.DEVNULL) as pooler:
        try:
            wait_until(lambda: answers(port), "the pooler answers")
            given = {"DATABASE_URL": pooled}
            done = CliRunner().invoke(command, env=given)
            assert done.exit_code == 1
            assert "A pooler stands before the database" in done.output
            assert "set DATABASE_DIRECT_URL" in done.output
            assert execute(empty, "SELECT to_regclass('games')") == [(None,)]
        finally:
            pooler.terminate()


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
