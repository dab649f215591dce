"""`holmgang bot`: a bot of one's own plays on a server, for as long as it is let."""

from __future__ import annotations

import logging
import os
import sys

import click

from holmgang.cli import players
from holmgang.cli.game_option import GameOption

DEFAULT_URL = "http://127.0.0.1:8000"
LOOK_SECONDS = 2.0
INTERRUPTED = 130


@click.command("bot")
@click.argument("bot", metavar="BOT")
@click.option("--url", default=DEFAULT_URL, show_default=True, help="The service to play on.")
@click.option(
    "--ladder",
    cls=GameOption,
    metavar="GAME",
    help="One of {games}: play on its oldest public ladder, and where there is none, seek games.",
)
@click.option("--tournament", metavar="ID", help="Take part in this tournament until it is over.")
@click.option("--invitation", help="With --tournament: the secret that lets into a private one.")
@click.option("--token", help="The player's token. Better in HOLMGANG_TOKEN, since others can read what is typed here.")
@click.option("--name", help="The name of the player who is registered without; by default the name of the class.")
@click.option("--seats", type=click.IntRange(2), help="With --ladder: of a table that it seeks; by default the fewest.")
@click.option(
    "--turn-seconds", type=click.IntRange(1), help="With --ladder: of the games that it seeks; by default 60."
)
@click.option(
    "--against",
    type=click.Choice(["people", "bots", "both"]),
    help="With --ladder: whom it seeks; by default both.",
)
@click.option("--at-once", type=click.IntRange(1), help="How many games it plays before it looks for no more.")
@click.option(
    "--finish",
    default=60.0,
    show_default=True,
    type=click.FloatRange(0),
    help="Told to stop by SIGTERM or Ctrl-C, it plays its games on for so many seconds at most.",
)
@click.option("--quiet", is_flag=True, help="Log warnings only.")
def command(
    bot: str,
    url: str,
    ladder: str | None,
    tournament: str | None,
    invitation: str | None,
    token: str | None,
    name: str | None,
    seats: int | None,
    turn_seconds: int | None,
    against: str | None,
    at_once: int | None,
    finish: float,
    quiet: bool,
) -> None:
    """Let a bot of yours play on a server: module:Class, or path/file.py.

    Without --ladder or --tournament it sits down in open games. It goes on after faults of the network and of the
    service, for weeks; its player's token is kept, so that it comes back as the same player. SIGTERM or Ctrl-C: it
    leaves the ladder or withdraws its seek, and plays its games on for a while; a second one ends it at once. What it
    does is logged on standard error. Exit codes: 0 told to stop, or the tournament is over; 1 failed, 2 wrong usage.
    """
    try:
        from holmgang import Unreachable, problems, registry
        from holmgang.bots import guests
        from holmgang.terminal.table import Lost
        from holmgang.terminal.tokens import TokensUnreadable
    except ModuleNotFoundError as missing:
        raise click.ClickException(f"{missing.name} is not installed: pip install 'holmgang[play]'") from None
    if ladder is not None and tournament is not None:
        raise click.UsageError("Say --ladder or --tournament.")
    sought = {"seats": seats, "turn-seconds": turn_seconds, "against": against}
    if ladder is None and (wrong := [option for option, value in sought.items() if value is not None]):
        raise click.UsageError(f"--{wrong[0]} goes with --ladder.")
    if tournament is None and invitation is not None:
        raise click.UsageError("--invitation goes with --tournament.")
    if ladder is not None and ladder not in registry.names():
        raise click.UsageError(f"There is no game '{ladder}'. There are: {', '.join(registry.names())}.")
    try:
        if not guests.own(bot):
            raise guests.NoSuchBot(f"{bot} is no bot of yours: name it as module:Class or path/file.py.")
        whole = guests.whole(bot)
        mine = guests.made(whole, guests.class_of(whole, ladder))
    except guests.NoSuchBot as fault:
        raise click.UsageError(str(fault)) from None
    terms = {"seats": seats, "turn_seconds": turn_seconds, "wanted": against}
    mine.seek_terms = {**mine.seek_terms, **{each: value for each, value in terms.items() if value is not None}}
    mine.at_once = at_once or mine.at_once
    mine.finish_seconds = finish
    mine.look_seconds = min(mine.look_seconds, LOOK_SECONDS)
    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s", stream=sys.stderr)
    logging.getLogger("holmgang").setLevel(logging.WARNING if quiet else logging.INFO)
    try:
        token = _token(url, name or type(mine).__name__, token)
        mine.notes = mine.notes or players.notes_of(token)
        mine.run(url, token, ladder=ladder, tournament=tournament, invitation=invitation)
    except (Lost, TokensUnreadable, Unreachable) as lost:
        raise click.ClickException(str(lost)) from None
    except ValueError as wrong:
        raise click.ClickException(str(wrong)) from None
    except problems.Problem as problem:
        raise click.ClickException(f"{problem.title}: {problem.detail}") from None
    except KeyboardInterrupt:
        raise click.exceptions.Exit(INTERRUPTED) from None
    finally:
        players.tidy()


def _token(url: str, label: str, given: str | None) -> str:
    """Raises UsageError for what can be no address or token, Lost, TokensUnreadable."""
    from holmgang import Client
    from holmgang.terminal.companions import player_of
    from holmgang.terminal.tokens import Tokens

    given = given or os.environ.get(players.TOKEN)
    try:
        with Client(url, given) as client:
            return given or player_of(client.url, Tokens(players.folder()), label)
    except ValueError as wrong:
        raise click.UsageError(str(wrong)) from None
