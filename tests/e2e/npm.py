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
TOOLS = REPOSITORY / "build/tools"


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
    """The folder that has `node_modules` with what clients are made of, as the lock says.

    The test is passed over where there is no npm, or where it cannot install them.
    """
    return _installed(PACKAGES, "--omit=dev", "--omit=optional")


def tools() -> Path:
    """As `packages`, with the tools besides, and a Node.js that is new enough for their latest releases."""
    return _installed(TOOLS)


def _installed(folder: Path, *but: str) -> Path:
    if shutil.which("npm") is None or shutil.which("node") is None:
        assert "CI" not in os.environ, "the runner has no Node.js with npm"
        pytest.skip("Node.js and npm are needed for packages of npm.")
    lock, installed = CLIENTS / "package-lock.json", folder / "installed"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as alone:  # other processes test too
        fcntl.flock(alone, fcntl.LOCK_EX)
        if not installed.exists() or installed.read_bytes() != lock.read_bytes():
            for name in (".npmrc", "package.json", "package-lock.json"):
                shutil.copy(CLIENTS / name, folder)
            command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", *but]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=280, check=False)
            if done.returncode != 0:
                assert "CI" not in os.environ, done.stderr[-2000:]
                pytest.skip(f"npm could not install its packages: {done.stderr[-200:]}")
            shutil.copy(lock, installed)
    return folder
