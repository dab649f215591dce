"""The commands play any game that is there: one that a package brings, whole or with its rules alone."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from holmgang import registry
from holmgang.bots import registry as bots
from holmgang.cli.commands import arena, demo, ladder, play, simulate, tournament
from holmgang.engine.rules import players

if TYPE_CHECKING:
    import click

COMMANDS = [arena.command, demo.command, ladder.command, play.command, simulate.command, tournament.command]


@pytest.fixture(params=["toy", "bare_toy"])
def there(request: pytest.FixtureRequest) -> Path:
    found: Path = request.getfixturevalue(request.param)
    return found


def said(command: click.Command, *arguments: str, typed: str | None = None, code: int = 0) -> str:
    result = CliRunner().invoke(command, arguments, input=typed)
    assert result.exit_code == code, result.output
    return " ".join(result.output.replace("│", " ").split())


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_help_lists_the_games_that_are_there(command: click.Command, toy: Path) -> None:
    assert ", ".join(registry.names()) in said(command, "--help")
    assert "toy" in registry.names()


def test_without_the_games_help_goes_without_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "holmgang.registry", None)
    monkeypatch.delattr("holmgang.registry", raising=False)
    assert "the games; or, with --url" in said(play.command, "--help")


def test_simulate(there: Path) -> None:
    told = said(simulate.command, "--game", "toy", "--bots", "search,random", "--games", "4", "--processes", "1")
    assert "search" in told


def test_simulate_in_several_processes(there: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those find the package as this one does."""
    assert "random" in said(simulate.command, "--game", "toy", "--bots", "random", "--games", "3", "--processes", "2")


def test_arena(there: Path) -> None:
    best = bots.usual("toy")
    told = said(arena.command, "--game", "toy", "--bots", f"{best},random", "--games", "2", "--target", "0.2", code=1)
    assert f"Toy with 2: {best} against random" in told
    assert "of 2 (" in told


@pytest.mark.parametrize("command", [tournament.command, ladder.command], ids=lambda command: command.name)
def test_a_tournament_and_a_ladder(command: click.Command, there: Path) -> None:
    told = said(command, "--game", "toy", "--games", "2", "--processes", "1", "search", "random")
    assert "Toy with 2: " in told
    assert "Elo" in told


def test_play(there: Path) -> None:
    """By numbers of lists, hints, and words."""
    typed = "hint\ntake\n" + "1\n" * 9
    told = said(play.command, "--game", "toy", "--bots", "random", "--seed", "3", "--name", "Ann", typed=typed)
    words = "play: card" if registry.game("toy").face is None else "the card"
    assert f"{bots.usual('toy')} would: {words}" in told
    assert "Final score" in told


@pytest.mark.parametrize("command", [arena.command, demo.command, simulate.command, play.command])
def test_a_number_of_players_that_the_game_does_not_take(command: click.Command, toy: Path) -> None:
    more = ["--bots", "random,search"] if command is not demo.command else []
    assert "Toy takes 2 to 3 players, not 5." in said(command, "--game", "toy", "--seats", "5", *more, code=2)


@pytest.mark.parametrize("command", [tournament.command, ladder.command], ids=lambda command: command.name)
def test_nor_does_it_at_a_table_of_a_tournament(command: click.Command, toy: Path) -> None:
    assert "Toy takes 2 to 3 players, not 5." in said(
        command, "--game", "toy", "--seats", "5", "random", "search", code=2
    )


@pytest.mark.parametrize(
    ("counts", "told"),
    [((2,), "2 players"), ((2, 3), "2 to 3 players"), ((4, 2), "2 or 4 players"), ((3, 4, 5), "3 to 5 players")],
)
def test_how_many_may_play(counts: tuple[int, ...], told: str) -> None:
    class Some:
        seat_counts = counts

    rules: object = Some()
    assert players(rules) == told  # type: ignore[arg-type]
