"""`holmgang play`: a game at the terminal, in this process or on a server."""

from __future__ import annotations

import getpass
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Literal

import click

from holmgang.cli import players
from holmgang.cli.game_option import GameOption

if TYPE_CHECKING:
    from holmgang import Client
    from holmgang.terminal.screen import Screen
    from holmgang.terminal.tokens import Tokens

NO_MORE_INPUT, INTERRUPTED = 3, 130


@click.command("play")
@click.option(
    "--game",
    cls=GameOption,
    metavar="GAME",
    help="{games}; or, with --url, the id of a game to join or go on with.",
)
@click.option("--seats", type=int, help="Number of players.")
@click.option(
    "--bots", "kinds", metavar="A,B", help="Bots to play against: built-in ones, or module:Class or path/file.py:Class."
)
@click.option("--seat", type=int, help="Your seat, counted from 0.")
@click.option("--url", help="A service to play on; without it, the game is played in this process.")
@click.option("--seek", is_flag=True, help="With --url: a new game against whoever seeks the same.")
@click.option(
    "--challenge",
    multiple=True,
    metavar="NAME",
    help="With --url: a new game against this player, by name or id, who is asked first. May be given several times.",
)
@click.option("--name", help="Your name, when you are registered with a service or play without one.")
@click.option("--turn-seconds", type=int, help="With --url: how long a turn of the new game may take.")
@click.option("--bank-seconds", type=int, help="With --url: how long each player may take for all their choices.")
@click.option("--increment-seconds", type=int, help="With --bank-seconds: what each choice adds to that.")
@click.option(
    "--clock",
    type=click.Choice(["waits", "runs"]),
    help="With --turn-seconds or --bank-seconds: whether the clock stops or runs on while only bots wait for you.",
)
@click.option("--seed", type=int, help="Without --url: for chance and the bots' choices.")
def command(
    game: str | None,
    seats: int | None,
    kinds: str | None,
    seat: int | None,
    url: str | None,
    seek: bool,
    challenge: tuple[str, ...],
    name: str | None,
    turn_seconds: int | None,
    bank_seconds: int | None,
    increment_seconds: int | None,
    clock: Literal["waits", "runs"] | None,
    seed: int | None,
) -> None:
    """Play a game at the terminal, against bots or, on a server, anybody.

    What is not said is asked. At every question `?` helps. Exit codes: 0 the game is over or was left, 1 failed,
    2 wrong usage, 3 the input ended before the game, 130 stopped by Ctrl-C.
    """
    try:
        from holmgang import registry
        from holmgang.bots import guests
        from holmgang.terminal.companions import Companions
        from holmgang.terminal.lobby import Lobby, Wishes, Wrong
        from holmgang.terminal.screen import EndOfInput, Screen
        from holmgang.terminal.sitting import Left, Sitting
        from holmgang.terminal.table import Lost, Table
        from holmgang.terminal.tokens import Tokens, TokensUnreadable
    except ModuleNotFoundError as missing:
        raise click.ClickException(f"{missing.name} is not installed: pip install 'holmgang[play]'") from None
    if seek and (url is None or kinds is not None or seat is not None):
        raise click.UsageError(
            "--seek goes with --url, and without --bots and --seat: others come, and seats are drawn."
        )
    if challenge and (url is None or kinds is not None or seats is not None or seek):
        raise click.UsageError(
            "--challenge goes with --url, and without --seek, --bots and --seats: you play those whom you name."
        )
    if url is None and turn_seconds is not None:
        raise click.UsageError("--turn-seconds goes with --url.")
    if url is None and bank_seconds is not None:
        raise click.UsageError("--bank-seconds goes with --url.")
    if increment_seconds is not None and bank_seconds is None:
        raise click.UsageError("--increment-seconds goes with --bank-seconds.")
    if clock is not None and turn_seconds is None and bank_seconds is None:
        raise click.UsageError("--clock goes with --turn-seconds or --bank-seconds.")
    if url is not None and seed is not None:
        raise click.UsageError("A server draws its own chance: --seed is for games without --url.")
    ruleset = game if game is None or game in registry.names() or url is None else None
    if (seek or challenge) and game is not None and ruleset is None:
        asked = "--seek" if seek else "--challenge"
        raise click.UsageError(f"{asked} is for a new game, and '{game}' is none of {', '.join(registry.names())}.")
    try:
        bots = None if kinds is None else guests.listed(kinds) if kinds.strip() else ()
    except guests.NoSuchBot as fault:
        raise click.UsageError(str(fault)) from None
    seed = Random().getrandbits(32) if seed is None else seed  # noqa: S311 # one that can be told
    wishes = Wishes(
        ruleset,
        seats,
        bots,
        seat,
        game if ruleset is None else None,
        turn_seconds,
        clock,
        bank_seconds,
        increment_seconds,
        seek,
        challenge,
    )
    screen = Screen()
    lobby = Lobby(screen, wishes)
    table: Table | None = None
    try:
        if url is None:
            table = lobby.local(name or _user(), Random(seed))  # noqa: S311 # a game at home is to be repeatable
        else:
            tokens = Tokens(players.folder())
            client = _client(url, name, screen, tokens)
            table = lobby.remote(client, Companions(client.url, tokens, players.notes_of, screen))
        screen.say(f"{table.rules.title}. Type `?` for help at any question.", "bold")
        Sitting(table, screen, Random(seed)).play()  # noqa: S311 # likewise repeatable
    except Wrong as wrong:
        raise click.UsageError(str(wrong)) from None
    except guests.BadChoice as bad:
        again = f"With --seed {seed} and the same answers the game comes to that turn again."
        raise click.ClickException(f"The game of seed {seed}: {bad}\n{again}") from None
    except (Lost, TokensUnreadable) as lost:
        if table is not None:
            screen.say(table.farewell)
        raise click.ClickException(str(lost)) from None
    except Left:
        screen.say(table.farewell if table else "Until next time.")
    except EndOfInput:
        screen.say(table.farewell if table else "Until next time.")
        raise click.exceptions.Exit(NO_MORE_INPUT) from None
    except KeyboardInterrupt:
        screen.say("")
        screen.say(table.farewell if table else "Until next time.")
        raise click.exceptions.Exit(INTERRUPTED) from None
    finally:
        if table is not None:
            table.close()
        players.tidy()


def _user() -> str:
    with suppress(OSError, KeyError, ImportError):
        return getpass.getuser()
    return "You"


def _client(url: str, name: str | None, screen: Screen, tokens: Tokens) -> Client:
    from holmgang import Client

    def named(address: str) -> str:
        chosen = name or ""
        while not chosen:
            screen.say(f"{address} does not know you yet. What is your name?", "bold")
            chosen = screen.ask()
        return chosen

    token = players.token_for(url, tokens, named, lambda told: screen.say(told, "dim"))
    return Client(url, token, notes=players.notes_of(token))
