"""`holmgang new-game`: a package with a small whole game, to grow another one from."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("new-game")
@click.argument("name")
@click.option(
    "--folder", type=click.Path(path_type=Path), help="Where to write it; by default a folder of the game's name, here."
)
def command(name: str, folder: Path | None) -> None:
    """Write a package with a small game that can be played at once.

    NAME is the ruleset's: small letters, digits and single underscores. Exit codes: 0 written, 1 the folder cannot be
    written, 2 the name or the folder cannot be used; then nothing is.
    """
    from holmgang.cli.template import Unusable, write

    folder = Path(name) if folder is None else folder
    try:
        write(name, folder)
    except Unusable as fault:
        raise click.UsageError(str(fault)) from None
    except OSError as fault:
        raise click.ClickException(f"{folder} cannot be written: {fault.strerror}.") from None
    click.echo(f"{folder} has the package. Install it, and play:")
    click.echo(f"  pip install -e {folder}\n  holmgang play --game {name} --bots greedy")
