"""The deployment of `compose.yaml` on this machine without Docker: an embedded Postgres, PgBouncer, two replicas of the
API, workers, and Caddy before them, by the very files of `deploy/` and the environment of `compose.yaml`.

Of those files only addresses are changed, each of which must be there once, and for older programs, as Debian 12 has
them, how Caddy calls its buffers and that PgBouncer keeps prepared statements.
"""

from __future__ import annotations

import http.client
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

import psutil
import psycopg
import yaml
from psycopg import sql

from holmgang.store.embedded import EmbeddedPostgres
from holmgang.store.migrate import upgrade

REPOSITORY = Path(__file__).parents[1]
PROGRAMS = ("pgbouncer", "caddy")
NAME, PASSWORD = "holmgang", "secret"
REPLICAS = ("api-1", "api-2")
START_SECONDS = 60.0
BUFFERS_RENAMED = (2, 6, 4)
"""Before this version of Caddy `request_buffers` is two words."""
STATEMENTS_KEPT = (1, 22)
"""Since this version of PgBouncer statements may be prepared, and dropped as the service's driver drops them."""


def missing_programs() -> list[str]:
    """What would have to be installed."""
    return [program for program in PROGRAMS if _program(program) is None]


def _program(name: str) -> str | None:
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin")


def _version(*command: str) -> tuple[int, ...]:
    """The first version number that the command prints."""
    told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    found = re.search(r"\d+(?:\.\d+)+", told)
    assert found is not None, told
    return tuple(map(int, found[0].split(".")))


@cache
def keeps_statements() -> bool:
    """Whether this machine's PgBouncer lets statements be prepared."""
    program = _program("pgbouncer")
    assert program is not None
    return _version(program, "--version") >= STATEMENTS_KEPT


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def exchanged(text: str, changes: Mapping[str, str]) -> str:
    """The text with each of these replaced, which must be in it just once."""
    for old, new in changes.items():
        if text.count(old) != 1:
            raise ValueError(f"{old!r} is there {text.count(old)} times")
        text = text.replace(old, new)
    return text


def environment_of(part: str) -> dict[str, str]:
    """What compose.yaml sets for a part, without the addresses."""
    compose = yaml.safe_load((REPOSITORY / "compose.yaml").read_text(encoding="utf-8"))
    given: dict[str, str] = compose["services"][part]["environment"]
    return {name: value for name, value in given.items() if "${" not in value}


@dataclass
class Part:
    """A process with all its children, which is started, stopped or killed by hand. Its output is kept in a file."""

    name: str
    command: list[str]
    environ: dict[str, str]
    log: Path
    port: int | None = None
    path: str = "/readyz"
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> Part:
        with self.log.open("ab") as out:
            self.process = subprocess.Popen(self.command, env={**os.environ, **self.environ}, stdout=out, stderr=out)
        return self

    def ready(self) -> Part:
        """Return once it answers on its port, if it has one."""
        _await(self._answers, f"{self.name} answers; see {self.told()}")
        return self

    def _answers(self) -> bool:
        if self.process is not None and self.process.poll() is not None:
            raise RuntimeError(f"{self.name} has ended: {self.told()}")
        return self.port is None or answers(self.port, self.path)

    def told(self) -> str:
        return self.log.read_text(errors="replace")[-3000:]

    def family(self) -> list[psutil.Process]:
        """The process and its children that live."""
        with suppress(psutil.NoSuchProcess):
            assert self.process is not None
            first = psutil.Process(self.process.pid)
            return [first, *first.children(recursive=True)]
        return []

    def kill(self) -> None:
        """kill -9 of all of it."""
        for each in self.family():
            with suppress(psutil.NoSuchProcess):
                each.kill()
        assert self.process is not None
        self.process.wait(10)

    def tell_to_stop(self, number: int = signal.SIGTERM) -> None:
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(number)

    def stop(self, number: int = signal.SIGTERM) -> None:
        self.tell_to_stop(number)
        assert self.process is not None
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.kill()
            raise


def answers(port: int, path: str) -> bool:
    """Whether a GET is answered 200 there."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=3)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == http.client.OK
    except OSError:
        return False
    finally:
        connection.close()


def _await(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            raise RuntimeError(f"waited {START_SECONDS:g} s in vain: {what}")
        time.sleep(0.05)


@dataclass
class Deployment:
    """All parts, running. `port` is the proxy's, `direct` the database past PgBouncer, `pooled` the one behind it."""

    folder: Path
    server: EmbeddedPostgres | None
    direct: str
    pooled: str
    port: int
    replicas: dict[str, Part]
    workers: list[Part]
    pooler: Part
    proxy: Part
    environ: dict[str, str] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def add_worker(self) -> Part:
        """One more worker, started."""
        name = f"worker-{len(self.workers) + 1}"
        part = Part(name, holmgang("worker"), self.environ, self.folder / f"{name}.log").start()
        self.workers.append(part)
        return part

    def logs(self) -> dict[str, str]:
        parts = (*self.replicas.values(), *self.workers, self.pooler, self.proxy)
        return {part.name: part.log.read_text(errors="replace") for part in parts}


def pss(process: psutil.Process) -> int:
    """Its proportional set size in bytes; 0 for one that has ended."""
    with suppress(psutil.NoSuchProcess):
        return int(process.memory_full_info().pss)
    return 0


def holmgang(*words: str) -> list[str]:
    """The command of that name, as this interpreter runs it."""
    return [sys.executable, "-m", "holmgang.cli.main", *words]


@dataclass(frozen=True)
class Database:
    """A database that runs already, of the user NAME: its address past PgBouncer, where its server has its socket, and
    the number of the account that the server runs as."""

    direct: str
    sockets: Path
    port: int
    account: int


@contextmanager
def deployed(
    *,
    workers: int = 2,
    parameters: Mapping[str, str | int] | None = None,
    database: Database | None = None,
    **settings: str,
) -> Iterator[Deployment]:
    """The deployment with so many workers, on this database or else on one of a Postgres of its own, whose settings
    are `parameters`; `settings` are variables for API and workers."""
    if missing := missing_programs():
        raise RuntimeError(f"{' and '.join(missing)} must be installed: apt-get install pgbouncer caddy")
    with TemporaryDirectory(prefix="holmgang-deployed-", dir="/tmp") as place, ExitStack() as running:
        folder = Path(place)
        folder.chmod(0o755)  # as root, Postgres and PgBouncer run as other users
        server = None
        if database is None:
            server = running.enter_context(EmbeddedPostgres(folder / "database", parameters))
            direct = _make_database(server)
            upgrade(direct)
            database = Database(direct, server.socket_folder, 5432, server.cluster.stat().st_uid)
        direct = database.direct
        pooler = _pgbouncer(folder, database)
        running.callback(pooler.stop, signal.SIGINT)
        pooled = f"postgresql://{NAME}:{PASSWORD}@127.0.0.1:{pooler.port}/{NAME}"
        _await(lambda: _connects(pooled), f"PgBouncer answers; see {pooler.told()}")
        addresses = {"DATABASE_URL": pooled, "DATABASE_DIRECT_URL": direct, "HOST": "127.0.0.1"}
        if not keeps_statements():
            addresses["PREPARE_THRESHOLD"] = "off"
        replicas = {}
        for name in REPLICAS:
            port = free_port()
            environ = {**environment_of(name), **addresses, "PORT": str(port), **settings}
            part = Part(name, holmgang("serve", "--no-worker"), environ, folder / f"{name}.log", port)
            replicas[name] = part.start()
            running.callback(part.stop)
        proxy = caddy(folder, {name: part.port for name, part in replicas.items()})
        running.callback(proxy.stop)
        environ = {**environment_of("worker"), **addresses, **settings}
        environ.pop("METRICS_PORT")  # there is one host for all of them
        assert proxy.port is not None
        here = Deployment(folder, server, direct, pooled, proxy.port, replicas, [], pooler, proxy, environ)

        def stop_workers() -> None:
            for part in here.workers:
                part.stop()

        def tell_all_to_stop() -> None:
            for part in (*here.replicas.values(), *here.workers):
                part.tell_to_stop()

        running.callback(stop_workers)
        running.callback(tell_all_to_stop)
        for _ in range(workers):
            here.add_worker()
        for part in (*replicas.values(), proxy):
            part.ready()
        yield here


def _make_database(server: EmbeddedPostgres) -> str:
    """A user and a database as the deployment has them; their address past PgBouncer."""
    with psycopg.connect(server.url, autocommit=True) as connection:
        name = sql.Identifier(NAME)
        connection.execute(sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(name, sql.Literal(PASSWORD)))
        connection.execute(sql.SQL("CREATE DATABASE {} OWNER {}").format(name, name))
    return f"postgresql://{NAME}@/{NAME}?host={quote(str(server.socket_folder), safe='')}"


def _connects(url: str) -> bool:
    try:
        psycopg.connect(url, connect_timeout=3).close()
    except psycopg.OperationalError:
        return False
    return True


def _pgbouncer(folder: Path, database: Database) -> Part:
    port, users = free_port(), folder / "userlist.txt"
    users.write_text(f'"{NAME}" "{PASSWORD}"\n')
    changes = {
        "host=postgres port=5432": f"host={database.sockets} port={database.port}",
        "listen_addr = 0.0.0.0": "listen_addr = 127.0.0.1",
        "listen_port = 6432": f"listen_port = {port}",
        "auth_file = /tmp/userlist.txt": f"auth_file = {users}",
    }
    if not keeps_statements():
        changes["max_prepared_statements = 200\n"] = ""
    file = folder / "pgbouncer.ini"
    file.write_text(exchanged((REPOSITORY / "deploy/pgbouncer.ini").read_text(encoding="utf-8"), changes))
    program = _program("pgbouncer")
    assert program is not None
    command = [program, str(file)]
    if os.geteuid() == 0:  # which PgBouncer refuses to run as; the socket is open to Postgres' user only
        command[1:1] = ["-u", pwd.getpwuid(database.account).pw_name]
    return Part("pgbouncer", command, {}, folder / "pgbouncer.log", port).start()


def caddy(folder: Path, ports: Mapping[str, int | None]) -> Part:
    """The proxy, being started, before replicas at these ports."""
    port = free_port()
    file = folder / "Caddyfile"
    program = _program("caddy")
    assert program is not None
    changes = {f"{name}:8000": f"127.0.0.1:{replica}" for name, replica in ports.items()}
    if _version(program, "version") < BUFFERS_RENAMED:
        changes["request_buffers 128KiB"] = f"buffer_requests\n\t\tmax_buffer_size {128 * 1024}"
    file.write_text(exchanged((REPOSITORY / "deploy/Caddyfile").read_text(encoding="utf-8"), changes))
    command = [program, "run", "--config", str(file), "--adapter", "caddyfile"]
    homes = {name: str(folder) for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "HOME")}
    environ = {"SITE": f"http://127.0.0.1:{port}, http://localhost:{port}", **homes}
    return Part("caddy", command, environ, folder / "caddy.log", port, "/healthz").start()
