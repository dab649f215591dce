"""A bot that cannot play a game is given no seat in it, whoever asks, and whoever asks is told which can."""

from __future__ import annotations

import io
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from rich.console import Console

from holmgang import registry as games
from holmgang.bots import registry
from holmgang.bots.base import NAMES, THOUGHTFUL
from holmgang.cli.commands import arena, ladder, play, simulate, tournament
from holmgang.engine.rules import AnyRules
from holmgang.terminal.lobby import Lobby, Wishes
from holmgang.terminal.local import LocalTable
from holmgang.terminal.screen import Screen
from holmgang.terminal.sitting import Asking, Sitting
from holmgang.training.environment import HolmgangEnv

if TYPE_CHECKING:
    import click

GAME = "claim"


@pytest.fixture(autouse=True)
def no_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games.game(GAME), "_judge", None)
    monkeypatch.setitem(vars(games.game(GAME)), "judge", None)  # else it might be kept beyond this test


def told() -> str:
    return f"Bots that do: {', '.join(registry.playing(GAME))}"


@pytest.mark.parametrize("ruleset", games.names())
def test_one_list_says_who_plays(ruleset: str) -> None:
    assert registry.playing(ruleset) == tuple(name for name in NAMES if registry.plays(name, ruleset))
    assert registry.playing(ruleset)[0] == "random", "legal choices can be drawn in any game"
    assert registry.plays("greedy", ruleset) == (ruleset != GAME)
    assert registry.usual(ruleset) in registry.playing(ruleset)
    assert (registry.usual(ruleset) == "greedy") == registry.plays("greedy", ruleset)


def test_nobody_plays_a_game_that_is_not_here() -> None:
    assert registry.playing("unheard_of") == ()


CARELESS = str(Path(__file__).with_name("careless.py"))
COMMANDS: list[tuple[str, click.Command, list[str]]] = [
    ("arena", arena.command, ["--games", "1", "--seconds", "5", "--bots", "random,{bot}"]),
    ("arena first", arena.command, ["--games", "1", "--seconds", "5", "--bots", "{bot},random"]),
    ("simulate", simulate.command, ["--games", "1", "--processes", "1", "--bots", "{bot},random"]),
    ("tournament", tournament.command, ["--processes", "1", "{bot}", CARELESS]),
    ("ladder", ladder.command, ["--games", "1", "--processes", "1", "{bot}", CARELESS]),
    ("play", play.command, ["--bots", "{bot}"]),
]


@pytest.mark.parametrize(
    ("command", "arguments", "bot"),
    [
        # Commands other than `play` let it play a whole game.
        pytest.param(
            command,
            arguments,
            bot,
            id=f"{name}-{bot}",
            marks=pytest.mark.slow if bot in THOUGHTFUL and command is not play.command else (),
        )
        for name, command, arguments in COMMANDS
        for bot in NAMES
    ],
)
def test_the_command_line_names_those_that_can(command: click.Command, arguments: list[str], bot: str) -> None:
    result = CliRunner().invoke(command, ["--game", GAME, *(part.format(bot=bot) for part in arguments)])
    refused = f"No bot '{bot}' plays Claim"
    said = " ".join(result.output.replace("│", " ").split())
    assert (refused in said) == (not registry.plays(bot, GAME)), said
    assert (told() in said) == (refused in said)


def screen() -> Screen:
    return Screen(Console(file=io.StringIO(), width=80, highlight=False))


def test_at_the_terminal_a_bot_sits_down_that_can() -> None:
    table = Lobby(screen(), Wishes(ruleset=GAME)).local("Ann", Random(1))
    assert isinstance(table, LocalTable)
    assert set(table.kinds) == {None, registry.usual(GAME)}


@pytest.mark.parametrize("ruleset", games.names())
def test_at_the_terminal_only_bots_that_can_are_offered(ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shown, game = screen(), games.names().index(ruleset) + 1
    typed = iter([str(game), str(games.latest(ruleset).seat_counts[0]), "1"])
    monkeypatch.setattr(shown, "ask", lambda: next(typed))
    Lobby(shown, Wishes()).local("Ann", Random(1))
    out: Any = shown.console.file
    offered = [name for name in NAMES if f"against {name}" in out.getvalue()]
    assert offered == list(registry.playing(ruleset))


def asked(rules: AnyRules) -> Asking:
    table = LocalTable(rules, ["random"] * (rules.seat_counts[0] - 1), 0, "Ann", Random(1))
    while not (moment := table.now()).yours:
        table.wait(moment)
    space = rules.moves(rules.determinize(moment.view, Random(0)), 0)
    return Asking(Sitting(table, screen(), Random(1)), moment, space)


def test_a_hint_at_the_terminal_is_of_a_bot_that_can() -> None:
    asking = asked(games.latest(GAME))
    asking.hear("hint")
    out: Any = asking.screen.console.file
    assert f"{registry.usual(GAME)} would: " in out.getvalue()
    asking.hear("?")
    assert f"`{registry.usual(GAME)}` would do" in " ".join(out.getvalue().split())
    assert asking.hear("take") in asking.space


@pytest.mark.parametrize("bot", [*NAMES, None])
def test_a_hint_of_the_environment_is_of_a_bot_that_can(bot: str | None) -> None:
    env = HolmgangEnv(GAME)
    env.reset(1)
    if bot is None or registry.plays(bot, GAME):
        word = env.hint() if bot is None else env.hint(bot)
        assert env.observe(env.agent_selection)["action_mask"][word]
    else:
        with pytest.raises(ValueError, match=told()):
            env.hint(bot)
