"""Bring a database to the schema that this code is written for, or back."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, create_engine, text
from sqlalchemy.pool import NullPool

MIGRATIONS = Path(__file__).resolve().parents[2] / "migrations"

_LOCK = 0x686F6C6D67616E67  # "holmgang": two starting at once migrate one after the other
_LOCK_TIMEOUT = "60s"


def alembic_config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def _run(url: str, revision: str, step: str) -> None:
    scheme, _, rest = url.partition("://")
    engine = create_engine(f"{scheme.partition('+')[0]}+psycopg://{rest}", poolclass=NullPool)
    try:
        with engine.connect() as connection, connection.begin():
            connection.execute(text(f"SET LOCAL lock_timeout = '{_LOCK_TIMEOUT}'"))
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
            getattr(command, step)(alembic_config(connection), revision)
    finally:
        engine.dispose()


def upgrade(url: str, revision: str = "head") -> None:
    """Apply what is missing, in one transaction, under an advisory lock. A current schema stays as it is."""
    _run(url, revision, "upgrade")


def downgrade(url: str, revision: str) -> None:
    """Go back to a revision, `base` for an empty schema. What later revisions brought is lost."""
    _run(url, revision, "downgrade")
