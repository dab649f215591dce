"""A Postgres cluster that is made and migrated once a run and copied for each service that starts on one of its own."""

from __future__ import annotations

import fcntl
import os
import subprocess
from pathlib import Path

from holmgang.store.embedded import EmbeddedPostgres
from holmgang.store.migrate import upgrade
from tests.places import FOLDER_VARIABLE

QUICK = "fsync = off\nfull_page_writes = off\n"
"""What `kill -9` of Postgres does not ask for: only a machine that fails does."""


def copy_cluster(folder: Path) -> None:
    """Put a cluster with the current schema and nothing in it into the data folder `folder`, as if a service had made
    it there on its first start."""
    # cp and not shutil: as root the files belong to the account that Postgres runs as, and are to go on doing so.
    subprocess.run(["cp", "-a", _made() / "pgdata", folder], check=True)


def _made() -> Path:
    base = Path(os.environ[FOLDER_VARIABLE])
    made, making = base / "cluster", base / "cluster.making"
    with (base / "cluster.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            with EmbeddedPostgres(making) as server:
                upgrade(server.url)
            with (making / "pgdata" / "postgresql.auto.conf").open("a", encoding="utf-8") as settings:
                settings.write(QUICK)
            making.rename(made)
    return made
