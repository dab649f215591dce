"""`holmgang arena`: a match of two kinds of bot, without a service."""

from __future__ import annotations

import click

from holmgang import registry
from holmgang.bots import registry as bots
from holmgang.bots.arena import Standing, match
from holmgang.cli.game_option import GameOption
from holmgang.engine.rules import players


@click.command("arena")
@click.option("--game", cls=GameOption, required=True, help="The game to play: {games}.")
@click.option("--bots", "pair", required=True, metavar="A,B", help=f"Two of {', '.join(bots.names())}.")
@click.option("--target", default=0.9, show_default=True, help="The share of wins that A is tested for.")
@click.option("--seats", type=int, help="Number of players; by default as few as the game allows.")
@click.option("--seconds", default=1800.0, show_default=True, help="When to stop, decided or not.")
@click.option("--games", type=int, help="Play so many games, and do not stop when it is decided.")
@click.option("--seed", default=1, show_default=True, help="For the bots' choices and the games' chance.")
def command(
    game: str, pair: str, target: float, seats: int | None, seconds: float, games: int | None, seed: int
) -> None:
    """Let bots play each other until it is decided whether A wins often enough. Exit code 1 if that is not shown."""
    try:
        rules = registry.latest(game)
    except registry.UnknownRuleset as fault:
        raise click.UsageError(str(fault)) from None
    seats = seats or min(rules.seat_counts)
    if seats not in rules.seat_counts:
        raise click.UsageError(f"{rules.title} takes {players(rules)}.")
    first, _, second = pair.partition(",")
    for name in (first, second):
        if not bots.plays(name, game):
            able = ", ".join(bots.playing(game))
            raise click.UsageError(f"No bot '{name}' plays {rules.title}. Bots that do: {able}.")
    if not 0.1 < target < 1:
        raise click.UsageError("The target lies between 0.1 and 1.")
    opponents = (bots.find(first), bots.find(second))
    click.echo(f"{rules.title} with {seats}: {first} against {second}, target {target:.0%}, seed {seed}")
    standing: Standing | None = None
    config = rules.configure(seats, {})
    for standing in match(rules, config, opponents, target, seed, seconds=seconds, games=games):
        click.echo(_told(standing))
    if standing is None:
        raise click.ClickException("No game was played.")
    for name, clock in zip((first, second), standing.clocks, strict=True):
        click.echo(
            f"{name}: {clock.choices} choices, {1000 * clock.mean():.2f} ms each, the slowest"
            f" {1000 * clock.slowest:.0f} ms"
        )
    if standing.reached is None:
        raise click.ClickException("It is not decided.")
    if not standing.reached:
        raise click.ClickException(f"{first} wins less than {target:.0%}.")
    click.echo(f"{first} wins {target:.0%} or more.")


def _told(standing: Standing) -> str:
    low, high = standing.interval
    share = standing.wins / standing.games
    return f"{standing.wins:g} of {standing.games} ({share:.1%}, between {low:.1%} and {high:.1%})"
