"""Completion in shells, as the reference tells to switch it on."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "docs/pages/reference/commands.md"
LINES = dict(re.findall(r"^\| (bash|zsh|fish).*\| `([^`]+)` \|$", PAGE.read_text(encoding="utf-8"), re.M))
ENVIRON = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
TYPED = {
    "holmgang si": "simulate",
    "holmgang mc": "mcp",
    "holmgang mcp --ht": "--http",
    "holmgang play --tu": "--turn-seconds",
    "holmgang play --ba": "--bank-seconds",
    "holmgang play --game cl": "claim",
}
COMPLETE = {
    "bash": "{line}; COMP_WORDS=({typed}); COMP_CWORD={last};"
    ' $(complete -p holmgang | sed "s/.*-F \\([^ ]*\\) .*/\\1/") holmgang; echo "${{COMPREPLY[@]}}"',
    "fish": "{line}; complete -C '{typed}'",
}


def run(shell: str, script: str) -> str:
    return subprocess.run(
        [shell, "-c", script], env=ENVIRON, capture_output=True, text=True, check=True, timeout=60
    ).stdout


@pytest.mark.parametrize("typed", TYPED)
@pytest.mark.parametrize("shell", COMPLETE)
def test_what_is_begun_is_completed(shell: str, typed: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")
    line = LINES[shell].replace("\\|", "|")
    found = run(shell, COMPLETE[shell].format(line=line, typed=typed, last=len(typed.split()) - 1))
    assert TYPED[typed] in found.split()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_is_given_what_it_is_to_run(shell: str) -> None:
    told = run("bash", re.search(r"_HOLMGANG_COMPLETE=\w+ holmgang", LINES[shell])[0])  # type: ignore[index]
    assert f"_HOLMGANG_COMPLETE={shell}_complete" in told
