"""`holmgang tournament`: bots meet in rounds, without a service."""

from __future__ import annotations

from typing import Any

import click

from holmgang.cli.contest_options import Given, contested, host_of, options
from holmgang.cli.contest_report import console_for, tell_round, tell_title
from holmgang.cli.tourney import Tournament
from holmgang.tournaments import standings
from holmgang.tournaments.course import KINDS, TIE_BREAKS


@click.command("tournament")
@options
@click.option("--kind", default="swiss", show_default=True, type=click.Choice(KINDS), help="Who meets whom.")
@click.option("--rounds", type=click.IntRange(1), help="How many; by default as many as the kind and the bots need.")
@click.option("--games", default=1, show_default=True, type=click.IntRange(1), help="Games of a table in a round.")
@click.option(
    "--tie-breaks",
    default=",".join(TIE_BREAKS),
    show_default=True,
    metavar="A,B,...",
    help="What parts bots with the same points, in this order.",
)
def command(kind: str, rounds: int | None, games: int, tie_breaks: str, **given: Any) -> None:
    """Let bots play a tournament: built-in ones, and module:Class or path/file.py.

    The first bot is number 1, and so on. A bot that fails, takes too long or chooses something illegal loses that game.
    The same arguments give the same tournament, however many processes play. Ctrl-C ends it with what has been played.
    """
    wanted = tuple(name.strip() for name in tie_breaks.split(",") if name.strip())
    for name in wanted:
        if name not in standings.TIE_BREAKS:
            raise click.UsageError(f"No tie-break '{name}': there are {', '.join(standings.TIE_BREAKS)}.")
    said = Given(**given)
    tournament = Tournament(host_of(said), kind, rounds, games, wanted)
    console = console_for(tournament)
    tell_title(console, tournament, kind)
    with contested(said, tournament, kind) as (play, note):
        for pairing in tournament.play(play):
            note()
            tell_round(console, tournament, pairing)
