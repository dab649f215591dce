"""`holmgang check-game` and the plugin of pytest: the same laws, the same report, exit codes that say how it went."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from holmgang.checking.table import LAWS
from holmgang.cli.main import holmgang

REPOSITORY = Path(__file__).parents[3]
NO_SCORES = ("return Over(state.scores, tuple(groups), reason)", "return Over((), tuple(groups), reason)")


def check(*arguments: str) -> Result:
    return CliRunner().invoke(holmgang, ["check-game", *arguments])


def spoil(folder: Path, old: str, new: str) -> None:
    """Change a line of the toy game's rules where it is installed."""
    file = next(folder.glob("*/rules/toy.py"))
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_a_sound_game_keeps_all_laws(toy: Path) -> None:
    done = check("toy", "--games", "2")
    assert done.exit_code == 0, done.output
    assert done.output.startswith("Toy, rules 1, of the package holmgang_toy\n")
    assert all(f"kept    {law.name}" in done.output for law in LAWS if not law.needs)
    assert "decisions a second of random play with 3 players" in done.output


def test_rules_alone_keep_all_laws_but_must_say_what_they_turn_over(bare_toy: Path) -> None:
    done = check("toy", "--games", "2")
    broken = [line.split()[1] for line in done.output.splitlines() if "BROKEN" in line]
    assert set(broken) <= {"hidden-things-do-not-show", "effects-tell-what-shows"}
    assert "hidden-things-do-not-show" in broken
    assert "toy breaks the law hidden-things-do-not-show" in done.output
    assert "named in `reveals` of the game's `laws.py`" in done.output


def test_a_broken_law_is_reported_with_a_small_game(toy: Path) -> None:
    spoil(toy, *NO_SCORES)
    done = check("toy", "--games", "2")
    assert done.exit_code == 1
    assert "BROKEN  play-ends                   0 scores for 2 seats" in done.output
    assert "kept    turns-count-up" in done.output, "the others are tried, too"
    assert done.output.count("breaks the law") == 1
    assert "toy breaks the law play-ends (C5)." in done.output
    assert "decisions a second" not in done.output


def test_a_package_need_not_be_installed() -> None:
    done = check("tests.games.toy:GAME", "--law", "play-ends", "--games", "1")
    assert (done.exit_code, "kept    play-ends" in done.output) == (0, True)


def test_laws_seats_and_seeds_can_be_chosen(toy: Path) -> None:
    done = check("toy", "--law", "play-ends", "--law", "log-replays", "--seats", "3", "--seed", "7", "--games", "4")
    assert done.exit_code == 0
    assert [line.split()[1] for line in done.output.splitlines() if line.startswith("  kept")] == [
        "play-ends",
        "log-replays",
    ]
    assert "4 games" in done.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nothing"], "There is no game 'nothing'. There are: eketorp, drakkars, claim."),
        (["nothing:GAME"], "'nothing:GAME' cannot be imported: ModuleNotFoundError: No module named 'nothing'"),
        (["holmgang.games.claim:Game"], "'holmgang.games.claim:Game' is no Game, but type."),
        (["claim", "--law", "gravity"], "There is no law 'gravity'. There are: rules-are-whole,"),
        (["claim", "--seats", "2,9"], "Claim takes 2 to 4 players, not 9."),
        (["claim", "--seats", "many"], "'many' is no list of numbers such as 2,3."),
        (["claim", "--write"], "--write goes with --goldens FOLDER."),
    ],
)
def test_wrong_usage_is_told(arguments: list[str], said: str) -> None:
    done = check(*arguments)
    assert done.exit_code == 2
    assert said in done.output


def test_goldens_are_written_compared_and_told_apart(toy: Path, tmp_path: Path) -> None:
    folder = tmp_path / "goldens"
    asked = ["toy", "--law", "play-ends", "--games", "1", "--goldens", str(folder)]
    missing = check(*asked)
    assert missing.exit_code == 1
    assert f"{folder / '2-players.txt'} is missing" in missing.output
    assert check(*asked, "--write").exit_code == 0
    files = {path.name for path in folder.iterdir()}
    assert files == {"2-players.txt", "3-players.txt", "2-players-resigning.txt", "board.svg"}
    told = (folder / "2-players.txt").read_text()
    assert told.startswith("Toy, rules 1, 2 players, seed 2\n")
    assert told.count("seat 0: 0 points, 3 cards") >= 1
    assert "over: no_cards; scores" in told
    assert check(*asked).exit_code == 0
    (folder / "3-players.txt").write_text(told)
    (folder / "9-players.txt").write_text("")
    changed = check(*asked)
    assert changed.exit_code == 1
    assert "3-players.txt differs from line 1 on: kept is 'Toy, rules 1, 2 players, seed 2'" in changed.output
    assert "9-players.txt is of no game any more" in changed.output


def pytest_in(folder: Path, installed: Path | None, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(map(str, filter(None, (installed, REPOSITORY / "service"))))
    environ = {**os.environ, "PYTHONPATH": path}
    environ.pop("PYTEST_XDIST_WORKER", None)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--check-games", "1", *arguments]
    return subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=False)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A package's tests, which ask for the laws of the toy game."""
    folder = tmp_path / "project"
    (folder / "tests").mkdir(parents=True)
    (folder / "pyproject.toml").write_text('[tool.pytest.ini_options]\nholmgang_games = ["toy"]\n')
    (folder / "tests/test_own.py").write_text("def test_own():\n    pass\n")
    return folder


@pytest.mark.slow
def test_the_plugin_has_a_test_for_each_law_and_number_of_players(toy: Path, project: Path) -> None:
    done = pytest_in(project, toy, "-v")
    assert done.returncode == 0, done.stdout + done.stderr
    wanted = sum(1 if law.scope == "game" else 2 for law in LAWS)
    assert f"{wanted + 1} passed" in done.stdout
    assert "play-ends[3]" in done.stdout
    assert "tests/test_own.py::test_own" in done.stdout


@pytest.mark.slow
def test_who_names_a_file_gets_its_tests_alone(toy: Path, project: Path) -> None:
    done = pytest_in(project, toy, "tests/test_own.py")
    assert "1 passed" in done.stdout
    named = pytest_in(project, toy, "tests/test_own.py", "--check-game", "claim", "-k", "play-ends or own")
    assert "4 passed" in named.stdout


def test_the_plugin_reports_a_broken_law_as_the_command_does(toy: Path, project: Path) -> None:
    spoil(toy, *NO_SCORES)
    done = pytest_in(project, toy, "-n", "2", "-k", "play-ends or turns-count-up")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "2 failed, 2 passed" in done.stdout
    assert "toy breaks the law play-ends (C5)." in done.stdout
    assert "Again:    holmgang check-game toy --law play-ends --seats 3" in done.stdout
    assert "Traceback" not in done.stdout


def test_the_plugin_tells_games_that_are_not_there(project: Path) -> None:
    done = pytest_in(project, None)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "There is no game 'toy'. There are: eketorp, drakkars, claim." in done.stderr + done.stdout


def test_the_plugin_imports_nothing_before_a_game_is_named(tmp_path: Path) -> None:
    (tmp_path / "test_imports.py").write_text(
        "import sys\n\ndef test_imports():\n"
        "    ours = [name for name in sys.modules if name.startswith(('service.', 'msgspec', 'rich.'))]\n"
        "    assert set(ours) <= {'holmgang.checking', 'holmgang.checking.plugin'}\n"
    )
    done = pytest_in(tmp_path, None)
    assert "1 passed" in done.stdout, done.stdout
