"""`holmgang worker`: one more worker beside those of `serve`, on this machine or another."""

from __future__ import annotations

import click

from holmgang.cli.database import open_database
from holmgang.cli.processes import log_to_stderr
from holmgang.cli.refusals import tell_refused
from holmgang.cli.worker import work
from holmgang.config import Settings
from holmgang.registry.trying import try_packages


@click.command("worker")
def command() -> None:
    """End turns whose time is up, and play for built-in bots and the absent, until SIGTERM or Ctrl-C.

    `holmgang serve` runs one already; any number may run at the same time.
    """
    settings = Settings.from_environment()
    log_to_stderr(settings)
    try_packages(settings.game_trial_seconds)
    tell_refused()
    with open_database(settings) as ready:
        if ready.metrics_port is not None and ready.metrics != "off":
            from holmgang.metrics import listen

            listen(ready.host, ready.metrics_port)
        work(ready)
