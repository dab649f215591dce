"""Bring a database to the schema that this code is written for, or back.

Other processes work on the database meanwhile, perhaps with the code before. So nothing may be locked for long: a
migration that does not get its locks soon gives up those it has, lets everybody pass, and tries again. What migrations
may do is told in docs/pages/how-to/operate.md and checked by a test.
"""

from __future__ import annotations

import time
from pathlib import Path

import psycopg
from alembic import command
from alembic.config import Config
from psycopg.errors import LockNotAvailable
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import NullPool

from .distribution import is_distributed, keep
from .function import LOCK
from .schema_version import SCHEMA_VERSION, fits

_INSTALLED = Path(__file__).resolve().parent / "migrations"
MIGRATIONS = _INSTALLED if _INSTALLED.is_dir() else Path(__file__).resolve().parents[3] / "migrations"
"""In a wheel they lie beside this module, in the repository at its top."""

LOCK_MS = 2_000
"""How long a migration waits for a lock, and with it all who come after it."""
TRIES = 30
PAUSE_SECONDS = 1.0

_LOCK_TIMEOUT = "90s"


class SchemaTooNewError(RuntimeError):
    """The schema is of a later release, which does not let this code run; the message says so."""


def alembic_config(connection: Connection | None = None, scripts: Path = MIGRATIONS) -> Config:
    config = Config()
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def _engine(url: str) -> Engine:
    scheme, _, rest = url.partition("://")
    return create_engine(f"{scheme.partition('+')[0]}+psycopg://{rest}", poolclass=NullPool)


def upgrade(url: str, revision: str = "head", *, scripts: Path = MIGRATIONS) -> None:
    """Apply what is missing, each migration in a transaction, all under an advisory lock. A current schema stays as it
    is, and so does a later one that lets this code run.

    Raises SchemaTooNewError for one that does not, and SQLAlchemy's OperationalError where locks are not to be had.
    """
    engine = _engine(url)
    try:
        with engine.connect() as connection:
            connection.execute(text(f"SET lock_timeout = '{_LOCK_TIMEOUT}'"))
            connection.execute(text("SELECT pg_advisory_lock(:lock)"), {"lock": LOCK})  # until the connection ends
            connection.execute(text(f"SET lock_timeout = {int(LOCK_MS)}"))
            connection.execute(text("SET statement_timeout = 0"))  # an index that others do not wait for may take hours
            later = scripts == MIGRATIONS and _is_later(connection)
            _limit_nodes(engine, connection)
            connection.commit()
            if not later:
                _persist(connection, revision, scripts)
            if revision == "head":
                with psycopg.connect(url.replace("+psycopg", "", 1), autocommit=True) as plain:
                    keep(plain)
    finally:
        engine.dispose()


def _limit_nodes(engine: Engine, connection: Connection) -> None:
    """Have the nodes of distributed tables wait for locks no longer than this session does. Of its settings they are
    told those of a transaction alone."""
    if not is_distributed(_driver(connection)):
        return
    connection.execute(text("SET citus.propagate_set_commands = 'local'"))

    def limit(begun: Connection) -> None:
        _driver(begun).execute(f"SET LOCAL lock_timeout = {int(LOCK_MS)}".encode())

    event.listen(engine, "begin", limit)


def _driver(connection: Connection) -> psycopg.Connection:
    driver = connection.connection.driver_connection
    assert isinstance(driver, psycopg.Connection)
    return driver


def _is_later(connection: Connection) -> bool:
    if connection.scalar(text("SELECT to_regclass('schema_floor')")) is None:
        return False
    version = connection.scalar(text("SELECT version_num FROM alembic_version"))
    oldest = connection.scalar(text("SELECT oldest FROM schema_floor WHERE id = 1"))
    if version is None or version <= SCHEMA_VERSION:
        return False
    if not fits(version, oldest or version):
        raise SchemaTooNewError(
            f"The schema of the database is at {version} and needs code of {oldest} or later; this code is of "
            f"{SCHEMA_VERSION}. Run the later release, or restore a backup that was made before it."
        )
    return True


def _persist(connection: Connection, revision: str, scripts: Path) -> None:
    for left in reversed(range(TRIES)):
        try:
            command.upgrade(alembic_config(connection, scripts), revision)
            return
        except OperationalError as fault:
            connection.rollback()
            if not isinstance(fault.orig, LockNotAvailable) or not left:
                raise
            time.sleep(PAUSE_SECONDS)


def downgrade(url: str, revision: str) -> None:
    """Go back to a revision, `base` for an empty schema, in one transaction. What later revisions brought is lost."""
    engine = _engine(url)
    try:
        with engine.connect() as connection, connection.begin():
            connection.execute(text(f"SET LOCAL lock_timeout = '{_LOCK_TIMEOUT}'"))
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
            command.downgrade(alembic_config(connection), revision)
    finally:
        engine.dispose()
