"""The package that `holmgang new-game` writes: a whole game, well made; and what it refuses."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from holmgang import registry
from holmgang.cli.main import holmgang
from holmgang.cli.template import write
from tests.packages import package

pytestmark = pytest.mark.long

REPOSITORY = Path(__file__).parents[3]


def new_game(*arguments: str) -> Result:
    return CliRunner().invoke(holmgang, ["new-game", *arguments])


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    registry.forget()


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(map(str, (folder, REPOSITORY / "service")))
    environ = {**os.environ, "PYTHONPATH": path, "MYPYPATH": path}
    return subprocess.run(
        [sys.executable, "-m", *command], cwd=folder, env=environ, capture_output=True, text=True, check=False
    )


def test_its_tests_pass_and_it_is_well_made(here: Path) -> None:
    done = new_game("long_fire")
    assert (done.exit_code, done.stderr) == (0, "")
    folder = here / "long_fire"
    for command in (
        ("pytest", "-q", "-p", "no:cacheprovider"),
        ("ruff", "check", "--no-cache", "."),
        ("ruff", "format", "--no-cache", "--check", "."),
        ("mypy", "--strict", "--explicit-package-bases", "--cache-dir", os.devnull, "holmgang_long_fire"),
    ):
        told = run(folder, *command)
        assert told.returncode == 0, told.stdout + told.stderr
    texts = [file for file in folder.rglob("*") if file.is_file() and file.suffix != ".pyc"]
    left = [file for file in texts if "{{" in file.read_text(encoding="utf-8")]
    assert left == []
    assert {path.name for path in here.iterdir()} == {"long_fire"}, "nothing of it lies elsewhere"


@pytest.mark.slow
def test_its_tests_notice_when_a_rule_is_broken(here: Path) -> None:
    write("longfire", here / "longfire")
    rules = here / "longfire/holmgang_longfire/rules/rules.py"
    text = rules.read_text(encoding="utf-8")
    for right, wrong in (
        (" if n != state.before", ""),
        ("if len(choices) > 1", "if choices"),
        ("put(state.taken, state.active, state.taken[state.active] + pieces)", "state.taken"),
        ("if action.pieces == state.before", "if False"),
        ("seat not in state.resigned, state", "True, state"),
    ):
        assert text.count(right) == 1, right
        rules.write_text(text.replace(right, wrong), encoding="utf-8")
        told = run(here / "longfire", "pytest", "-q", "-x", "-p", "no:cacheprovider")
        assert told.returncode == 1, (right, told.stdout)


def test_the_folder_can_be_said(here: Path) -> None:
    assert new_game("longfire", "--folder", "games-of-mine").exit_code == 0
    assert (here / "games-of-mine/holmgang_longfire/RULES.md").is_file()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("claim",), "There is a game 'claim' already, of the house."),
        (("pebbles",), "There is a game 'pebbles' already, of the package pebbles 1.0."),
        (("taken",), "There is a Python package holmgang_taken already."),
        (("Longfire",), "'Longfire' is no name for a game, which has at most 40 small letters, digits and single "),
        (("long-fire",), "'long-fire' is no name for a game"),
        (("../longfire",), "'../longfire' is no name for a game"),
        (("",), "'' is no name for a game"),
        (("longfire", "--folder", "there"), "there is there already."),
        (("longfire", "--folder", "file"), "file is there already."),
        (("longfire", "--folder", "no/where"), "There is no folder no."),
    ],
)
def test_what_cannot_be_used_is_refused_and_nothing_written(
    here: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], sentence: str
) -> None:
    package(here, "pebbles")
    (here / "holmgang_taken").mkdir()
    (here / "holmgang_taken" / "__init__.py").touch()
    (here / "there").mkdir()
    (here / "file").touch()
    monkeypatch.syspath_prepend(str(here))
    before = sorted(here.rglob("*"))
    done = new_game(*arguments)
    assert done.exit_code == 2
    assert f"Error: {sentence}" in done.stderr
    assert sorted(here.rglob("*")) == before


def test_a_folder_that_cannot_be_written_is_told(here: Path) -> None:
    done = new_game("longfire", "--folder", "/proc/longfire")
    assert (done.exit_code, done.stderr) == (
        1,
        "Error: /proc/longfire cannot be written: No such file or directory.\n",
    )
