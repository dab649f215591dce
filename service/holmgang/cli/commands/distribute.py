"""`holmgang distribute`: the tables of games over the nodes of a Citus cluster."""

from __future__ import annotations

import click

from holmgang.cli.database import migrated, open_database
from holmgang.config import Settings


@click.command("distribute")
def command() -> None:
    """Spread the tables of games over the nodes of a Citus cluster, then end.

    DATABASE_URL names the coordinator of a cluster whose nodes know each other. There must be no game yet, and no
    service may run. The schema is brought up to date first. All is done or nothing, and repeating it does no harm.
    """
    from holmgang.store.distribution import CannotDistribute, check, distribute

    with open_database(Settings.from_environment()) as settings:
        assert settings.session_url is not None
        try:
            check(settings.session_url)
            migrated(settings.session_url)
            distribute(settings.session_url)
        except CannotDistribute as fault:
            raise click.ClickException(str(fault)) from None
    click.echo("The tables of games are distributed.")
