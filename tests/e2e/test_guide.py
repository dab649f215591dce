"""docs/pages/tutorials/adding-a-game.md, carried out step by step in an empty environment, as an ordinary user.

The environment is a new one with the built wheel in it; what Holmgang needs is lent to it from the tests' own, and no
package index is asked. A block of text after a step's commands is what they print, at least: each of its lines.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.fenced import REPOSITORY, Block, blocks_of
from tests.waiting import STARTED_S, status, wait_until

PAGE = "docs/pages/tutorials/adding-a-game.md"
SERVE, PLAY = "holmgang serve\n", "holmgang play"
LENT = Path(sysconfig.get_path("purelib"))
BUILD = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"
COMMANDS = ("pip", "pytest")
"""What is lent to the environment as a command: the module of that name."""
FIRST_CHOICES = "1\n" * 200


def steps() -> list[tuple[Block, list[str]]]:
    """The page's commands, each block with the lines that it prints at least."""
    found: list[tuple[Block, list[str]]] = []
    for block in blocks_of(PAGE, (REPOSITORY / PAGE).read_text(encoding="utf-8")):
        if block.language == "bash":
            found.append((block, []))
        elif block.language == "text":
            found[-1][1].extend(block.text.splitlines())
        else:
            assert block.language == "python", f"{block.place}: what is it?"
    return found


NOBODY: dict[str, Any] = {"user": "nobody", "group": pwd.getpwnam("nobody").pw_gid, "extra_groups": []}


def settlement() -> tuple[str, dict[str, Any]]:
    """A Python, and arguments of Popen by which it runs for a user who is not root. Where root keeps the tests' own
    Python for themselves, it is the machine's of the same version; if that has none, root it is."""
    mine = getattr(sys, "_base_executable", sys.executable)
    if os.geteuid() != 0:
        return mine, {}
    lent = f"import sys; sys.path.insert(0, {str(LENT)!r}); import flask, msgspec, venv; print(sys.version_info[:2])"
    same = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for python in (os.path.realpath(mine), f"/usr/local/bin/{same}", f"/usr/bin/{same}"):
        try:
            told = subprocess.run([python, "-c", lent], cwd="/", capture_output=True, text=True, check=False, **NOBODY)
        except OSError:
            continue
        if told.stdout.strip() == str(sys.version_info[:2]):
            return python, NOBODY
    return mine, {}


class Reader:
    """Somebody who follows the page, with a home, an environment and a port of their own."""

    def __init__(self, home: Path, port: int) -> None:
        self.home, self.port, self.here = home, port, home
        self.python, self.identity = settlement()
        self.service: subprocess.Popen[bytes] | None = None
        self.environ = {
            "PATH": f"{home}/env/bin:/usr/local/bin:/usr/bin:/bin",
            "HOME": str(home),
            "TMPDIR": str(home),
            "LANG": "C.UTF-8",
            "PORT": str(port),
            "PIP_NO_INDEX": "1",
            "PIP_NO_BUILD_ISOLATION": "0",  # which says: none
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        }

    def settle(self) -> None:
        """Make the environment: the wheel, and by a path what it needs."""
        subprocess.run([sys.executable, "-c", BUILD, str(self.home)], cwd=REPOSITORY, check=True, capture_output=True)
        (wheel,) = self.home.glob("*.whl")
        env = self.home / "env"
        subprocess.run([self.python, "-m", "venv", "--symlinks", "--without-pip", str(env)], cwd="/", check=True)
        pip = [
            sys.executable,
            "-m",
            "pip",
            "--python",
            str(env / "bin/python"),
            "install",
            "-q",
            "--no-index",
            "--no-deps",
        ]
        subprocess.run([*pip, str(wheel)], check=True, capture_output=True)
        (packages,) = env.glob("lib/python*/site-packages")
        (packages / "lent.pth").write_text(f"{LENT}\n")
        for name in COMMANDS:
            command = env / "bin" / name
            command.write_text(f'#!/bin/sh\nexec "{env}/bin/python" -m {name} "$@"\n')
            command.chmod(0o755)
        wheel.unlink()
        if self.identity:
            account = pwd.getpwnam("nobody")
            for path in (self.home, *self.home.rglob("*")):
                os.chown(path, account.pw_uid, account.pw_gid, follow_symlinks=False)

    def do(self, block: Block) -> str:
        """What the block's commands print. It goes on where the last one ended, as in a shell."""
        text = block.text.replace("127.0.0.1:8000", f"127.0.0.1:{self.port}")
        if block.text == SERVE:
            self.serve()
            return ""
        at = self.home / "here"
        done = subprocess.run(
            ["bash", "-c", f"set -eu -o pipefail\n{text}\npwd > {at}\n"],
            cwd=self.here,
            env=self.environ,
            input=FIRST_CHOICES if text.startswith(PLAY) else "",
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            **self.identity,
        )
        assert done.returncode == 0, f"{block.place}:\n{done.stdout[-2000:]}\n{done.stderr[-3000:]}"
        self.here = Path(at.read_text().strip())
        return str(done.stdout + done.stderr)

    def serve(self) -> None:
        with (self.home / "serve.log").open("wb") as log:
            self.service = subprocess.Popen(
                ["bash", "-c", f"exec {SERVE}"],
                cwd=self.home,
                env=self.environ,
                stdout=log,
                stderr=log,
                **self.identity,
            )
        wait_until(self.ready, "the service answers", STARTED_S)

    def ready(self) -> bool:
        assert self.service is not None
        assert self.service.poll() is None, (self.home / "serve.log").read_text()[-3000:]
        return status(f"http://127.0.0.1:{self.port}/readyz") == 200

    def leave(self) -> None:
        if self.service is not None:
            self.service.send_signal(signal.SIGTERM)
            assert self.service.wait(30) == 0


@pytest.fixture
def reader(open_folder: Path, free_port: int) -> Iterator[Reader]:
    for tool in ("bash", "curl", "sed"):
        if shutil.which(tool) is None:
            assert "CI" not in os.environ, f"the runner has no {tool}"
            pytest.skip(f"The guide's commands need {tool}.")
    someone = Reader(open_folder, free_port)
    someone.settle()
    yield someone
    someone.leave()


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_guide_leads_from_an_empty_environment_to_players(reader: Reader) -> None:
    carried_out = []
    for block, prints in steps():
        told = reader.do(block)
        for line in prints:
            assert line in told, f"{block.place} prints no {line!r}:\n{told[-3000:]}"
        carried_out.append(block.text)
    joined = "".join(carried_out)
    wanted = (
        "holmgang new-game",
        "pip install -e",
        "holmgang play",
        "sed ",
        "holmgang serve",
        "curl ",
        "python careful.py",
    )
    assert [part for part in wanted if part not in joined] == []
    if os.geteuid() == 0 and reader.identity:
        assert (reader.home / "longfire").owner() == "nobody"
