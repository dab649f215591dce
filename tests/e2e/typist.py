"""Somebody who plays `holmgang play` by reading what it prints and typing at its prompts, through a pseudo-terminal."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import random
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

import psutil
from rich.cells import cell_len

from holmgang.terminal.screen import MORE
from tests.waiting import wait_until

COMMAND = [sys.executable, "-m", "holmgang.cli.main", "play"]
COLUMNS, ROWS = 80, 24
PROMPT = "> "
_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\x1b\][^\x07]*\x07")
_LISTED = re.compile(r"^ {0,2}(\d+)  \S", re.M)


def environment(home: Path, **more: str) -> dict[str, str]:
    """Of a person whose settings are in `home`."""
    inherited = {
        name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "HOLMGANG_TOKEN")
    }
    return {**inherited, "XDG_CONFIG_HOME": str(home), "TERM": "xterm-256color", "PYTHONUTF8": "1", **more}


class Typist:
    """A process at a terminal of 80 columns. `told` is what has been printed, without colours."""

    def __init__(self, arguments: list[str], home: Path, **environ: str) -> None:
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.process = subprocess.Popen(
            [*COMMAND, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment(home, **environ),
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(slave)
        self.raw = ""
        self.decoder = codecs.getincrementaldecoder("utf-8")()
        self.seen = 0

    @property
    def told(self) -> str:
        return plain(self.raw)

    def read(self, seconds: float = 60) -> str | None:
        """What is printed until the next prompt; None when the process has ended."""
        deadline = time.monotonic() + seconds
        while True:
            fresh = self.told[self.seen :]
            if fresh.endswith(f"\n{PROMPT}") or fresh == PROMPT:
                self.seen += len(fresh)
                return fresh.replace(f"{MORE}\n", "")
            if not self._more(deadline):
                self.process.wait(20)
                return None

    def read_until(self, words: str, seconds: float = 60) -> None:
        deadline = time.monotonic() + seconds
        while words not in self.told:
            assert self._more(deadline), f"it has ended: {self.told[-2000:]}"

    def _more(self, deadline: float) -> bool:
        """Read what is printed next, by Enter where a screenful waits for it; False at the end."""
        if self.told.endswith(MORE):
            self.type("")
        ready, _, _ = select.select([self.master], [], [], max(0, deadline - time.monotonic()))
        assert ready, f"nothing more is printed after: {self.told[-2000:]}"
        try:
            more = os.read(self.master, 65536)
        except OSError:  # the other end is closed
            more = b""
        self.raw += self.decoder.decode(more)
        return bool(more)

    def type(self, line: str) -> None:
        os.write(self.master, f"{line}\n".encode())

    def press(self, key: bytes) -> None:
        """A key, once the process sleeps: a signal between the prompt and the wait for input would be seen late."""
        watched = psutil.Process(self.process.pid)
        wait_until(lambda: watched.status() == psutil.STATUS_SLEEPING, "the process waits for input", 20)
        os.write(self.master, key)

    def play(self, answer: Callable[[str], str], most: int = 3000) -> int:
        """Answer every prompt until the process ends; its exit code."""
        for _ in range(most):
            shown = self.read()
            if shown is None:
                return self.process.returncode
            self.type(answer(shown))
        raise AssertionError(f"still playing after {most} prompts: {self.told[-2000:]}")

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait(10)
        os.close(self.master)


def plain(raw: str) -> str:
    return _ESCAPE.sub("", raw).replace("\r", "")


def too_wide(told: str) -> list[str]:
    """Printed lines of more than 80 columns, but for what was typed."""
    return [line for line in told.splitlines() if cell_len(line) > COLUMNS and not line.startswith(PROMPT)]


class Player:
    """Types numbers of lists, now and then, and else takes hints, so that games come to an end."""

    def __init__(self, seed: int, own: float = 0.3) -> None:
        self.rng = random.Random(seed)
        self.own = own
        self.hinted = False
        self.numbers = 0

    def __call__(self, shown: str) -> str:
        if self.hinted:
            self.hinted = False
            return "take"
        keys = _LISTED.findall(shown)
        if keys and "would:" not in shown and self.rng.random() < self.own:
            self.numbers += 1
            return str(self.rng.choice(keys))
        self.hinted = True
        return "hint"
