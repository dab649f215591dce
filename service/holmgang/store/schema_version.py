"""The schema that this code needs. Apart from the migrations, so that a server need not load what runs them."""

import psycopg

from .distribution import is_kept

SCHEMA_VERSION = "0030"
"""The newest revision there is; a test holds it to that."""


def fits(version: str, oldest: str) -> bool:
    """Whether this code may run on the schema `version`, which lets code of the schema version `oldest` and later run.

    That is so of its own, and of later ones, while a deployment replaces this code, as long as they let it.
    """
    return version == SCHEMA_VERSION or (version > SCHEMA_VERSION and oldest <= SCHEMA_VERSION)


def is_current(url: str) -> bool:
    """Whether the database at `url` has just this schema and the functions of this code, so that nothing is to be
    migrated."""
    with psycopg.connect(url) as connection:
        if connection.execute("SELECT to_regclass('alembic_version')").fetchone() == (None,):
            return False
        version = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        return version == (SCHEMA_VERSION,) and is_kept(connection)
