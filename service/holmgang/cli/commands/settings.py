"""`holmgang settings`: what can be set, and how it is set now."""

from __future__ import annotations

import click

from holmgang.config import Settings


@click.command("settings")
@click.option("--markdown", is_flag=True, help="Print the table of the documentation instead.")
def command(markdown: bool) -> None:
    """List the settings: environment variable, value now, meaning."""
    if markdown:
        click.echo("| variable | default | meaning |\n|---|---|---|")
        for variable, default, _, meaning in Settings().describe():
            click.echo(f"| `{variable}` | {default} | {meaning} |")
        return
    rows = Settings.from_environment().describe()
    names, values = (max(len(row[column]) for row in rows) for column in (0, 2))
    for variable, _, value, meaning in rows:
        click.echo(f"{variable:<{names}}  {value:<{values}}  {meaning}")
