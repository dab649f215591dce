"""The simulations of docs/pages/how-to/simulate.md, as they stand there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.soon import soon

REPOSITORY = Path(__file__).parents[3]
SIMULATING = (REPOSITORY / "docs/pages/how-to/simulate.md").read_text(encoding="utf-8")


def blocks(text: str) -> list[str]:
    return [block for block in re.findall(r"```sh\n(.*?)```", text, re.S) if "holmgang simulate" in block]


@pytest.mark.parametrize("block", soon(blocks(SIMULATING), blocks(SIMULATING)[0]))
def test_the_commands_do_what_they_say(block: str, tmp_path: Path) -> None:
    (tmp_path / "holmgang").write_text(
        f'#!/bin/sh\nexec {sys.executable} -m holmgang.cli.main "$@"\n', encoding="utf-8"
    )
    (tmp_path / "holmgang").chmod(0o755)
    script = block.replace("/tmp/", f"{tmp_path}/").replace(".venv/bin/holmgang", f"{tmp_path}/holmgang")
    environ = {**os.environ, "PYTHONPATH": f"{REPOSITORY}/service"}
    done = subprocess.run(
        ["bash", "-eu", "-c", script],
        cwd=REPOSITORY,
        env=environ,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "win rate" in done.stdout
    for name in re.findall(r"--(?:csv|plot) /tmp/(\S+)", block):
        assert (tmp_path / name).stat().st_size > 1000
