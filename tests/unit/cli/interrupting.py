"""Commands that somebody interrupts while they play."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tests.processes import family
from tests.waiting import wait_until

if TYPE_CHECKING:
    import psutil

REPOSITORY = Path(__file__).parents[3]


def interrupted(command: Sequence[str | Path], file: Path, lines: int) -> tuple[str, str, list[psutil.Process]]:
    """Press Ctrl-C once `file` has more than so many lines: what the command printed, its errors, and the
    processes that it had. It has ended as an interrupted command does."""
    process = subprocess.Popen(
        [sys.executable, "-m", "holmgang.cli.main", *command],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        wait_until(lambda: file.exists() and len(file.read_bytes().splitlines()) > lines, "games are played", 60)
        children = family(process.pid)[1:]
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130, err
    return out, err, children
