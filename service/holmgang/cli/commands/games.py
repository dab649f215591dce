"""`holmgang games`: the games that are here, where they come from, and what was left out."""

from __future__ import annotations

from typing import Any

import click
import msgspec
from rich.console import Console
from rich.table import Table

from holmgang import registry
from holmgang.languages.catalogue import left_out

MOST = 100
"""Columns, where standard output is no terminal."""


@click.command("games")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def command(as_json: bool) -> None:
    """List all games, the house's and those of installed packages, and the packages that were left out.

    What a game does not bring besides its rules, the house has something general for. A service tries the games of
    packages before it serves them and may leave out more: its log says so. Exit code: 0, whatever was left out.
    """
    games = [_about(name) for name in registry.names()]
    refused = registry.refused()
    if as_json:
        told = [{"package": each.package, "game": each.name, "why": each.why} for each in refused]
        click.echo(msgspec.json.encode({"games": games, "refused": told}))
        return
    table = Table(box=None, pad_edge=False)
    for column in ("game", "title", "versions", "players", "from", "brings"):
        table.add_column(column, overflow="fold")
    for game in games:
        brings = [*game["brings"], *([f"languages: {', '.join(game['languages'])}"] if game["languages"] else [])]
        seats = game["seat_counts"]
        table.add_row(
            game["ruleset"],
            game["title"],
            ", ".join(game["versions"]),
            f"{seats[0]} to {seats[-1]}" if len(seats) > 1 else str(seats[0]),
            game["from"],
            ", ".join(brings) or "rules alone",
        )
    console = Console(highlight=False, markup=False)
    console.width = console.width if console.is_terminal else MOST
    console.print(table)
    for each in refused:
        click.echo(each.why)
    for sentence in left_out():
        click.echo(sentence)


def _about(name: str) -> dict[str, Any]:
    game = registry.game(name)
    return {
        "ruleset": name,
        "title": game.rules.title,
        "versions": [rules.version for rules in game.versions],
        "seat_counts": list(game.rules.seat_counts),
        "from": registry.origin(name),
        "brings": list(game.brings()),
        "languages": list(game.languages()),
    }
