"""`holmgang restore`: a backup into a new database."""

from __future__ import annotations

from pathlib import Path

import click

from holmgang.cli.database import migrated, open_database
from holmgang.config import Settings


@click.command("restore")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def command(file: Path) -> None:
    """Put the backup FILE into an empty database, and bring its schema up to date.

    Nothing may serve that database yet. Deadlines are put off by as long as there was no worker.
    """
    from holmgang.store.backup import BackupError, restore

    with open_database(Settings.from_environment()) as settings:
        assert settings.session_url is not None
        try:
            restore(settings.session_url, file)
        except BackupError as error:
            raise click.ClickException(str(error)) from error
        migrated(settings.session_url)
    click.echo(f"Restored {file}.")
