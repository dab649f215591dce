"""What the extra `pettingzoo` brings is enough for the environments, and is needed for nothing else."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

REPOSITORY = Path(__file__).parents[3]
EXTRAS = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
WITHOUT = "import sys; [sys.modules.__setitem__(name, None) for name in sys.argv[1].split()]; "


def names(extra: str) -> set[str]:
    return {re.split(r"[\[<>=]", wanted)[0].replace("-", "_") for wanted in EXTRAS[extra]}


def run(script: str, without: set[str]) -> subprocess.CompletedProcess[str]:
    """A script where these packages are not installed."""
    command = [sys.executable, "-c", WITHOUT + script, " ".join(sorted(without))]
    return subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, timeout=120, check=False)


def test_the_environments_need_nothing_of_the_server() -> None:
    server = names("server") - names("pettingzoo")
    assert "flask" in server
    done = run(
        "from holmgang.training import holmgang_env; holmgang_env('claim').reset(seed=1); print('ready')", server
    )
    assert done.stdout == "ready\n", done.stderr


def test_who_has_only_the_environments_is_told_what_the_command_needs() -> None:
    done = run("from holmgang.__main__ import main; main()", {"click", "flask"})
    assert done.returncode == 1
    assert done.stderr == (
        "The command is not installed: pip install 'holmgang[server]', or 'holmgang[play]' to play and simulate.\n"
    )


def test_who_has_only_the_server_is_told_what_the_environments_need() -> None:
    done = run("import holmgang.training", {"pettingzoo"})
    assert "ImportError: The environments need PettingZoo: pip install 'holmgang[pettingzoo]'" in done.stderr
    assert run("import holmgang.app.reading.queries", {"pettingzoo", "matplotlib", "numpy"}).returncode == 0
