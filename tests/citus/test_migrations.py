"""Migrations to come, on a database whose games are distributed: one that does what migrations do."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest
from psycopg.sql import SQL
from sqlalchemy import Engine, event
from sqlalchemy.exc import OperationalError

from holmgang.store import distributed, distribution, migrate
from holmgang.store.database import PostgresStore
from holmgang.store.distribution import OF_A_GAME
from holmgang.store.function import Function
from holmgang.store.functions import APART
from holmgang.store.migrate import MIGRATIONS, upgrade
from holmgang.store.rows import Query
from holmgang.store.schema_version import SCHEMA_VERSION
from tests.integration.tables import seat_players

from .cluster import SHARDS, Cluster

MIGRATION = f'''
import sqlalchemy as sa
from alembic import op

revision, down_revision = "9000", "{SCHEMA_VERSION}"


def upgrade():
    for table in ("games", "players", "awaited", "inbox", "agenda"):
        column = sa.Column("later", sa.Integer(), nullable=False, server_default="7")
        op.add_column(table, column, if_not_exists=True)
    op.create_table("later", sa.Column("game_id", sa.Uuid(), primary_key=True), if_not_exists=True)
    with op.get_context().autocommit_block():
        op.execute("DROP INDEX CONCURRENTLY IF EXISTS games_later_idx")
        op.create_index("games_later_idx", "games", ["later"], postgresql_concurrently=True)
'''
MOVE = Function("move", APART.move.parameters, "text", SQL("-- Later.") + SQL(APART.move.body))
BACK = f"""
    DROP INDEX IF EXISTS games_later_idx;
    DROP TABLE IF EXISTS later;
    ALTER TABLE games DROP COLUMN IF EXISTS later;
    ALTER TABLE players DROP COLUMN IF EXISTS later;
    ALTER TABLE awaited DROP COLUMN IF EXISTS later;
    ALTER TABLE inbox DROP COLUMN IF EXISTS later;
    ALTER TABLE agenda DROP COLUMN IF EXISTS later;
    UPDATE alembic_version SET version_num = '{SCHEMA_VERSION}'
"""


@pytest.fixture
def url(cluster: Cluster) -> Iterator[str]:
    """The address of a distributed database."""
    with cluster.distributed(f"test_{uuid.uuid4().hex}") as url:
        yield url


@pytest.fixture
def store(url: str) -> Iterator[PostgresStore]:
    store = PostgresStore(url, pool_size=2)
    yield store
    store.close()


@pytest.fixture
def later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Migrations of a release to come, which has a table more and writes moves in another way."""
    scripts = tmp_path / "migrations"
    shutil.copytree(MIGRATIONS, scripts, ignore=shutil.ignore_patterns("__pycache__"))
    (scripts / "versions" / "9000_later.py").write_text(MIGRATION)
    for name in ("ON_NODES", "FUNCTIONS"):
        theirs = [MOVE if function is APART.move else function for function in getattr(distribution, name)]
        monkeypatch.setattr(distribution, name, theirs)
    monkeypatch.setattr(distribution, "OF_A_GAME", (*OF_A_GAME, "later"))
    return scripts


def rows(url: str, query: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url, autocommit=True) as connection:
        return connection.execute(query.encode()).fetchall()


def is_whole(cluster: Cluster, url: str) -> bool:
    """Whether all that the release brings is on each node."""
    assert rows(url, "SELECT version_num FROM alembic_version") == [("9000",)]
    assert rows(
        url,
        "SELECT count(*) FROM pg_dist_partition p JOIN pg_dist_partition g USING (colocationid) WHERE "
        "p.logicalrelid = 'later'::regclass AND g.logicalrelid = 'games'::regclass",
    ) == [(1,)]
    routed = f"SELECT distribution_argument_index FROM pg_dist_object WHERE objid = to_regprocedure('{MOVE.signature}')"
    assert rows(url, routed) == [(0,)]
    made = 0
    for worker in cluster.workers:
        theirs = worker.url(url.rpartition("/")[2]) + "?options=-ccitus.override_table_visibility%3Doff"
        assert rows(theirs, f"SELECT to_regprocedure('{MOVE.signature}') IS NOT NULL") == [(True,)]
        ((indexes,),) = rows(
            theirs,
            "SELECT count(*) FROM pg_class JOIN pg_index ON oid = indexrelid "
            r"WHERE relname ~ '^games_later_idx_\d+$' AND indisvalid",
        )
        assert isinstance(indexes, int)
        made += indexes
    return made == SHARDS


def test_a_release_to_come_is_brought_while_this_one_plays(
    cluster: Cluster, url: str, store: PostgresStore, later: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = seat_players(store)
    table.play(turns=2)
    upgrade(url, scripts=later)
    assert is_whole(cluster, url)
    assert store.ready()
    table.play()  # by the function that this release has
    assert table.row().status == "over"
    assert rows(url, "SELECT DISTINCT later FROM games") == [(7,)]

    begun = seat_players(store)
    assert rows(url, f"SELECT later FROM agenda WHERE id = '{begun.game}'") == [(7,)]
    assert rows(url, f"SELECT DISTINCT later FROM inbox WHERE game_id = '{begun.game}'") == [(7,)]

    upgrade(url)  # as a process of this release does that starts again
    assert is_whole(cluster, url)

    moves = rows(url, "SELECT count(*) FROM log")
    call = SQL("SELECT {move} AS noted").format(move=MOVE.call())
    monkeypatch.setattr(distributed, "_MOVE", Query(str, call))
    seat_players(store).play(turns=1)
    assert rows(url, "SELECT count(*) FROM log") > moves


class _BrokenOffError(Exception):
    pass


def test_broken_off_anywhere_it_goes_on(cluster: Cluster, url: str, later: Path) -> None:
    left = broken = 0

    def break_off(*_: object) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            raise _BrokenOffError

    while left <= 0:
        broken += 1
        left = broken
        event.listen(Engine, "after_cursor_execute", break_off)
        try:
            with suppress(_BrokenOffError):
                upgrade(url, scripts=later)
        finally:
            event.remove(Engine, "after_cursor_execute", break_off)
        upgrade(url, scripts=later)
        assert is_whole(cluster, url)
        with psycopg.connect(url, autocommit=True) as connection:
            for statement in BACK.split(";"):
                connection.execute(statement.encode())
    assert broken > 6


def test_a_node_that_uses_a_table_is_waited_for_no_longer_than_this_one(
    cluster: Cluster, url: str, later: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else all who come after the migration would wait at the coordinator as long."""
    monkeypatch.setattr(migrate, "LOCK_MS", 50)
    monkeypatch.setattr(migrate, "PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(migrate, "TRIES", 2)
    with psycopg.connect(cluster.workers[0].url(url.rpartition("/")[2])) as reader:
        reader.execute("SELECT count(*) FROM games")  # its own shards among them, and its transaction stays open
        with pytest.raises(OperationalError, match="lock timeout"):
            upgrade(url, scripts=later)
        assert rows(url, "SELECT count(*) FROM games") == [(0,)]
    upgrade(url, scripts=later)
    assert is_whole(cluster, url)
