"""`holmgang serve` around an application of a few lines, for tests of starting and stopping: run by test_serve."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

import psycopg

from holmgang.cli.commands.serve import run
from holmgang.config import Settings

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


if __name__ == "__main__":
    run(Settings.from_environment(), load)
