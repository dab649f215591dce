"""The demonstration, against the running service."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

from holmgang import registry
from tests.e2e.between import BUSY, Nth, between
from tests.e2e.running import Running, serving


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with serving() as service:
        yield service


@pytest.mark.parametrize("seats", [4, pytest.param(3, marks=pytest.mark.slow)])
def test_the_demonstration_plays_to_a_complete_score(running: Running, seats: int) -> None:
    command = [sys.executable, "-m", "holmgang.cli.main", "demo", "--url", running.url, "--seats", str(seats)]
    told = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert told.returncode == 0, told.stderr
    lines = told.stdout.splitlines()
    players = [line.split(": ")[1] for line in lines if re.match(r"  seat \d: ", line)]
    assert len(players) == seats
    rounds = [line for line in lines if re.fullmatch(r"Round \d+ begins; \w+ is first player\.", line)]
    assert 5 <= len(rounds) <= 10
    assert sum(line.startswith("Combat ") for line in lines) > 5
    scored = re.findall(r"│ +(\d) │ (\w+) +│ +(\d+) │", told.stdout)
    assert sorted(name for _, name, _ in scored) == sorted(players)
    ended = next(line for line in lines if line.startswith("The game ends"))
    assert all(f"{name} {points}" in ended for _, name, points in scored)
    assert re.search(r"(wins|share the win) \((tenth_round|walls_complete); \d+ moves over HTTP\)", lines[-1])


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_demonstration_plays_every_game(running: Running) -> None:
    play_every_game(running)


def play_every_game(running: Running) -> None:
    """They may take minutes: a game is some 1,700 requests, one after another."""
    for game in registry.names():
        command = [sys.executable, "-m", "holmgang.cli.main", "demo", "--url", running.url, "--game", game]
        told = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
        assert told.returncode == 0, told.stderr
        assert "Final score" in told.stdout
        assert re.search(r"moves over HTTP\)\n$", told.stdout)


def test_a_fault_on_the_way_is_a_sentence(running: Running) -> None:
    """Who registers does not ask twice: the first answer may have made a player whose token nobody has."""
    with between(running.port, {Nth("POST", "players", 2): BUSY}) as here:
        command = [sys.executable, "-m", "holmgang.cli.main", "demo", "--url", here.url.removesuffix("/v1")]
        told = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert told.returncode == 1
    assert told.stderr == "Error: The game was broken off: 503 busy: Not now.\n"
