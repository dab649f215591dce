"""`holmgang check-game`: the laws that every game keeps, tried on one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from holmgang.engine.messages import how_many
from holmgang.engine.rules import players

if TYPE_CHECKING:
    from holmgang.checking.table import Law
    from holmgang.engine.game import Game

GAMES = 10
FAILED = 1
MEASURED = 0.5
"""Seconds for each number of players."""


def _numbers(_context: click.Context, _parameter: click.Parameter, value: str | None) -> tuple[int, ...] | None:
    try:
        return None if value is None else tuple(sorted({int(part) for part in value.split(",")}))
    except ValueError:
        raise click.BadParameter(f"'{value}' is no list of numbers such as 2,3.") from None


@click.command("check-game")
@click.argument("name")
@click.option("--games", default=GAMES, show_default=True, type=click.IntRange(1), help="Random games a law and seats.")
@click.option("--seats", callback=_numbers, metavar="N,M,...", help="Numbers of players; all of them by default.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0), help="Of the first random game.")
@click.option("--law", "laws", multiple=True, metavar="LAW", help="Try this law alone; may be given more than once.")
@click.option(
    "--goldens", type=click.Path(file_okay=False, path_type=Path), help="Compare whole games with those kept here."
)
@click.option("--write", is_flag=True, help="With --goldens: write them anew. Read the difference then.")
def command(
    name: str,
    games: int,
    seats: tuple[int, ...] | None,
    seed: int,
    laws: tuple[str, ...],
    goldens: Path | None,
    write: bool,
) -> None:
    """Try every law of games on a game, and report the first that it breaks. NAME is what `holmgang games` lists, or
    package:GAME.

    Random games are played with each number of players, from the fewest on, and with the options that the game's
    `laws.py` names. What breaks a law is shown as the shortest game that still does. Exit codes: 0 the game keeps all
    laws, 1 it breaks one or differs from its goldens, 2 wrong usage.
    """

    game = _game(name)
    if write and goldens is None:
        raise click.UsageError("--write goes with --goldens FOLDER.")
    counts = game.rules.seat_counts if seats is None else seats
    if wrong := sorted({*counts} - {*game.rules.seat_counts}):
        raise click.UsageError(f"{game.rules.title} takes {players(game.rules)}, not {wrong[0]}.")
    broken = _try(game, _laws(laws), counts, range(seed, seed + games))
    if not broken:
        _measure(game, counts)
    if goldens is not None and not broken:
        broken = _compare(game, goldens, write)
    if broken:
        raise SystemExit(FAILED)


def _game(name: str) -> Game:
    from holmgang.checking.finding import NoSuchGame, find

    try:
        return find(name)
    except NoSuchGame as fault:
        raise click.UsageError(str(fault)) from None


def _laws(names: Sequence[str]) -> Sequence[Law]:
    from holmgang.checking.table import BY_NAME, LAWS

    unknown = [name for name in names if name not in BY_NAME]
    if unknown:
        raise click.UsageError(f"There is no law '{unknown[0]}'. There are: {', '.join(BY_NAME)}.")
    return [law for law in LAWS if not names or law.name in names]


def _try(game: Game, laws: Sequence[Law], counts: Sequence[int], seeds: Sequence[int]) -> bool:
    """Try the laws one after the other; whether one is broken, which is reported when all were tried."""
    from holmgang.checking.report import found, told
    from holmgang.checking.running import try_law

    click.echo(f"{game.rules.title}, rules {game.rules.version}, of the package {game.package}")
    first = None
    for law in laws:
        tried = try_law(law, game, counts, seeds)
        if tried.skipped is not None:
            click.echo(f"  {'skipped':8}{law.name:28}{tried.skipped}")
        elif tried.finding is not None:
            first = first or tried.finding
            click.echo(f"  {'BROKEN':8}{law.name:28}{found(tried.finding.error)}")
        else:
            much = (
                f"{how_many(tried.games, 'game')}, {how_many(tried.decisions, 'decision')}"
                if law.scope == "walk"
                else ""
            )
            click.echo(f"  {'kept':8}{law.name:28}{much}".rstrip())
    if first is not None:
        click.echo(f"\n{told(first)}")
    return first is not None


def _measure(game: Game, counts: Sequence[int]) -> None:
    from holmgang.checking.running import decisions_a_second

    for seats in counts:
        rate = decisions_a_second(game, seats, MEASURED)
        click.echo(f"  {rate:,.0f} decisions a second of random play with {how_many(seats, 'player')}")


def _compare(game: Game, folder: Path, write: bool) -> bool:
    """Compare the goldens, or write them; whether they differ."""
    from holmgang.checking import goldens

    if write:
        try:
            written = goldens.write(game, folder)
        except OSError as fault:
            raise click.ClickException(f"{folder} cannot be written: {fault.strerror}.") from None
        click.echo("\n".join(f"  wrote   {path}" for path in written))
        return False
    differing = goldens.differing(game, folder)
    click.echo("\n".join(f"  {sentence}" for sentence in differing) or f"  {folder} is as it was kept")
    if differing:
        click.echo("If that is meant, write them anew with --write, and read the difference.")
    return bool(differing)
