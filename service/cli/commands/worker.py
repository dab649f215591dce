"""`holmgang worker`: one more worker beside those of `serve`, on this machine or another."""

from __future__ import annotations

import click

from service.cli.database import open_database
from service.cli.processes import log_to_stderr
from service.cli.refusals import tell_refused
from service.cli.worker import work
from service.config import Settings
from service.registry.trying import try_packages


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
            from service.metrics import listen

            listen(ready.host, ready.metrics_port)
        work(ready)
