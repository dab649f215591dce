"""A coordinator and workers on loopback, each a Postgres of its own that can be stopped or killed by itself."""

from __future__ import annotations

import shutil
import signal
import socket
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import psutil
import psycopg

from holmgang.store.distribution import distribute
from holmgang.store.embedded import SUPERUSER
from holmgang.store.migrate import upgrade
from holmgang.store.postgres_binaries import Account
from tests.processes import send

from .building import programs

SHARDS = 8
SETTINGS = {
    "shared_preload_libraries": "citus",
    "wal_level": "logical",  # moving a shard replicates it
    "max_prepared_transactions": 100,  # writes to several nodes are committed in two phases
    "max_connections": 200,
    "citus.shard_count": SHARDS,
    "citus.node_conninfo": "sslmode=disable",
    "citus.local_hostname": "127.0.0.1",
    "listen_addresses": "127.0.0.1",
    "log_error_verbosity": "terse",
    "fsync": "off",
    "full_page_writes": "off",
}
LOCALE = ("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8")


class Node:
    """One Postgres in `folder`; `settings` are its own, beside what all have."""

    def __init__(self, folder: Path, settings: Mapping[str, str | int] | None = None) -> None:
        self.folder = folder
        self.settings = {**SETTINGS, **(settings or {})}
        self.cluster = folder / "pgdata"
        self.account = Account.for_cluster(self.cluster)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://{SUPERUSER}@127.0.0.1:{self.port}/{database}"

    def make(self) -> None:
        self.folder.mkdir(parents=True)
        self.folder.chmod(0o755)
        self.cluster.mkdir()
        self.account.give(self.cluster)
        initdb: list[str | Path] = [
            programs() / "initdb",
            "-D",
            self.cluster,
            "-U",
            SUPERUSER,
            "-A",
            "trust",
            "-E",
            "UTF8",
            "-N",
            *LOCALE,
        ]
        code, told = self.account.run(initdb)
        assert code == 0, told
        lines = {**self.settings, "port": self.port, "unix_socket_directories": self.cluster}
        with (self.cluster / "postgresql.conf").open("a", encoding="utf-8") as settings:
            settings.writelines(f"{name} = '{value}'\n" for name, value in lines.items())

    def start(self) -> None:
        log = self.cluster / "server.log"
        code, told = self.account.run([programs() / "pg_ctl", "-D", self.cluster, "-l", log, "-w", "-t", "60", "start"])
        assert code == 0, told + log.read_text(encoding="utf-8", errors="replace")[-2000:]

    def stop(self) -> None:
        self.account.run([programs() / "pg_ctl", "-D", self.cluster, "-m", "immediate", "-w", "stop"])

    def postmaster(self) -> psutil.Process:
        return psutil.Process(int((self.cluster / "postmaster.pid").read_text(encoding="utf-8").split("\n")[0]))

    def processes(self) -> list[psutil.Process]:
        """The postmaster and all that it has started."""
        postmaster = self.postmaster()
        return [postmaster, *postmaster.children()]

    def kill(self) -> None:
        """As `kill -9` of the postmaster and all of its processes at once, which is what a lost machine looks like."""
        everybody = self.processes()
        send(signal.SIGKILL, *everybody)
        psutil.wait_procs(everybody, timeout=30)


class Cluster:
    """`workers` nodes with shards, and the coordinator, which has none."""

    def __init__(self, folder: Path, workers: int = 2) -> None:
        self.folder = folder
        self.coordinator = Node(folder / "coordinator")
        self.workers = [Node(folder / f"worker-{number}") for number in range(1, workers + 1)]

    @property
    def nodes(self) -> Sequence[Node]:
        return (self.coordinator, *self.workers)

    def __enter__(self) -> Cluster:
        try:
            for node in self.nodes:
                node.make()
                node.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        for node in self.nodes:
            node.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def add_worker(self) -> Node:
        """One more node, which has no shards yet; `join` makes it known to a database."""
        node = Node(self.folder / f"worker-{len(self.workers) + 1}")
        node.make()
        node.start()
        self.workers.append(node)
        return node

    def create_database(self, name: str) -> str:
        """A database of that name on all nodes, which know each other; its address at the coordinator."""
        return create_database(name, [node.port for node in self.nodes])

    @contextmanager
    def distributed(self, name: str) -> Iterator[str]:
        """The coordinator's address of a distributed database of that name, without games. It is dropped at the end."""
        url = self.create_database(name)
        try:
            upgrade(url)
            distribute(url)
            yield url
        finally:
            self.drop_database(name)

    def join(self, node: Node, name: str) -> None:
        """Have a database on a further node too. Nothing is moved there yet."""
        _make_database(name, node.port)
        with psycopg.connect(self.coordinator.url(name), autocommit=True) as connection:
            connection.execute("SELECT citus_add_node('127.0.0.1', %s)", [node.port])

    def drop_database(self, name: str) -> None:
        """Take a database away from all nodes. What Citus runs in it comes back until it is gone."""
        for node in self.nodes:
            with psycopg.connect(node.url(), autocommit=True) as connection:
                connection.execute("SET citus.enable_create_database_propagation = off")
                for _ in range(20):
                    try:
                        connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)'.encode())
                        break
                    except psycopg.errors.ObjectInUse:
                        time.sleep(0.2)


@contextmanager
def open_folder() -> Iterator[Path]:
    """A new folder, open to the account that runs Postgres; its path is short enough for a socket's."""
    with tempfile.TemporaryDirectory(prefix="holmgang-citus-", dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@contextmanager
def running_cluster() -> Iterator[Cluster]:
    """A cluster in a folder of its own."""
    with open_folder() as folder, Cluster(folder / "nodes") as cluster:
        yield cluster


def create_database(name: str, ports: Sequence[int]) -> str:
    """A database of that name on the nodes at these ports, which know each other; its address at the first, which
    coordinates them."""
    for port in ports:
        _make_database(name, port)
    url = f"postgresql://{SUPERUSER}@127.0.0.1:{ports[0]}/{name}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SELECT citus_set_coordinator_host('127.0.0.1', %s)", [ports[0]])
        for port in ports[1:]:
            connection.execute("SELECT citus_add_node('127.0.0.1', %s)", [port])
    return url


def _make_database(name: str, port: int) -> None:
    server = f"postgresql://{SUPERUSER}@127.0.0.1:{port}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute("SET citus.enable_create_database_propagation = off")
        connection.execute(f'CREATE DATABASE "{name}"'.encode())
    with psycopg.connect(f"{server}/{name}", autocommit=True) as connection:
        connection.execute("CREATE EXTENSION citus")
