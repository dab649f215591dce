"""Bots of one's own in `arena` and in `play` without a server; `test_play` has them on one, `test_simulate` there."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from holmgang.cli.commands import arena, play, simulate

BOTS = """
from holmgang import Bot, any_action

class Careless(Bot):
    def choose(self, view, legal):
        return any_action(legal)

class Later(Careless):
    async def choose(self, view, legal):
        return any_action(legal)

class Keeps(Careless):
    def __init__(self):
        self.turns = []
    def choose(self, view, legal):
        self.turns.append((view["turn"], view["seat"]))
        assert self.turns == sorted(set(self.turns)) and len({seat for _, seat in self.turns}) == 1
        return any_action(legal)

class Twice(Bot):
    def choose(self, view, legal):
        return {"type": "place", "points": ["a1", "a1"]} if view["turn"] > 4 else any_action(legal)

class Forgetful(Bot):
    def choose(self, view, legal):
        any_action(legal)

class Failing(Bot):
    def choose(self, view, legal):
        return {}["nothing"]

class Informed(Bot):
    def choose(self, view, legal, turn):
        assert (turn.ruleset, turn.seat, turn.number) == ("claim", view["seat"], view["turn"])
        return any_action(legal)

class Needy(Careless):
    def __init__(self, more):
        pass
"""
FAULTS = {
    "Twice": "rule K2.1: Two pieces go to two different points.",
    "Forgetful": "(placement): the choice is no action: it must be a JSON object (a dict), but is None",
    "Failing": "(placement): choose failed: KeyError: 'nothing' (line 30 of ",
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("own.py").write_text(BOTS, encoding="utf-8")
    Path("one.py").write_text(BOTS.partition("class Later")[0], encoding="utf-8")


def arena_of(bots: str, *more: str, code: int) -> str:
    result = CliRunner().invoke(arena.command, ["--game", "claim", "--bots", bots, "--games", "2", *more])
    assert result.exit_code == code, result.output
    return result.output


def played(bots: str, *more: str, code: int = 0) -> str:
    arguments = ["--game", "claim", "--bots", bots, "--name", "Ann", "--seed", "4", *more]
    result = CliRunner().invoke(play.command, arguments, input="hint\ntake\n" * 300)
    assert result.exit_code == code, result.output
    return result.output


@pytest.mark.parametrize("bots", ["own.py:Later,own.py:Keeps", "one.py,own.py:Informed"])
def test_they_meet_in_the_arena(bots: str) -> None:
    told = arena_of(bots, "--target", "0.2", code=1)
    assert "of 2 (" in told
    assert f"{bots.partition(',')[0]}".removesuffix(".py") in told
    assert "It is not decided." in told


@pytest.mark.parametrize("bot", FAULTS)
def test_what_one_does_wrong_in_the_arena_is_told_with_the_game_that_shows_it(bot: str) -> None:
    told = arena_of(f"random,own.py:{bot}", code=1)
    assert f"Error: Game 1 of seed 1: own.py:{bot} on seat 1, turn " in told
    assert FAULTS[bot] in told
    again = told.split("`")[-2].split()
    assert again[:2] == ["holmgang", "simulate"]
    alone = CliRunner().invoke(simulate.command, [*again[2:], "--processes", "1"])
    assert alone.stderr.splitlines()[0] in told.splitlines(), "it is the same game"


@pytest.mark.parametrize("bot", ["one.py", "own.py:Later", "own.py:Keeps", "own.py:Informed"])
def test_one_plays_at_home(bot: str) -> None:
    told = played(bot, "--seats", "3")
    assert f"is the bot {bot.replace('one.py', 'one.py:Careless')}." in told
    assert "Final score" in told


@pytest.mark.parametrize("bot", FAULTS)
def test_what_one_does_wrong_at_home_is_told_with_the_seed(bot: str) -> None:
    told = played(f"own.py:{bot}", code=1)
    assert f"Error: The game of seed 4: own.py:{bot} on seat 1, turn " in told
    assert FAULTS[bot] in told
    assert "With --seed 4 and the same answers the game comes to that turn again." in told


@pytest.mark.parametrize("command", [arena.command, play.command], ids=["arena", "play"])
def test_one_that_cannot_be_made(command: object) -> None:
    bots = "own.py:Needy,random" if command is arena.command else "own.py:Needy"
    told = (arena_of if command is arena.command else played)(bots, code=2)
    assert "own.py:Needy cannot be made by calling it: TypeError" in told.replace("\n", " ")
