"""Trying the games of packages before a service serves them, each in a process of its own and with a time limit.

What came of it is kept in the environment, where all processes of the service find it, however they are started.
Where no package is installed nothing is done.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from tempfile import TemporaryFile
from typing import IO, NamedTuple

from holmgang.interrupts import undivided

from .discovery import HOUSE, LEFT_OUT, candidates, one_line
from .trial import FAULT, WELL

_LOOK_SECONDS = 0.02


class _Running(NamedTuple):
    process: subprocess.Popen[bytes]
    report: IO[bytes]
    until: float


def try_packages(seconds: float) -> None:
    """Try the game of every package, for so many seconds at most.

    Those that fail are refused from now on, in this process and in those that it starts.
    """
    os.environ.pop(LEFT_OUT, None)
    names = [each.name for each, fault in candidates() if fault is None and each.origin != HOUSE]
    if not names:
        return
    faults = dict(_faults(names, seconds))
    if faults:
        os.environ[LEFT_OUT] = json.dumps(faults)


def _faults(names: Iterable[str], seconds: float) -> Iterator[tuple[str, str]]:
    """The games that failed, and what is wrong. As many are tried at a time as there are processors."""
    waiting = list(names)
    running: dict[str, _Running] = {}
    try:
        while waiting or running:
            while waiting and len(running) < (os.cpu_count() or 1):
                name = waiting.pop(0)
                with undivided():
                    running[name] = _start(name, seconds)
            for name, each in list(running.items()):
                late = each.process.poll() is None
                if late:
                    if time.monotonic() < each.until:
                        continue
                    each.process.kill()
                    each.process.wait()
                del running[name]
                with each.report as report:
                    fault = _fault_of(name, report, each.process.returncode, seconds if late else None)
                if fault is not None:
                    yield name, fault
            time.sleep(_LOOK_SECONDS)
    finally:
        for each in running.values():
            each.process.kill()
            each.process.wait()
            each.report.close()


def _start(name: str, seconds: float) -> _Running:
    report = TemporaryFile()  # noqa: SIM115 # closed when it was read
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    process = subprocess.Popen(  # noqa: S603 # this program, no shell
        [sys.executable, "-P", "-m", "holmgang.registry.trial", name],
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=report,
        stderr=subprocess.DEVNULL,
    )
    return _Running(process, report, time.monotonic() + seconds)


def _fault_of(name: str, report: IO[bytes], code: int, late: float | None) -> str | None:
    report.seek(0)
    lines = report.read().decode(errors="replace").splitlines()
    last = lines[-1] if lines else ""
    if last == WELL:
        return None
    if last.startswith(FAULT):
        return last.removeprefix(FAULT)
    doing = f", in {one_line(last)}" if last else ""
    if late is not None:
        return f"its game '{name}' did not end within {late:g} s when it was tried{doing}"
    return f"its game '{name}' ended the process that tried it, by code {code}{doing}"
