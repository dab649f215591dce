"""The npm packages of `tests/clients`, installed once and kept as build output."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
CLIENTS = REPOSITORY / "tests/clients"
PACKAGES = REPOSITORY / "build/clients"


def run(*command: str | Path, folder: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """What the command said; it must succeed."""
    done = subprocess.run(
        [*map(str, command)],
        cwd=folder,
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        timeout=150,
        check=False,
    )
    assert done.returncode == 0, f"{command}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done


def packages() -> Path:
    """The folder that has `node_modules`, as the lock says; the test is passed over where there is no npm."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        assert "CI" not in os.environ, "the runner has no Node.js with npm"
        pytest.skip("Node.js and npm are needed for packages of npm.")
    lock, installed = CLIENTS / "package-lock.json", PACKAGES / "installed"
    PACKAGES.mkdir(parents=True, exist_ok=True)
    with (PACKAGES / "lock").open("w") as alone:  # other processes test too
        fcntl.flock(alone, fcntl.LOCK_EX)
        if not installed.exists() or installed.read_bytes() != lock.read_bytes():
            for name in (".npmrc", "package.json", "package-lock.json"):
                shutil.copy(CLIENTS / name, PACKAGES)
            run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", folder=PACKAGES)
            shutil.copy(lock, installed)
    return PACKAGES
