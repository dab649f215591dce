"""Shared fixtures: one Postgres a run, and databases with the current schema on it.

TEST_DATABASE_URL points the suite at a server of yours instead of the embedded one; its user must be allowed to make
databases.
"""

from __future__ import annotations

import gc
import logging
import os
import shutil
import signal
import socket
import sys
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from hypothesis import settings

from tests.places import FOLDER_VARIABLE, place_for_databases

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Started in the background of a script, where Ctrl-C is ignored, and by all programs that tests start as well.
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Where bytecode is not to be written, each program that a test starts would compile the whole service anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

MAKING_THE_TEMPLATE = 0x7E57

# A busy machine is no fault of what is tested.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


def pytest_configure(config: pytest.Config) -> None:
    """The process that starts the others names one folder for all of them; the environment carries it there."""
    if not hasattr(config, "workerinput"):
        os.environ[FOLDER_VARIABLE] = tempfile.mkdtemp(prefix="holmgang-tests-", dir=place_for_databases())
        os.chmod(os.environ[FOLDER_VARIABLE], 0o755)  # as root, Postgres runs as another user


def pytest_sessionstart(session: pytest.Session) -> None:
    from tests.citus.databases import know_tests, ports

    if ports():
        know_tests()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    from tests.citus.databases import ports

    for item in items if ports() else ():
        if (of_plain := item.get_closest_marker("plain_postgres")) is not None:
            (reason,) = of_plain.args
            item.add_marker(pytest.mark.skip(f"of plain Postgres alone: {reason}"))


def pytest_xdist_auto_num_workers() -> int | None:
    """Twice as many processes as there are processors: the tests from end to end often wait for others. With more of
    them, each with a browser and a service, those that wait look so often that all take half as long again."""
    return None if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ else 2 * (os.cpu_count() or 1)


def pytest_collection_finish() -> None:
    """The thousands of tests stay until the end: the garbage collector need not look at them again and again."""
    gc.freeze()


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        if yours := os.environ.get("TEST_DATABASE_URL"):
            with psycopg.connect(yours, autocommit=True) as connection:
                connection.execute(f'DROP DATABASE IF EXISTS "{template_name()}" WITH (FORCE)')
        shutil.rmtree(os.environ.pop(FOLDER_VARIABLE), ignore_errors=True)


def template_name() -> str:
    return f"holmgang_template_{Path(os.environ[FOLDER_VARIABLE]).name[-8:]}".lower()


@pytest.fixture(scope="module", autouse=True)
def _logged_as_before() -> Iterator[None]:
    """What a module's application or command decides to log is logged there, and not in modules that follow."""
    before = [(logger, logger.level) for logger in map(logging.getLogger, ("", "holmgang", "holmgang.access"))]
    yield
    for logger, level in before:
        logger.setLevel(level)


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A Postgres server: its maintenance database. Not durable: no test of a crashing machine belongs on it."""
    yours = os.environ.get("TEST_DATABASE_URL")
    if yours:
        yield yours
        return
    from holmgang.store.embedded import EmbeddedPostgres

    quick: dict[str, str | int] = {"fsync": "off", "full_page_writes": "off", "max_connections": 200}
    with EmbeddedPostgres(Path(os.environ[FOLDER_VARIABLE]), quick) as server:
        yield server.url


def named(url: str, database: str) -> str:
    """The address of another database of the same server."""
    return urlunsplit(urlsplit(url)._replace(path=f"/{database}"))


@contextmanager
def fresh_database(server: str, template: str = "template0", options: str = "") -> Iterator[str]:
    """A new database, dropped afterwards whoever is still connected. `options` are more of CREATE DATABASE."""
    name = f"test_{uuid.uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}" {options}')
        try:
            yield named(server, name)
        finally:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def copied_database(server: str, source: str) -> AbstractContextManager[str]:
    """A new database with all that is in another one, to which nobody is connected."""
    from tests.citus import databases

    return databases.copied_database(source) if databases.ports() else fresh_database(server, urlsplit(source).path[1:])


@pytest.fixture(scope="session")
def migrated_template(postgres_url: str) -> str:
    """The name of a database with the current schema and nothing in it, made once for all processes of the run."""
    from holmgang.store.migrate import upgrade

    name = template_name()
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", [MAKING_THE_TEMPLATE])
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
            unfinished = f"{name}_unfinished"
            connection.execute(f'DROP DATABASE IF EXISTS "{unfinished}" WITH (FORCE)')
            connection.execute(f'CREATE DATABASE "{unfinished}" TEMPLATE template0')
            upgrade(named(postgres_url, unfinished))
            connection.execute(f'ALTER DATABASE "{unfinished}" RENAME TO "{name}"')
    return name


@pytest.fixture
def database(postgres_url: str, migrated_template: str) -> Iterator[str]:
    """The address of a migrated, empty database of the test's own."""
    with _database("test", postgres_url, migrated_template) as url:
        yield url


@pytest.fixture(scope="module")
def module_database(postgres_url: str, migrated_template: str) -> Iterator[str]:
    """Like `database`, shared by the tests of one module."""
    with _database("module", postgres_url, migrated_template) as url:
        yield url


def _database(use: str, server: str, template: str) -> AbstractContextManager[str]:
    from tests.citus.databases import distributed_database, ports

    return distributed_database(use) if ports() else fresh_database(server, template)


@pytest.fixture
def empty_database(postgres_url: str) -> Iterator[str]:
    """The address of a database of the test's own without any schema."""
    with fresh_database(postgres_url) as url:
        yield url


@pytest.fixture
def free_port() -> int:
    """A TCP port of 127.0.0.1 on which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder for a data folder: unlike tmp_path its parents are open to all, as Postgres needs when run by root."""
    folder = Path(tempfile.mkdtemp(prefix="holmgang-test-", dir=place_for_databases()))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def toy(tmp_path: Path) -> Iterator[Path]:
    """The toy game of the tests, installed whole. The folder is what programs need as PYTHONPATH."""
    from tests import games

    with games.known(games.install(tmp_path / "installed")):
        yield tmp_path / "installed"


@pytest.fixture
def bare_toy(tmp_path: Path) -> Iterator[Path]:
    """The same with its rules alone."""
    from tests import games

    with games.known(games.install(tmp_path / "bare", whole=False)):
        yield tmp_path / "bare"


@pytest.fixture(scope="session")
def installed_tafl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`examples/tafl` as pip installs it. The folder is what programs need as PYTHONPATH."""
    from tests import games

    return games.built(games.TAFL, tmp_path_factory.mktemp("tafl"))
