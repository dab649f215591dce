"""`holmgang standings`: how a tournament on a server stands, and whether it was paired as it had to be."""

from __future__ import annotations

import sys

import click

from holmgang.cli import players

DIFFERS = 1


@click.command("standings")
@click.argument("tournament", metavar="TOURNAMENT")
@click.option("--url", required=True, help="The service.")
@click.option("--invitation", metavar="SECRET", help="To a private tournament that you are not in.")
@click.option("--rounds", is_flag=True, help="Also print who met whom.")
@click.option("--verify", is_flag=True, help="Also pair each round again, from what is public, and compare.")
def command(tournament: str, url: str, invitation: str | None, rounds: bool, verify: bool) -> None:
    """See how a tournament on a server stands.

    TOURNAMENT is its id. A private one takes your token, from HOLMGANG_TOKEN or as `holmgang play` has kept it, or an
    invitation. Exit codes: 0 all is well, 1 failed, or with --verify something is not as it had to be, 2 wrong usage.
    """
    try:
        from holmgang import Client
        from holmgang.cli import standing_report as report
        from holmgang.terminal.remote import reaching
        from holmgang.terminal.table import Lost
        from holmgang.terminal.tokens import Tokens, TokensUnreadable
    except ModuleNotFoundError as missing:
        raise click.ClickException(f"{missing.name} is not installed: pip install 'holmgang[play]'") from None
    try:
        with Client(url, players.known_token(url, Tokens(players.folder()))) as client, reaching(client):
            found = report.Found.read(client, tournament, invitation, rounds=rounds or verify)
    except ValueError as wrong:
        raise click.UsageError(str(wrong)) from None
    except (Lost, TokensUnreadable) as lost:
        raise click.ClickException(str(lost)) from None
    report.tell(found, rounds=rounds)
    if verify:
        differing = list(report.differences(found))
        for sentence in differing:
            click.echo(sentence)
        if differing:
            sys.exit(DIFFERS)
        click.echo(report.verified(found))
