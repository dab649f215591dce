"""Whether a Postgres server is fit to keep games: recent enough, for every name's letters, and durable."""

from __future__ import annotations

import psycopg

OLDEST = 15
DURABLE = {
    "fsync": "a crash of the machine can destroy the whole database",
    "full_page_writes": "a crash of the machine can corrupt the database",
    "synchronous_commit": "moves that were acknowledged can be lost in a crash",
}


class UnfitServerError(RuntimeError):
    """The server cannot be used; the message says why and what to do."""


def check_server(url: str) -> list[str]:
    """Warnings about settings under which acknowledged moves can be lost, one sentence each.

    Raises UnfitServerError when nobody answers at `url`, the server is older than Postgres 15 or a worker of a Citus
    cluster, or the database is of another encoding than UTF8: names in runes would be refused by some (LATIN1), and
    texts come back as bytes from others (SQL_ASCII).
    """
    try:
        with psycopg.connect(url, connect_timeout=10) as connection:
            version = connection.info.server_version
            encoding = connection.info.parameter_status("server_encoding")
            worker = _is_worker(connection)
            settings = {name: connection.execute(f"SHOW {name}").fetchone() for name in DURABLE}
    except psycopg.OperationalError as error:
        raise UnfitServerError(f"The database does not answer: {str(error).strip()}") from error
    if version < OLDEST * 10_000:
        raise UnfitServerError(f"The database is Postgres {version // 10_000}; {OLDEST} or later is needed.")
    if encoding != "UTF8":
        raise UnfitServerError(
            f"The database's encoding is {encoding}, which cannot hold every name. Make one for the games with "
            "CREATE DATABASE holmgang ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0."
        )
    if worker:
        raise UnfitServerError(
            "This server is a worker of a Citus cluster, where tables would be in the way of the coordinator's: name "
            "the coordinator in DATABASE_URL."
        )
    return [f"{name} is off in Postgres: {DURABLE[name]}." for name, value in settings.items() if value == ("off",)]


def _is_worker(connection: psycopg.Connection) -> bool:
    if connection.execute("SELECT to_regclass('pg_dist_local_group')").fetchone() == (None,):
        return False
    return connection.execute("SELECT groupid FROM pg_dist_local_group").fetchone() != (0,)
