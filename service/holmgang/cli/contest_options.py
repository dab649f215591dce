"""What `holmgang tournament` and `holmgang ladder` have in common: their arguments, and how they end."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click
from msgspec import Struct

from holmgang.bots import guests
from holmgang.bots.guests import NoSuchBot
from holmgang.engine.messages import how_many

from .contest import Host, playing
from .contest_report import Sheet, console_for, document, report, write
from .game_option import GameOption
from .given import need_folder, plan_of, rules_of, unwritable
from .tourney import Contest, Play

INTERRUPTED = 130

Function = TypeVar("Function", bound=Callable[..., Any])


class Given(Struct, frozen=True):
    """What was said on the command line, but for what only one of the commands takes."""

    game: str
    bots: tuple[str, ...]
    seats: int | None
    settings: tuple[str, ...]
    seed: int
    patience: float
    processes: int | None
    csv: Path | None
    json: Path | None


def options(command: Function) -> Function:
    """Add what both take."""
    for add in (
        click.argument("bots", nargs=-1, required=True, metavar="BOT BOT..."),
        click.option("--json", type=click.Path(dir_okay=False, path_type=Path), help="Write all of it."),
        click.option("--csv", type=click.Path(dir_okay=False, path_type=Path), help="Write a line a game and side."),
        click.option("--processes", type=click.IntRange(1), help="How many play; by default one a processor."),
        click.option(
            "--patience",
            default=60.0,
            show_default=True,
            type=click.FloatRange(0, min_open=True),
            help="Seconds after which a choice of your bots is given up, and its game lost.",
        ),
        click.option("--seed", default=1, show_default=True, help="For lots, the bots' choices and the games' chance."),
        click.option("--option", "settings", multiple=True, metavar="NAME=VALUE", help="Of the game; JSON or text."),
        click.option("--seats", type=int, help="Seats at a table; by default as few as the game allows."),
        click.option("--game", cls=GameOption, required=True, help="The game to play: {games}."),
    ):
        command = add(command)
    return command


def host_of(given: Given) -> Host:
    """Who plays the games, once all that was said is right and each bot could be made."""
    rules = rules_of(given.game)
    least = min((seats for seats in rules.seat_counts if len(rules.teams(seats)) > 1), default=None)
    seats = given.seats if given.seats is not None else least
    if seats is None or (seats in rules.seat_counts and len(rules.teams(seats)) < 2):
        raise click.UsageError(f"In {rules.title} nobody plays against anybody.")
    for file in (given.csv, given.json):
        if file is not None:
            need_folder(file)
    try:
        bots = tuple(map(guests.whole, given.bots))
        if len(set(bots)) < len(bots):
            raise click.UsageError("Name each bot once.")
        host = Host(plan_of(rules, seats, given.settings, bots, given.seed), given.patience)
        for make in host.makers:
            make()  # what cannot be made is told before anything is played
    except NoSuchBot as fault:
        raise click.UsageError(str(fault)) from None
    if len(bots) < min(host.seats):
        raise click.UsageError(f"At least {min(host.seats)} bots are needed.")
    return host


@contextmanager
def contested(given: Given, contest: Contest, kind: str) -> Iterator[tuple[Play, Callable[[], None]]]:
    """Gives what plays games, and what writes down those that are over; at the end, whatever it is, what there is is
    told."""
    console = console_for(contest)
    ended: BaseException | None = None
    with ExitStack() as stack:
        try:
            sheet = None if given.csv is None else stack.enter_context(Sheet(given.csv))
        except OSError as fault:
            raise unwritable(given.csv, fault) from None
        try:
            with playing(contest.host, given.processes or os.cpu_count() or 1) as play:
                yield play, lambda: None if sheet is None else sheet.add(contest.games)
        except (KeyboardInterrupt, BrokenProcessPool) as early:
            ended = early
        if sheet is not None:
            sheet.add(contest.games)
    if contest.games:
        report(console, contest)
    if given.json is not None:
        try:
            write(given.json, document(contest, kind))
        except OSError as fault:
            raise unwritable(given.json, fault) from None
    if isinstance(ended, KeyboardInterrupt):
        click.echo(f"Stopped after {how_many(len(contest.games), 'game')}.", err=True)
        raise SystemExit(INTERRUPTED)
    if ended is not None:
        raise click.ClickException("A process that played games died. With --processes 1 there is no other that could.")
