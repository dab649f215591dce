"""A game that the house knows nothing of is played: as a folder and from a wheel, whole and with its rules alone.

The web table has its own test (`browser/test_web_toy.py`).
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests import games
from tests.e2e.running import serving

PROGRAM = ("-m", "holmgang.cli.main")
TRAINING = """
import random
from holmgang.training import holmgang_env

env = holmgang_env("toy")
env.reset(seed=1)
for agent in env.agent_iter():
    seen, _, terminated, truncated, _ = env.last()
    words = [n for n, may in enumerate(seen["action_mask"]) if may] if not (terminated or truncated) else []
    env.step(random.Random(1).choice(words) if words else None)
print("trained", env.unwrapped.metadata["name"])
"""


@pytest.fixture(scope="module", params=games.WAYS)
def there(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> games.Brought:
    how, whole = request.param
    return games.bring(tmp_path_factory.mktemp("toy"), how, whole=whole)


def run(there: games.Brought, *arguments: str, typed: str = "", code: int = 0) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=there.folder,
        env={**os.environ, **there.environ},
        input=typed,
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def test_it_is_listed_with_where_it_comes_from(there: games.Brought) -> None:
    (line,) = (line for line in run(there, *PROGRAM, "games").splitlines() if line.startswith("toy "))
    assert line.split()[:7] == ["toy", "Toy", "1", "2", "to", "3", there.origin]


def test_over_http(there: games.Brought) -> None:
    """The demonstration plays it by clients that choose what is legal."""
    with serving(code=there.folder, **there.environ) as service:
        told = run(there, *PROGRAM, "demo", "--game", "toy", "--url", service.url, "--seed", "1")
    assert "All show their cards" in told
    assert "no_cards" in told


def test_in_the_arena(there: games.Brought) -> None:
    arena = ["arena", "--game", "toy", "--bots", "search,random", "--games", "2", "--target", "0.2"]
    assert "of 2 (" in run(there, *PROGRAM, *arena, code=1)


def test_at_the_terminal(there: games.Brought) -> None:
    play = ["play", "--game", "toy", "--bots", "random", "--name", "Ann"]
    assert "Final score" in run(there, *PROGRAM, *play, typed="1\n" * 9)


def test_in_pettingzoo(there: games.Brought) -> None:
    assert "trained holmgang_toy_v1" in run(there, "-c", TRAINING)
