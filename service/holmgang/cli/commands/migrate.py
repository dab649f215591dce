"""`holmgang migrate`: the schema alone, for deployments that migrate before they serve."""

from __future__ import annotations

import click

from holmgang.cli.database import migrated, open_database
from holmgang.config import Settings


@click.command("migrate")
def command() -> None:
    """Bring the database's schema up to date, then end."""
    from holmgang.store.schema_version import SCHEMA_VERSION

    with open_database(Settings.from_environment()) as settings:
        assert settings.session_url is not None
        migrated(settings.session_url)
    click.echo(f"The schema is at {SCHEMA_VERSION}, or later and fit for this release.")
