"""A game that the house knows nothing of is played: as a package and as a folder, whole and with its rules alone.

The web table has its own test (`browser/test_web_toy.py`), PettingZoo and the terminal theirs (`tests/unit`).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import games
from tests.e2e.running import Running, serving

TREE = Path(games.__file__).parents[2]
PROGRAM = [sys.executable, "-m", "service.cli.main"]
WHOLE = pytest.mark.parametrize("whole", [True, False], ids=["whole", "rules alone"])


@pytest.fixture(scope="module", params=[True, False], ids=["whole", "rules alone"])
def running(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Running]]:
    folder = games.install(tmp_path_factory.mktemp("toy"), whole=request.param)
    with serving(PYTHONPATH=str(folder)) as service:
        yield folder, service


def test_over_http(running: tuple[Path, Running]) -> None:
    """The demonstration plays it by clients that choose what is legal."""
    folder, service = running
    told = run(folder, {"PYTHONPATH": str(folder)}, "demo", "--game", "toy", "--url", service.url, "--seed", "1")
    assert "All show their cards" in told
    assert "no_cards" in told


@WHOLE
def test_as_a_folder_of_the_house(tmp_path: Path, whole: bool) -> None:
    """In a copy of the sources, with no other line changed."""
    shutil.copytree(TREE / "service", tmp_path / "service", ignore=shutil.ignore_patterns("__pycache__"))
    games.drop_in(tmp_path, whole=whole)
    path = {"PYTHONPATH": f"{tmp_path}:{tmp_path / 'service' / 'client'}"}
    listed = run(tmp_path, path, "games")
    assert next(line for line in listed.splitlines() if line.startswith("toy")).split()[:7] == [
        "toy",
        "Toy",
        "1",
        "2",
        "to",
        "3",
        "holmgang",
    ]
    arena = run(tmp_path, path, "simulate", "--game", "toy", "--bots", "random", "--games", "3", "--processes", "1")
    assert "random" in arena
    played = run(tmp_path, path, "play", "--game", "toy", "--bots", "random", "--name", "Ann", typed="1\n" * 9)
    assert "Final score" in played


def run(folder: Path, path: dict[str, str], *arguments: str, typed: str = "") -> str:
    done = subprocess.run(
        [*PROGRAM, *arguments], cwd=folder, env={**os.environ, **path}, input=typed, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
