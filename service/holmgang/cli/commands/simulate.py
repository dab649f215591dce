"""`holmgang simulate`: many games between bots, without a service, and what came of them."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, closing
from pathlib import Path
from typing import NoReturn

import click

from holmgang.bots import guests
from holmgang.bots.guests import NoSuchBot
from holmgang.bots.tally import Tally
from holmgang.cli.game_option import GameOption
from holmgang.cli.given import need_folder, plan_of, rules_of, unwritable
from holmgang.cli.simulating import GameFailed, Plan, Table, outcomes
from holmgang.cli.simulation_report import Sheet, progress, report
from holmgang.engine.messages import how_many
from holmgang.engine.rules import AnyRules
from holmgang.interrupts import undivided

INTERRUPTED = 130
MOST_BOTS = 8


@click.command("simulate")
@click.option("--game", cls=GameOption, required=True, help="The game to play: {games}.")
@click.option(
    "--bots", "names", required=True, metavar="A,B,...", help="Built-in bots, or module:Class or path/file.py:Class."
)
@click.option("--games", default=100, show_default=True, type=click.IntRange(1), help="How many games.")
@click.option("--seats", type=int, help="Number of players; by default one a bot, as far as the game allows.")
@click.option("--option", "settings", multiple=True, metavar="NAME=VALUE", help="An option of the game; JSON or text.")
@click.option("--seed", default=1, show_default=True, help="For the bots' choices and the games' chance.")
@click.option("--only", type=click.IntRange(1), metavar="NUMBER", help="Play this one of the games.")
@click.option("--processes", type=click.IntRange(1), help="How many play; by default one a processor.")
@click.option("--csv", "csv", type=click.Path(dir_okay=False, path_type=Path), help="Write a line a game and seat.")
@click.option("--plot", type=click.Path(dir_okay=False, path_type=Path), help="Draw the results: .png or .svg.")
def command(
    game: str,
    names: str,
    games: int,
    seats: int | None,
    settings: tuple[str, ...],
    seed: int,
    only: int | None,
    processes: int | None,
    csv: Path | None,
    plot: Path | None,
) -> None:
    """Let bots play each other many times, sharing the seats equally, and count.

    The same arguments give the same games, however many processes play them. Ctrl-C ends it with what has been played.
    """
    plan = _plan(game, names, seats, settings, seed)
    if only is not None and only > games:
        raise click.UsageError(f"There is no game {only} of {games}: --games says how many there are.")
    draw = None if plot is None else _drawing(plot)
    numbers = range(1, games + 1) if only is None else range(only, only + 1)
    try:
        table = Table(plan)
    except NoSuchBot as fault:
        raise click.UsageError(str(fault)) from None
    tally = Tally(table.rules, plan.seats, plan.labels)
    ended: Exception | KeyboardInterrupt | None = None
    with ExitStack() as stack:
        sheet = None if csv is None else stack.enter_context(_sheet(csv, table.rules))
        watched = stack.enter_context(progress(len(numbers)))
        played = stack.enter_context(
            closing(outcomes(table, numbers, min(processes or os.cpu_count() or 1, len(numbers))))
        )
        try:
            for outcome in watched(played):
                with undivided():
                    tally.add(outcome)
                    if sheet is not None:
                        sheet.add(outcome)
        except NoSuchBot as fault:
            raise click.UsageError(str(fault)) from None
        except (KeyboardInterrupt, GameFailed, BrokenProcessPool) as early:
            ended = early
    if tally.games:
        try:
            if draw is not None and plot is not None:
                draw(plan, tally, plot)
        except OSError as fault:
            raise unwritable(plot, fault) from None
        finally:
            report(plan, tally, len(numbers))
    if ended is not None:
        _tell(ended, tally.games, len(numbers))


def _tell(ended: Exception | KeyboardInterrupt, played: int, wanted: int) -> NoReturn:
    """Why not all games were played."""
    if isinstance(ended, KeyboardInterrupt):
        click.echo(f"Stopped after {played} of {how_many(wanted, 'game')}.", err=True)
        raise SystemExit(INTERRUPTED)
    if isinstance(ended, GameFailed):
        again = "" if wanted == 1 else f"\nThe same command with --only {ended.number} plays that game alone."
        raise click.ClickException(f"{ended}{again}")
    raise click.ClickException("A process that played games died. With --processes 1 there is no other that could.")


def _plan(game: str, names: str, seats: int | None, settings: tuple[str, ...], seed: int) -> Plan:
    rules = rules_of(game)
    try:
        bots = guests.listed(names)
    except NoSuchBot as fault:
        raise click.UsageError(str(fault)) from None
    if len(set(bots)) < len(bots):
        raise click.UsageError("Name each bot once. One alone plays against itself.")
    if len(bots) > MOST_BOTS:
        raise click.UsageError(f"{len(bots)} bots are named: at most {MOST_BOTS} play at a time.")
    if seats is None:
        seats = min((n for n in rules.seat_counts if n >= len(bots)), default=max(rules.seat_counts))
    return plan_of(rules, seats, settings, bots, seed)


def _drawing(plot: Path) -> Callable[[Plan, Tally, Path], None]:
    """What draws the results, asked for before anything is played."""
    if plot.suffix.lower() not in (".png", ".svg"):
        raise click.UsageError("The plot is a .png or an .svg.")
    need_folder(plot)
    try:
        from holmgang.cli.simulation_plot import draw
    except ImportError as missing:
        need = f"--plot needs matplotlib: pip install 'holmgang[play,plot]' ({missing})"
        raise click.ClickException(need) from None
    return draw


def _sheet(csv: Path, rules: AnyRules) -> Sheet:
    need_folder(csv)
    try:
        return Sheet(csv, rules)
    except OSError as fault:
        raise unwritable(csv, fault) from None
