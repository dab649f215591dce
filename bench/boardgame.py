"""boardgame.io's server (npm) under its own clients' moves, with its state in memory or in Postgres by `bgio-postgres`.

The server is what its documentation starts, in production mode, in one process of Node.js; the clients are its normal
ones, over socket.io, in another. Its packages are installed once, from the lock file beside their programs.
"""

from __future__ import annotations

import http.client
import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

from holmgang.store.embedded import DATABASE, SUPERUSER, EmbeddedPostgres

IN_MEMORY, DURABLE = 8805, 8806
"""Ports."""
PROGRAMS = Path(__file__).with_name("boardgame_io")
INSTALLED = Path("build/boardgame_io")
_FILES = (".npmrc", "package.json", "package-lock.json", "game.cjs", "players.cjs", "server.cjs", "turn.cjs")


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


class Server:
    """One of its servers, running. With a `database` it keeps its state there."""

    def __init__(self, port: int, database: EmbeddedPostgres | None = None) -> None:
        self.port = port
        self._command = ["node", "server.cjs", str(port)]
        if database is not None:
            self._command += [str(database.socket_folder), SUPERUSER, DATABASE]
        self._log = INSTALLED / f"server-{port}.log"
        self._process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        with self._log.open("wb") as out:
            process = subprocess.Popen(self._command, cwd=INSTALLED, env=_environ(), stdout=out, stderr=out)
        deadline = time.monotonic() + 30
        while not _answers(self.port):
            if process.poll() is not None or time.monotonic() > deadline:
                process.kill()
                raise RuntimeError(f"boardgame.io did not start: {self._log.read_text()[-2000:]}")
            time.sleep(0.1)
        return process

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(timeout=20)

    def play(self, games: int, seconds: float) -> dict[str, Any]:
        """Moves a second in so many games at once, made anew, with four clients each."""
        told = _run(["players.cjs", str(self.port), str(games), str(seconds)], seconds + 4 * games + 60)
        figures: dict[str, Any] = json.loads(told.splitlines()[-1])
        return figures

    def turn_after_kill(self, match: str) -> int | None:
        """Kill its process, start it again, and ask for the turn of a game; None where that is gone."""
        self._process.kill()
        self._process.wait(timeout=20)
        self._process = self._start()
        turn: int | None = json.loads(_run(["turn.cjs", str(self.port), match], 30))
        return turn


def _run(program: list[str], seconds: float) -> str:
    """What a program of its clients prints."""
    done = subprocess.run(
        ["node", *program], cwd=INSTALLED, env=_environ(), capture_output=True, text=True, timeout=seconds, check=False
    )
    if done.returncode:
        raise RuntimeError(f"boardgame.io's clients failed: {done.stderr[-2000:]}")
    return done.stdout


def _environ() -> dict[str, str]:
    return {**os.environ, "NODE_ENV": "production"}


def _answers(port: int) -> bool:
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
        connection.request("GET", "/games")
        return connection.getresponse().status == 200
    except OSError:
        return False
