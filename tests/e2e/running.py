"""The service as its users run it: `holmgang serve` in a process of its own, on a data folder of its own."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil

from tests.places import place_for_databases
from tests.processes import family, is_postgres, send
from tests.trees import package_of, python_path
from tests.waiting import STARTED_S, status, wait_until

from .clusters import copy_cluster


@dataclass
class Running:
    """A service on `port` with its database in `folder`, or else at `database`; started and stopped by hand.

    `settings` are variables of its environment; `code` is a folder with other code of the service to run.
    """

    folder: Path
    port: int
    process: subprocess.Popen[bytes] | None = None
    database: str | None = None
    settings: dict[str, str] = field(default_factory=dict)
    code: Path | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        environ = {**os.environ, "PORT": str(self.port), "DATA_DIR": str(self.folder)}
        environ.pop("DATABASE_URL", None)
        if self.database is not None:
            environ["DATABASE_URL"] = self.database
        if self.code is not None:
            environ["PYTHONPATH"] = python_path(self.code)
        environ.update(self.settings)
        package = "holmgang" if self.code is None else package_of(self.code)
        with (self.folder / "serve.log").open("ab") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-m", f"{package}.cli.main", "serve"],
                env=environ,
                cwd=self.code,
                stdout=out,
                stderr=out,
            )
        wait_until(self.ready, f"the service answers; see {self.log()[-2000:]}", STARTED_S)

    def log(self) -> str:
        return (self.folder / "serve.log").read_text(errors="replace")

    def ready(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, f"the service ended: {self.log()[-2000:]}"
        return status(f"{self.url}/readyz") == 200

    def kill(self, *, database: bool) -> None:
        """kill -9 of every process of the service, and if wanted of its Postgres, in no order."""
        assert self.process is not None
        victims = [each for each in family(self.process.pid) if database or not is_postgres(each)]
        if database:
            victims += [v for v in (self.postmaster(),) if v is not None]
        send(signal.SIGKILL, *victims)
        self.process.wait(10)

    def postmaster(self) -> psutil.Process | None:
        try:
            return psutil.Process(int((self.folder / "pgdata" / "postmaster.pid").read_text().split()[0]))
        except (OSError, psutil.NoSuchProcess, IndexError):
            return None

    def stop(self) -> int:
        """SIGTERM; its exit status."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(20)


@contextlib.contextmanager
def serving(database: str | None = None, code: Path | None = None, **settings: str) -> Iterator[Running]:
    """A service on a free port, in a folder that Postgres can enter as whatever user it runs; nothing of it is left.

    It serves in one process, which starts sooner, unless WORKERS is given. Unless it is to use `database`, its cluster
    is a copy of one that is migrated and not durable. What happens at the first start, or when a machine fails, is
    tried with a `Running` that is started by hand.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with TemporaryDirectory(prefix="holmgang-test-", dir=place_for_databases()) as folder:
        Path(folder).chmod(0o755)
        chosen = {"WORKERS": "1", **settings}
        service = Running(Path(folder), port, database=database, settings=chosen, code=code)
        try:
            if database is None:
                copy_cluster(service.folder)
            service.start()
            yield service
            assert service.stop() == 0
        finally:
            service.kill(database=True)
