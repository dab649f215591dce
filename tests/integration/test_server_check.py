"""What a server must be to keep games."""

from __future__ import annotations

import re

import psycopg
import pytest

from holmgang.store.server_check import DURABLE, UnfitServerError, check_server
from tests.conftest import fresh_database

pytestmark = pytest.mark.plain_postgres("settings of one server")


def test_each_setting_that_loses_moves_is_a_warning(empty_database: str) -> None:
    with psycopg.connect(empty_database, autocommit=True) as connection:
        name = connection.info.dbname
        connection.execute(f'ALTER DATABASE "{name}" SET synchronous_commit = off')
        expected = {each for each in DURABLE if connection.execute(f"SHOW {each}").fetchone() == ("off",)}
    warnings = check_server(empty_database)
    assert {warning.split()[0] for warning in warnings} == expected | {"synchronous_commit"}
    assert all(warning.endswith(".") for warning in warnings)


def test_a_durable_server_has_no_warning(empty_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holmgang.store.server_check.DURABLE", {"synchronous_commit": "moves can be lost"})
    assert check_server(empty_database) == []


def test_an_old_server_is_refused(empty_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holmgang.store.server_check.OLDEST", 99)
    with pytest.raises(UnfitServerError, match="99 or later is needed"):
        check_server(empty_database)


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII"])
def test_a_database_that_cannot_hold_every_name_is_refused_with_what_to_do(postgres_url: str, encoding: str) -> None:
    with (
        fresh_database(postgres_url, options=f"ENCODING '{encoding}' LOCALE 'C' LOCALE_PROVIDER libc") as url,
        pytest.raises(UnfitServerError, match=f"encoding is {encoding}") as refused,
    ):
        check_server(url)
    advice = re.search(r"CREATE DATABASE holmgang (.*) TEMPLATE template0\.", str(refused.value))
    assert advice is not None
    with fresh_database(postgres_url, options=advice[1]) as url:
        assert all("encoding" not in warning for warning in check_server(url))


def test_nobody_there_is_a_sentence(free_port: int) -> None:
    with pytest.raises(UnfitServerError, match="does not answer"):
        check_server(f"postgresql://127.0.0.1:{free_port}/games")


def test_databases_of_tests_are_migrated_empty_and_their_own(database: str, module_database: str) -> None:
    for url in (database, module_database):
        with psycopg.connect(url, autocommit=True) as connection:
            assert connection.execute("SELECT count(*) FROM alembic_version").fetchone() == (1,)
            assert connection.execute("SELECT count(*) FROM players").fetchone() == (0,)
    assert database != module_database
