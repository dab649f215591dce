"""`holmgang ladder`: bots meet until it is certain how strong they are, without a service."""

from __future__ import annotations

from typing import Any

import click

from holmgang.cli.contest_options import Given, contested, host_of, options
from holmgang.cli.contest_report import console_for, tell_title
from holmgang.cli.tourney import Ladder


@click.command("ladder")
@options
@click.option("--games", default=1000, show_default=True, type=click.IntRange(1), help="Stop after so many.")
@click.option(
    "--within",
    default=50.0,
    show_default=True,
    type=click.FloatRange(0, min_open=True),
    help="Stop when every strength is known to so many points of Elo's scale, at 95 %.",
)
def command(games: int, within: float, **given: Any) -> None:
    """Rank bots by strength: built-in ones, and module:Class or path/file.py.

    Those meet whose games tell most. A bot that fails, takes too long or chooses something illegal loses that game. The
    same arguments give the same ladder, however many processes play. Ctrl-C ends it with what has been played.
    """
    said = Given(**given)
    host = host_of(said)
    ladder = Ladder(host, len(host.rules.teams(host.plan.seats)))
    tell_title(console_for(ladder), ladder, "ladder")
    with contested(said, ladder, "ladder") as (play, note):
        for _ in ladder.play(play, games, within):
            note()
