"""`examples/tafl` is a package that anybody could have written: small, made of what is public, and a sound game."""

from __future__ import annotations

import ast
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from service import registry
from service.checking import hidden
from service.checking import playing as laws
from service.checking.walks import walk
from service.engine.game import Game
from tests import games
from tests.games import TAFL

PACKAGE = TAFL / "holmgang_tafl"
PUBLIC = re.compile(
    r"service\.(engine(\.\w+)?|bots\.base|terminal\.(face|choosers|table)|training\.(language|sheet|spelling))"
)
MOST_LINES = 920


@pytest.fixture(scope="module")
def tafl(installed_tafl: Path) -> Iterator[Game]:
    with games.known(installed_tafl):
        yield registry.game("tafl")


def test_pip_installs_it_and_it_is_found(tafl: Game) -> None:
    assert registry.origin("tafl") == "holmgang-tafl 1.0"
    assert registry.refused() == ()
    for path in PACKAGE.rglob("*"):
        if path.is_file() and path.suffix != ".pyc":
            assert tafl.file(*path.relative_to(PACKAGE).parts) is not None, f"{path.name} is not in the wheel"


def test_it_is_small() -> None:
    files = [path for path in TAFL.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files) <= MOST_LINES


def test_it_is_made_of_what_is_public() -> None:
    used = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                used.update(name.name for name in node.names)
            elif isinstance(node, ast.ImportFrom) and not node.level:
                used.add(str(node.module))
    assert any(name.startswith("service.") for name in used)
    for name in used:
        top = name.split(".")[0]
        assert PUBLIC.fullmatch(name) or top in sys.stdlib_module_names or top == "msgspec", f"{name} is not promised"


def test_its_own_tests_pass(installed_tafl: Path) -> None:
    """As they do for who has installed it."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", TAFL / "tests"],
        env={**os.environ, "PYTHONPATH": str(installed_tafl)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("seed", range(8))
def test_it_keeps_the_laws(tafl: Game, seed: int) -> None:
    rules, rng = tafl.rules, random.Random(seed)
    options = tafl.laws.options[seed % len(tafl.laws.options)]
    played = walk(rules, rules.configure(2, options), rng, resigning=0.02 if seed % 3 == 0 else 0.0)
    laws.play_ends(played)
    laws.turns_count_up(played)
    laws.values_round_trip(played, every=3)
    laws.log_replays(played)
    laws.samples_are_legal(played, rng)
    laws.iteration_agrees(played)
    laws.sampling_reaches_all(played, rng)
    laws.resignation_is_safe(played, rng, every=9)
    laws.last_seat_wins(played, rng, every=3)
    laws.combats_are_numbered(played)
    hidden.determinized_fit(played, random.Random)
    hidden.redaction_keeps_effects(played)
    hidden.spectators_know_least(played, random.Random)
    hidden.hidden_things_do_not_show(played, random.Random, lambda effect: False, every=5)
