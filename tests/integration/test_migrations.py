"""The schema goes up and down, from empty and with games in it, and is what the code says it is."""

from __future__ import annotations

from uuid import UUID

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine
from sqlalchemy.exc import IntegrityError
from sqlalchemy.pool import NullPool

from holmgang.app.accounts.players import register
from holmgang.app.errors import InvalidField
from holmgang.app.play import archive
from holmgang.cli.database import migrated
from holmgang.store.database import PostgresStore, conninfo
from holmgang.store.distribution import is_kept
from holmgang.store.functions import BESIDE
from holmgang.store.migrate import alembic_config, downgrade, upgrade
from holmgang.store.schema_version import SCHEMA_VERSION
from holmgang.store.tables import metadata
from tests.citus.databases import NEVER_BEFORE
from tests.integration.tables import seat_players

FUNCTIONS = """
    SELECT oid::regprocedure::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prolang = (
        SELECT oid FROM pg_language WHERE lanname = 'plpgsql'
    ) ORDER BY 1
"""


def _tables(url: str) -> set[str]:
    with psycopg.connect(conninfo(url)) as connection:
        rows = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
    return {name for (name,) in rows} - {"alembic_version"}


def test_the_code_names_the_newest_revision() -> None:
    assert ScriptDirectory.from_config(alembic_config()).get_current_head() == SCHEMA_VERSION


@NEVER_BEFORE
def test_migrations_arrive_at_the_schema_of_the_code(database: str) -> None:
    engine = create_engine(database.replace("postgresql://", "postgresql+psycopg://"), poolclass=NullPool)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, metadata) == []
    engine.dispose()


@NEVER_BEFORE
def test_down_to_nothing_and_up_again_from_empty(database: str) -> None:
    full = _tables(database)
    assert full == set(metadata.tables)
    downgrade(database, "base")
    assert _tables(database) == set()
    upgrade(database)
    assert _tables(database) == full


def test_functions_of_this_code_are_made_where_the_schema_is_current(database: str) -> None:
    """A release may write games in another way on the same tables."""
    with psycopg.connect(conninfo(database), autocommit=True) as connection:
        made = connection.execute(FUNCTIONS).fetchall()
        assert len(made) >= len(BESIDE)
        for (function,) in made:
            connection.execute(f"DROP FUNCTION {function}".encode())
        assert not is_kept(connection)
        migrated(database)
        assert is_kept(connection)
        assert connection.execute(FUNCTIONS).fetchall() == made
    store = PostgresStore(database, pool_size=2)
    seat_players(store).play(turns=1)
    store.close()


@NEVER_BEFORE
def test_down_and_up_with_a_game_in_it(database: str) -> None:
    store = PostgresStore(database, pool_size=2)
    table = seat_players(store)
    table.play(turns=3)
    upgrade(database)
    assert table.row().turn >= 3, "an upgrade of a current schema keeps what is there"
    downgrade(database, "base")
    upgrade(database)
    again = seat_players(store)
    again.play(turns=3)
    with store.reading() as tables:
        assert tables.game(table.game) is None
        assert tables.game(again.game) is not None
    store.close()


@NEVER_BEFORE
def test_games_that_were_there_before_the_archive_have_its_days_from_then_on(database: str) -> None:
    store = PostgresStore(database, pool_size=1)
    table = seat_players(store)
    downgrade(database, "0006")
    with psycopg.connect(conninfo(database), autocommit=True) as connection:
        connection.execute("UPDATE events SET at = at - interval '31 days'")
        upgrade(database)
        with store.reading() as tables:
            assert archive.archive(tables, 30, 10) == 0
        connection.execute("UPDATE games SET touched_at = touched_at - interval '30 days'")
    with store.reading() as tables:
        assert archive.archive(tables, 30, 10) == 1
    assert table.row().status == "archived"
    store.close()


@NEVER_BEFORE
def test_private_games_are_not_handed_to_code_that_would_show_them(database: str) -> None:
    store = PostgresStore(database, pool_size=1)
    table = seat_players(store)
    with psycopg.connect(conninfo(database), autocommit=True) as connection:
        connection.execute("UPDATE games SET visibility = 'private'")
        with pytest.raises(IntegrityError):
            downgrade(database, "0005")
        assert store.ready(), "nothing was changed"
        connection.execute("DELETE FROM games WHERE id = %s", [table.game])
    downgrade(database, "0005")
    store.close()


@NEVER_BEFORE
def test_names_that_were_there_before_keep_theirs_and_are_told_from_later_ones(database: str) -> None:
    store = PostgresStore(database, pool_size=1)
    downgrade(database, "0012")
    with psycopg.connect(conninfo(database), autocommit=True) as connection:
        for number, name in enumerate(("ACE", "АСЕ", "\u115f"), start=1):
            connection.execute("INSERT INTO players (id, name) VALUES (%s, %s)", [UUID(int=number), name])
    upgrade(database)
    with store.transaction() as tables:
        found = [tables.player(UUID(int=n)) for n in (1, 2, 3)]
        assert [player and player.name for player in found] == ["ACE", "АСЕ", "\u115f"]
        register(tables, "ACE")
        with pytest.raises(InvalidField):
            register(tables, "АСЕ")
    store.close()
