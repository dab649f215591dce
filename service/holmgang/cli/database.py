"""The database of a command: the user's own, or the embedded one for as long as the command runs."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from holmgang import logs
from holmgang.cli.mounts import outlives_container
from holmgang.config import DEFAULT_DATA_DIR, Settings
from holmgang.store.embedded import EmbeddedPostgres, default_base
from holmgang.store.postgres_binaries import EmbeddedPostgresError
from holmgang.store.schema_version import is_current
from holmgang.store.server_check import UnfitServerError, check_server

WATCH_SECONDS = 0.5
LEAST_CONNECTIONS = 100
"""What Postgres allows by itself."""
SPARE_CONNECTIONS = 20
"""For migrations and backups, for you, and for those of a killed process that the server has not let go of yet."""

log = logs.get_logger("holmgang.serve")


def _lasting_base(settings: Settings) -> Path:
    """The folder of the embedded Postgres; in a container it must be on a volume."""
    base = settings.data_dir.resolve() if settings.data_dir else default_base(Path.cwd())
    if settings.in_container and not outlives_container(base):
        raise click.ClickException(
            f"{base} is not on a mounted volume, so every game would go away with this container: mount a volume "
            "there, set DATA_DIR to one, or set DATABASE_URL."
        )
    if settings.data_dir is None and base != DEFAULT_DATA_DIR.resolve():
        click.echo(f"The database is kept in {base}, because only root can enter {Path.cwd()}.", err=True)
    return base


def max_connections(settings: Settings) -> int:
    """What the embedded server must allow: each process that serves, and the worker, has a pool and a session that
    listens."""
    processes = settings.workers + 1
    return max(LEAST_CONNECTIONS, processes * (settings.pool_size + 1) + SPARE_CONNECTIONS)


@contextmanager
def open_database(settings: Settings) -> Iterator[Settings]:
    """The settings with the address of a server that answers. An embedded one is kept alive meanwhile.

    Raises click.ClickException with a sentence for the user when there is none.
    """
    if settings.database_url is not None:
        _check(settings.database_url)
        yield settings
        return
    try:
        base = _lasting_base(settings)
        with EmbeddedPostgres(base, {"max_connections": max_connections(settings)}) as server, _kept_alive(server):
            _check(server.url)
            yield settings.with_database(server.url)
    except EmbeddedPostgresError as error:
        raise click.ClickException(str(error)) from error


def migrated(url: str) -> None:
    """Bring the schema up to date. Raises click.ClickException when it is too new for this code."""
    if is_current(url):
        return
    from holmgang.store.migrate import SchemaTooNewError, upgrade  # which takes longer to load than all the rest

    try:
        upgrade(url)
    except SchemaTooNewError as error:
        raise click.ClickException(str(error)) from error


def _check(url: str) -> None:
    try:
        for warning in check_server(url):
            click.secho(f"WARNING: {warning}", err=True, fg="red", bold=True)
    except UnfitServerError as error:
        raise click.ClickException(str(error)) from error


@contextmanager
def _kept_alive(server: EmbeddedPostgres) -> Iterator[None]:
    """Start the server again whenever it dies, until the block ends."""
    over = threading.Event()

    def watch() -> None:
        while not over.wait(WATCH_SECONDS):
            try:
                if server.ensure_running():
                    log.warning("the embedded Postgres had died and was started again")
            except EmbeddedPostgresError:
                log.exception("the embedded Postgres has died and cannot be started again; trying on")

    watcher = threading.Thread(target=watch, name="postgres-watch", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
