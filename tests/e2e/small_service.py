"""`holmgang serve` around an application of a few lines, for tests of starting and stopping: run by test_serve."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import psycopg

from holmgang.cli import http_server
from holmgang.cli.commands.serve import run
from holmgang.config import Settings
from holmgang.interrupts import undivided

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


def load(settings: Settings) -> WSGIApplication:
    """An application that answers its process id, or 503 without its database."""
    if os.environ.get("BROKEN"):
        raise RuntimeError("this application does not load")
    assert settings.database_url is not None
    url = settings.database_url

    def application(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        try:
            with psycopg.connect(url) as connection:
                connection.execute("SELECT version_num FROM alembic_version")
        except psycopg.Error as error:
            start_response("503 Service Unavailable", [("Content-Type", "text/plain")])
            return [str(error).encode()]
        start_response("200 OK", [("Content-Type", "text/plain")])
        return [str(os.getpid()).encode()]

    return application


@contextmanager
def then_deaf() -> Iterator[None]:
    """From the end of the block on, the main thread gets no SIGTERM: the system hands it to another thread, as it does
    by chance while the main thread starts a process."""
    with undivided():
        yield
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})


if __name__ == "__main__":
    if os.environ.get("DEAF"):
        http_server.__dict__["undivided"] = then_deaf  # as it finds it
    run(Settings.from_environment(), load)
