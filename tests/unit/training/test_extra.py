"""What the extra `pettingzoo` brings is enough for the environments, and is needed for nothing else."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from holmgang import __main__ as command
from holmgang.release import release

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


@pytest.mark.parametrize("lacking", ["click", "msgspec", "rich"])
@pytest.mark.parametrize(
    ("arguments", "code"), [([], 1), (["serve", "--help"], 1), (["--version"], 0), (["--help"], 0), (["-h"], 0)]
)
def test_who_lacks_what_the_command_needs_is_told_so(
    lacking: str, arguments: list[str], code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "find_spec", lambda name: None if name == lacking else name)
    monkeypatch.setattr(sys, "argv", ["holmgang", *arguments])
    if code == 0:
        command.main()
        told, silent = capsys.readouterr()
        assert release() in told
    else:
        with pytest.raises(SystemExit) as end:
            command.main()
        told, silent = f"{end.value.code}\n", capsys.readouterr().out
    assert told.endswith("pip install 'holmgang[play]' to play and simulate, or 'holmgang[server]' for all commands.\n")
    assert (told.count("\n"), silent) == (1, "")


def test_who_has_only_the_server_is_told_what_the_environments_need() -> None:
    done = run("import holmgang.training", {"pettingzoo"})
    assert "ImportError: The environments need PettingZoo: pip install 'holmgang[pettingzoo]'" in done.stderr
    assert run("import holmgang.app.reading.queries", {"pettingzoo", "matplotlib", "numpy"}).returncode == 0
