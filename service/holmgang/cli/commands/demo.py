"""`holmgang demo`: one game, played over HTTP by clients that choose legal actions, told as it goes."""

from __future__ import annotations

import contextlib
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import islice
from typing import Any

import click
import httpx
import msgspec
from rich.console import Console
from rich.table import Table

from holmgang import Client, Problem, any_action, registry
from holmgang.cli.game_option import GameOption
from holmgang.cli.http_server import local_url
from holmgang.config import Settings
from holmgang.engine.rules import AnyRules, players
from holmgang.interrupts import undivided
from holmgang.terminal.table import NOBODY, People, names

USUAL_SEATS = 4
START_SECONDS = 120.0
HOUSE_EVENTS = {
    "game_created": "A game is set up.",
    "game_started": "All seats are taken; the game begins.",
}
SILENT_EVENTS = ("seat_taken", "choice_sealed")


@click.command("demo")
@click.option("--game", cls=GameOption, help="The game to play: {games}. By default the first of them.")
@click.option("--seats", type=int, help="Number of players; four where the game allows it.")
@click.option("--url", help="A running service; by default the one that the settings name, started if it does not run.")
@click.option("--seed", type=int, help="For the players' choices, not for the game's chance.")
def command(game: str | None, seats: int | None, url: str | None, seed: int | None) -> None:
    """Play one game by HTTP clients, one a seat, and tell its story."""
    try:
        rules = registry.latest(game or registry.names()[0])
    except registry.UnknownRuleset as fault:
        raise click.UsageError(str(fault)) from None
    if seats is None:
        seats = max((n for n in rules.seat_counts if n <= USUAL_SEATS), default=min(rules.seat_counts))
    if seats not in rules.seat_counts:
        raise click.UsageError(f"{rules.title} takes {players(rules)}, not {seats}.")
    console = Console(highlight=False, soft_wrap=True)
    with _service(url, console) as address:
        rng = random.Random(seed)  # noqa: S311 # any legal action will do
        try:
            Demonstration(rules, address, seats, rng, console).run()
        except (Problem, httpx.TransportError) as fault:
            raise click.ClickException(f"The game was broken off: {str(fault) or type(fault).__name__}") from fault


class Demonstration:
    """One game from registering the players to the score. All that it knows comes over HTTP."""

    def __init__(self, rules: AnyRules, url: str, seats: int, rng: random.Random, console: Console) -> None:
        self.rules = rules
        self.rng = rng
        self.console = console
        self.names = tuple(islice(names(), seats))
        self.clients = [Client.register(url, name) for name in self.names]
        self.spectator = Client(url)
        self.game: str = self.clients[0].create_game(rules.ruleset, seats)["id"]
        for client in self.clients[1:]:
            client.take_seat(self.game)
        self.told = 0
        self.moves = 0

    def run(self) -> None:
        self.console.print(f"[bold]{self.rules.title}[/bold], game {self.game}")
        for seat, name in enumerate(self.names):
            self.console.print(f"  seat {seat}: {name}")
        while True:
            self.tell()
            if self.spectator.turn(self.game)["status"] == "over":
                break
            for client in self.clients:
                self.move(client)
        self.score()
        for client in (*self.clients, self.spectator):
            client.close()

    def move(self, client: Client) -> None:
        turn = client.turn(self.game)
        legal = turn["legal"]
        if not turn["yours"] or legal is None:
            return
        client.submit(self.game, turn["turn"], any_action(legal, self.rng))
        self.moves += 1

    def tell(self) -> None:
        """What has happened since the last time, as a spectator sees it."""
        for event in self.spectator.events(self.game, after=self.told):
            self.told = event["seq"]
            sentence = self.sentence(event["payload"])
            if sentence:
                self.console.print(sentence)

    def sentence(self, event: dict[str, Any]) -> str | None:
        if event["type"] in SILENT_EVENTS:
            return None
        if event["type"] in HOUSE_EVENTS:
            return HOUSE_EVENTS[event["type"]]
        told = self.rules.tell(msgspec.convert(event, self.rules.effect_type))
        return People(self.names, NOBODY).named(told)

    def score(self) -> None:
        result = self.spectator.game(self.game)["result"]
        assert result is not None, "a game that is over has a result"
        table = Table(title="Final score")
        table.add_column("rank", justify="right")
        table.add_column("player")
        table.add_column("points", justify="right")
        rank = 1
        for group in result["ranking"]:
            for seat in group:
                table.add_row(str(rank), self.names[seat], str(result["scores"][seat]))
            rank += len(group)
        self.console.print(table)
        winners = " and ".join(self.names[seat] for seat in result["winners"])
        verb = "wins" if len(result["winners"]) == 1 else "share the win"
        self.console.print(f"[bold]{winners} {verb}[/bold] ({result['reason']}; {self.moves} moves over HTTP)")


@contextlib.contextmanager
def _service(url: str | None, console: Console) -> Iterator[str]:
    """The address of a running service; where none runs, of one started for the demonstration."""
    try:
        with Client(url or local_url(Settings.from_environment())) as anybody:
            address = anybody.url
            if url is not None:
                next(anybody.rulesets(), None)
    except ValueError as wrong:
        raise click.UsageError(str(wrong)) from None
    except (Problem, httpx.TransportError) as fault:
        raise click.ClickException(str(fault)) from None
    if url is not None or _answers(address):
        yield address
        return
    console.print("No service runs; starting one for the demonstration.")
    command = [sys.executable, "-m", "holmgang.cli.main", "serve"]
    environ = {**os.environ}
    server: subprocess.Popen[bytes] | None = None
    try:
        with undivided():
            server = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environ)  # noqa: S603 # this program
        deadline = time.monotonic() + START_SECONDS
        while not _answers(address):
            if server.poll() is not None:
                raise click.ClickException("The service could not be started: see its message above.")
            if time.monotonic() > deadline:
                raise click.ClickException(f"The service did not answer within {START_SECONDS:.0f} s.")
            time.sleep(0.1)
        yield address
    finally:
        if server is not None:
            server.terminate()
            server.wait()


def _answers(address: str) -> bool:
    try:  # not /readyz, which a proxy keeps back
        return httpx.get(f"{address}/v1/rulesets", timeout=5).status_code == httpx.codes.OK
    except (httpx.TransportError, httpx.InvalidURL, UnicodeError):
        return False
