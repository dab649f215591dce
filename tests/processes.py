"""Looks at processes, each of which may end between one look and the next.

A process that has ended is a zombie until its parent hears of it, and then not there: psutil raises for most of what
one may ask of the one, and for all of the other. Here neither raises.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable

import psutil


def gone(process: psutil.Process) -> bool:
    """Whether it has ended, even if nobody has waited for it yet."""
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def living(processes: Iterable[psutil.Process]) -> list[psutil.Process]:
    return [each for each in processes if not gone(each)]


def command(process: psutil.Process) -> list[str]:
    """Its arguments; none if it has ended."""
    try:
        return process.cmdline()
    except psutil.NoSuchProcess:
        return []


def name_of(process: psutil.Process) -> str:
    """Nothing if it has ended."""
    try:
        return process.name()
    except psutil.NoSuchProcess:
        return ""


def is_postgres(process: psutil.Process) -> bool:
    return name_of(process).startswith("postgres")


def family(pid: int) -> list[psutil.Process]:
    """The process and all that it has started, first itself; none if it has ended."""
    try:
        first = psutil.Process(pid)
        return [first, *first.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def send(number: int, *processes: psutil.Process | subprocess.Popen[str]) -> None:
    """A signal to those that are still there."""
    for process in processes:
        try:
            process.send_signal(number)
        except psutil.NoSuchProcess:
            continue
