"""Looks at processes that have ended never fail, whether or not somebody has waited for them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import psutil
import pytest

from tests.processes import command, family, gone, is_postgres, living, name_of, send
from tests.waiting import wait_until


@pytest.mark.parametrize("waited_for", [False, True])
def test_one_that_ends_between_two_looks_is_gone(waited_for: bool) -> None:
    started = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, text=True)
    process = psutil.Process(started.pid)
    wait_until(lambda: "input()" in command(process), "the system knows its arguments")
    assert name_of(process).startswith("python")
    assert living([process]) == [process] == family(started.pid)
    send(signal.SIGKILL, process)
    wait_until(lambda: gone(process), "it has ended")
    if waited_for:
        assert os.waitpid(started.pid, 0)[1] == signal.SIGKILL
        assert family(started.pid) == []
    assert command(process) == []
    assert not living([process])
    assert not is_postgres(process)
    send(signal.SIGTERM, process)
    started.communicate()
