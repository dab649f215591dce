"""A server process on a database that the tests of a module share."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.waiting import STARTED_S, status, wait_until


@pytest.fixture(scope="module")
def port(module_database: str) -> Iterator[int]:
    """The service in one process of the server it is run by."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        chosen = int(probe.getsockname()[1])
    command = [sys.executable, "-c", "from holmgang.cli.main import main; main()", "serve"]
    environ = {"DATABASE_URL": module_database, "PORT": str(chosen), "WORKERS": "1", "PATH": ""}
    server = subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL)

    def answers() -> bool:
        assert server.poll() is None, "the server ended"
        return status(f"http://127.0.0.1:{chosen}/readyz") == 200

    try:
        wait_until(answers, "the service answers", STARTED_S)
        yield chosen
    finally:
        server.terminate()
        server.wait(20)
