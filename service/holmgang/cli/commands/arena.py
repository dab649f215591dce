"""`holmgang arena`: a match of two kinds of bot, without a service."""

from __future__ import annotations

import click

from holmgang import registry
from holmgang.bots import guests
from holmgang.bots import registry as bots
from holmgang.bots.arena import Standing, match
from holmgang.bots.guests import BadChoice, NoSuchBot
from holmgang.cli.game_option import GameOption
from holmgang.cli.simulating import GameFailed
from holmgang.engine.messages import how_many
from holmgang.engine.rules import players


@click.command("arena")
@click.option("--game", cls=GameOption, required=True, help="The game to play: {games}.")
@click.option(
    "--bots", "pair", required=True, metavar="A,B", help="Two built-in bots, or module:Class or path/file.py:Class."
)
@click.option(
    "--target",
    default=0.9,
    show_default=True,
    type=click.FloatRange(0.1, 1, min_open=True, max_open=True),
    help="The share of wins that A is tested for.",
)
@click.option("--seats", type=int, help="Number of players; by default as few as the game allows.")
@click.option(
    "--seconds",
    default=1800.0,
    show_default=True,
    type=click.FloatRange(0, min_open=True),
    help="When to stop, decided or not.",
)
@click.option("--games", type=click.IntRange(1), help="Play so many games, and do not stop when it is decided.")
@click.option("--seed", default=1, show_default=True, help="For the bots' choices and the games' chance.")
def command(
    game: str, pair: str, target: float, seats: int | None, seconds: float, games: int | None, seed: int
) -> None:
    """Let bots play each other until it is decided whether A wins often enough. Exit code 1 if that is not shown."""
    try:
        rules = registry.latest(game)
    except registry.UnknownRuleset as fault:
        raise click.UsageError(str(fault)) from None
    seats = min(rules.seat_counts) if seats is None else seats
    if seats not in rules.seat_counts:
        raise click.UsageError(f"{rules.title} takes {players(rules)}, not {seats}.")
    try:
        first, second = _pair(pair, game)
        opponents = (guests.find(first, game), guests.find(second, game))
        for make in opponents:
            make()  # what cannot be made is told before anything is played
    except NoSuchBot as fault:
        raise click.UsageError(str(fault)) from None
    click.echo(f"{rules.title} with {seats}: {first} against {second}, target {target:.0%}, seed {seed}")
    standing: Standing | None = None
    config = rules.configure(seats, {})
    try:
        for standing in match(rules, config, opponents, target, seed, seconds=seconds, games=games):
            click.echo(_told(standing))
    except BadChoice as fault:
        number = 1 if standing is None else standing.games + 1
        again = f"holmgang simulate --game {game} --bots {first},{second} --seats {seats} --seed {seed}"
        hint = f"\n`{again} --games {number} --only {number}` plays that game alone." if first != second else ""
        raise click.ClickException(f"{GameFailed(number, seed, fault)}{hint}") from fault
    if standing is None:
        raise click.ClickException("No game was played.")
    for name, clock in zip((first, second), standing.clocks, strict=True):
        click.echo(
            f"{name}: {how_many(clock.choices, 'choice')}, {1000 * clock.mean():.2f} ms each, the slowest"
            f" {1000 * clock.slowest:.0f} ms"
        )
    if standing.reached is None:
        raise click.ClickException("It is not decided.")
    if not standing.reached:
        raise click.ClickException(f"{first} wins less than {target:.0%}.")
    click.echo(f"{first} wins {target:.0%} or more.")


def _pair(names: str, game: str) -> tuple[str, str]:
    """The two that are named; NoSuchBot where there are not two."""
    match guests.listed(names):
        case (first, second):
            return first, second
        case (alone,):
            other = next((name for name in bots.playing(game) if name != alone), alone)
            raise NoSuchBot(f"Two bots are needed, and {alone} is one: say --bots {alone},{other} for example.")
        case more:
            raise NoSuchBot(f"{len(more)} bots are named, and two are needed: `holmgang simulate` takes more.")


def _told(standing: Standing) -> str:
    low, high = standing.interval
    share = standing.wins / standing.games
    return f"{standing.wins:g} of {standing.games} ({share:.1%}, between {low:.1%} and {high:.1%})"
