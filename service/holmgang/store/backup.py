"""Backups: all of a database at one moment in one file, made while the service runs, and put into an empty database.

By `pg_dump` and `pg_restore`: the caller's own, or those of the embedded Postgres, whichever are not older than the
server. A backup holds seeds and the secrets of webhooks, so that nobody else may read it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from .database import conninfo
from .distribution import is_distributed
from .postgres_binaries import EmbeddedPostgresError, program_environment, wheel_programs


class BackupError(RuntimeError):
    """It could not be done, and nothing was changed; the message says why."""


def backup(url: str, file: Path) -> int:
    """Write the database at `url` to `file`, which must not exist yet; its size in bytes."""
    if os.path.lexists(file):
        raise BackupError(f"{file} exists already: name another file, or remove it.")
    with psycopg.connect(conninfo(url)) as connection:
        if is_distributed(connection):
            raise BackupError(
                "The games are on several servers, and this would keep another moment of each: back up each server, as "
                "docs/pages/how-to/scale.md tells."
            )
    unfinished = file.with_name(file.name + ".unfinished")
    try:
        os.close(os.open(unfinished, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600))
        os.chmod(unfinished, 0o600)
        dump = _program("pg_dump", _server_release(url))
        _run(url, dump, "--format=custom", "--no-owner", "--no-privileges", f"--file={unfinished}")
        _contents(unfinished)
        with unfinished.open("rb") as written:
            os.fsync(written.fileno())
        unfinished.rename(file)
    except OSError as error:
        raise BackupError(f"Cannot write {file}: {error.strerror}.") from error
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
    return file.stat().st_size


def restore(url: str, file: Path) -> None:
    """Put a backup into the database at `url`, all of it or nothing. There must be no tables in it yet."""
    if not os.path.isfile(file):
        raise BackupError(f"There is no file {file}.")
    _contents(file)
    with psycopg.connect(conninfo(url)) as connection:
        tables = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone()
    if tables != (0,):
        raise BackupError("The database is not empty: restore into a new one, and keep this until that has been seen.")
    restorer = _program("pg_restore", _server_release(url))
    whole = ("--exit-on-error", "--single-transaction")
    _run(url, restorer, *whole, "--no-owner", "--no-privileges", str(file.absolute()))
    with psycopg.connect(conninfo(url), autocommit=True) as connection:
        connection.execute("SET statement_timeout = 0")
        connection.execute("ANALYZE")  # without it the first statements would be planned for empty tables


def _contents(file: Path) -> None:
    """Whether the file is a whole backup of this service."""
    program = _program("pg_restore", 0)
    listed = subprocess.run(  # noqa: S603 # no shell, and Postgres' own program
        [program, "--list", file.absolute()],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
        env=program_environment(),
    )
    if listed.returncode or "TABLE DATA public alembic_version" not in listed.stdout:
        raise BackupError(f"{file} is no backup of Holmgang: {listed.stderr.strip()[-300:] or 'it has other tables.'}")


def _server_release(url: str) -> int:
    with psycopg.connect(conninfo(url)) as connection:
        return connection.info.server_version // 10_000


def _program(name: str, release: int) -> str:
    """A program of at least the server's release."""
    candidates = [shutil.which(name)]
    with suppress(EmbeddedPostgresError):
        candidates.insert(0 if release == 0 else 1, str(wheel_programs() / name))
    for candidate in filter(None, candidates):
        told = subprocess.run(  # noqa: S603 # no shell, and Postgres' own program
            [candidate, "--version"],
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
            env=program_environment(),
        )
        found = re.search(r"\) (\d+)", told.stdout)
        if found and int(found[1]) >= release:
            return candidate
    raise BackupError(f"No {name} of Postgres {release} or later is installed here: install its client programs.")


def _run(url: str, program: str, *arguments: str) -> None:
    """Run a program on the database. The password goes by the environment: everybody may list arguments."""
    parameters = conninfo_to_dict(conninfo(url))
    password = parameters.pop("password", None)
    environment = program_environment() | ({} if password is None else {"PGPASSWORD": str(password)})
    done = subprocess.run(  # noqa: S603 # no shell, and Postgres' own program
        [program, f"--dbname={make_conninfo('', **parameters)}", *arguments],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
        env=environment,
        stdin=subprocess.DEVNULL,
    )
    if done.returncode:
        raise BackupError(f"{Path(program).name} failed: {done.stderr.strip()[-1000:]}")
