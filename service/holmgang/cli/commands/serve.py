"""`holmgang serve`: the whole service in one command."""

from __future__ import annotations

import signal
import sys
from contextlib import nullcontext
from types import FrameType

import click

from holmgang.cli.database import migrated, open_database
from holmgang.cli.http_server import await_port, load_application, local_url, serve, when_ready
from holmgang.cli.processes import Load, log_to_stderr
from holmgang.cli.worker import working
from holmgang.config import Settings
from holmgang.interrupts import STOPPING
from holmgang.registry.trying import try_packages

INVITATION = """\
Holmgang is ready at {url}; its reference is at {url}/docs
Try next, in another terminal:
  {demo:<43} # plays a game over HTTP and tells its story
  curl -s {url}/v1/rulesets
  curl -s {url}/v1/players -H 'Content-Type: application/json' -d '{{"name": "Astrid"}}'
Ctrl-C stops it."""


@click.command("serve")
@click.option("--no-worker", is_flag=True, help="Serve only: `holmgang worker` runs elsewhere.")
def command(no_worker: bool) -> None:
    """Serve the API until SIGTERM or Ctrl-C, with a worker beside it.

    Without DATABASE_URL a Postgres of its own is started in DATA_DIR. The schema is brought up to date first. Games of
    installed packages are tried before that; the log says which are left out.
    `holmgang settings` lists what can be set.
    """
    run(Settings.from_environment(), worker=not no_worker)


def run(settings: Settings, load: Load = load_application, *, worker: bool = True) -> None:
    """Database, migrations, server processes, worker; all of it has stopped when this returns or raises."""
    from holmgang.metrics import shared

    for number in STOPPING:
        signal.signal(number, _stop)
    log_to_stderr(settings)
    try:
        await_port(settings.host, settings.port)
        try_packages(settings.game_trial_seconds)
        with open_database(settings) as ready:
            assert ready.session_url is not None
            migrated(ready.session_url)
            demo = "holmgang demo" if ready.in_container else "make demo"
            when_ready(ready, lambda: click.echo(INVITATION.format(url=local_url(ready), demo=demo)))
            try:
                with shared(), working(ready) if worker else nullcontext():
                    serve(ready, load)
            finally:
                _ignore_signals()
    except SystemExit as stop:
        if stop.code:
            raise


def _stop(_number: int, _frame: FrameType | None) -> None:
    """Leave through the context managers, and let nothing disturb that."""
    _ignore_signals()
    sys.exit(0)


def _ignore_signals() -> None:
    for number in STOPPING:
        signal.signal(number, signal.SIG_IGN)
