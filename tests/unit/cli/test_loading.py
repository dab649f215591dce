"""What a command loads: nobody waits for libraries that they do not use."""

from __future__ import annotations

import subprocess
import sys

import pytest

SELDOM = {"alembic", "matplotlib", "networkx", "opentelemetry"}
"""What few runs need, and what takes long to load."""
SERVING = "holmgang.cli.commands.serve, holmgang.bootstrap, holmgang.worker.loop, holmgang.worker.deliveries"
RATING = "holmgang.cli.commands.tournament, holmgang.cli.commands.ladder"


@pytest.mark.parametrize("modules", [SERVING, RATING])
def test_what_few_runs_need_is_not_loaded_by_all(modules: str) -> None:
    program = f"import sys, {modules}; print(*{SELDOM} & sys.modules.keys())"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert ended.stdout.split() == []
