"""boardgame.io's server (npm), with its state in memory, under moves of its own clients.

The server is what its documentation starts, in production mode, in one process of Node.js; the clients are its normal
ones, over socket.io, in another. Its packages are installed once, from the lock file beside their programs.
"""

from __future__ import annotations

import http.client
import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PORT = 8805
PROGRAMS = Path(__file__).with_name("boardgame_io")
INSTALLED = Path("build/boardgame_io")
_FILES = (".npmrc", "package.json", "package-lock.json", "game.cjs", "players.cjs", "server.cjs")


class Missing(Exception):
    """It cannot be run here; says why."""


def install() -> None:
    """Have packages and programs in `build`. Raises Missing."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        raise Missing("Node.js with npm is not installed.")
    done, lock = INSTALLED / "installed", PROGRAMS / "package-lock.json"
    INSTALLED.mkdir(parents=True, exist_ok=True)
    for name in _FILES:
        shutil.copy(PROGRAMS / name, INSTALLED)
    if done.exists() and done.read_bytes() == lock.read_bytes():
        return
    command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    try:
        installed = subprocess.run(command, cwd=INSTALLED, capture_output=True, text=True, timeout=300, check=False)
    except subprocess.TimeoutExpired:
        raise Missing("npm did not install it within five minutes.") from None
    if installed.returncode:
        raise Missing(f"npm could not install it: {installed.stderr.strip()[-300:]}")
    shutil.copy(lock, done)


@contextmanager
def serving() -> Iterator[None]:
    """Its server, until the block ends."""
    with (INSTALLED / "server.log").open("wb") as out:
        server = subprocess.Popen(
            ["node", "server.cjs", str(PORT)], cwd=INSTALLED, env=_environ(), stdout=out, stderr=out
        )
    try:
        deadline = time.monotonic() + 30
        while not _answers():
            if server.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"boardgame.io did not start: {(INSTALLED / 'server.log').read_text()[-2000:]}")
            time.sleep(0.1)
        yield
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(timeout=20)


def play(games: int, seconds: float) -> dict[str, Any]:
    """Moves a second in so many games at once, made anew, with four clients each."""
    command = ["node", "players.cjs", str(PORT), str(games), str(seconds)]
    played = subprocess.run(
        command, cwd=INSTALLED, env=_environ(), capture_output=True, text=True, timeout=seconds + 60, check=False
    )
    if played.returncode:
        raise RuntimeError(f"boardgame.io's clients failed: {played.stderr[-2000:]}")
    figures: dict[str, Any] = json.loads(played.stdout.splitlines()[-1])
    return figures


def _environ() -> dict[str, str]:
    return {**os.environ, "NODE_ENV": "production"}


def _answers() -> bool:
    try:
        connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=2)
        connection.request("GET", "/games")
        return connection.getresponse().status == 200
    except OSError:
        return False
