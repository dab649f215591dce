"""`holmgang backup`: all games at one moment in a file."""

from __future__ import annotations

from pathlib import Path

import click

from holmgang.cli.database import open_database
from holmgang.config import Settings


@click.command("backup")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def command(file: Path) -> None:
    """Write the whole database to FILE, at one moment and while the service runs.

    Keep the file as secret as the database: it holds seeds of games and secrets of webhooks.
    """
    from holmgang.store.backup import BackupError, backup

    with open_database(Settings.from_environment()) as settings:
        assert settings.session_url is not None
        try:
            size = backup(settings.session_url, file)
        except BackupError as error:
            raise click.ClickException(str(error)) from error
    click.echo(f"Wrote {file}, {size} bytes.")
