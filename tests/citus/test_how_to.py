"""docs/pages/how-to/scale.md: what it says of Citus is carried out, block by block, on servers of the test."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg
import pytest

from holmgang.store.distribution import OF_A_GAME
from holmgang.store.tables import metadata
from tests.e2e.fenced import REPOSITORY, Block, blocks_of
from tests.processes import family, send
from tests.waiting import STARTED_S, status, wait_until

from .building import Missing, programs
from .cluster import Cluster, Node, open_folder

PAGE = "docs/pages/how-to/scale.md"
TEXT = (REPOSITORY / PAGE).read_text(encoding="utf-8")
BLOCKS = blocks_of(PAGE, TEXT)
SERVED = "127.0.0.1:8000"
ARCHIVE = "/archive"
BACKUPS = "/backups"


class Shell:
    """A shell that lives through the whole page, where each block finds what those before it have set."""

    def __init__(self, folder: Path, nodes: dict[str, Node], port: int) -> None:
        self._changes = {SERVED: f"127.0.0.1:{port}", BACKUPS: str(folder / "backups")}
        for name, node in nodes.items():
            self._changes |= {
                f"@{name}:5432": f"@127.0.0.1:{node.port}",
                f"'{name}', 5432": f"'127.0.0.1', {node.port}",
            }
        (folder / "backups").mkdir()
        self._told = (folder / "told").open("w+b")
        environ = {
            "PATH": f"{programs()}:{sys.prefix}/bin:{os.environ['PATH']}",
            "HOME": str(folder),
            "DATA_DIR": str(folder),
            "WORKERS": "1",
            "PORT": str(port),
            "LANG": "C.UTF-8",
        }
        self._bash = subprocess.Popen(
            ["bash", "-eu", "-o", "pipefail"], stdin=subprocess.PIPE, stdout=self._told, stderr=self._told, env=environ
        )

    def run(self, block: Block, *, behind: str = "") -> str:
        """What it prints."""
        text = block.text
        for old, new in self._changes.items():
            text = text.replace(old, new)
        assert self._bash.stdin is not None
        done = f"done with {block.place}"
        before = self._told.seek(0, os.SEEK_END)
        self._bash.stdin.write(f"{text.rstrip()}{behind}\necho '{done}'\n".encode())
        self._bash.stdin.flush()

        def told() -> str:
            self._told.seek(before)
            return self._told.read().decode(errors="replace")

        wait_until(lambda: done in told() or self._bash.poll() is not None, "the block is through", 240)
        assert done in told(), told()[-3000:]
        return told()

    def end(self) -> None:
        """And of all that runs in it."""
        started = family(self._bash.pid)[1:]
        send(signal.SIGTERM, *started)
        psutil.wait_procs(started, timeout=30)
        assert self._bash.stdin is not None
        self._bash.stdin.close()
        self._bash.wait(30)
        self._told.close()


@pytest.fixture
def folder() -> Iterator[Path]:
    try:
        programs()
    except Missing as why:
        pytest.skip(f"NOTHING IS TESTED ON CITUS: {why}")
    with open_folder() as folder:
        yield folder


def with_lines(node: Node, block: Block) -> None:
    """Add the lines of a block to a server's settings."""
    archive = node.folder / "archive"
    if not archive.exists():
        archive.mkdir()
        node.account.give(archive)
    with (node.cluster / "postgresql.conf").open("a", encoding="utf-8") as settings:
        settings.write(block.text.replace(ARCHIVE, str(archive)))


def restored(node: Node, backups: Path, lines: Block) -> None:
    """As the page says, but for the account that files belong to: the backup was made by this one."""
    shutil.rmtree(node.cluster)
    shutil.copytree(backups / f"127.0.0.1:{node.port}", node.cluster)
    with_lines(node, lines)
    (node.cluster / "recovery.signal").touch()
    for each in (node.cluster, *node.cluster.rglob("*")):
        node.account.give(each)


def games(cluster: Cluster) -> set[tuple[str, str]]:
    with psycopg.connect(cluster.coordinator.url("holmgang")) as connection:
        return set(connection.execute("SELECT id::text, status FROM games").fetchall())


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_page_is_carried_out(folder: Path, free_port: int) -> None:
    settings, make, acquaint, distribute, serve, play, add, backup, restore = BLOCKS
    with Cluster(folder / "nodes") as cluster:
        cluster.add_worker()
        for node in cluster.nodes:
            with_lines(node, settings)
            node.stop()
            node.start()
        shell = Shell(
            folder,
            dict(zip(("coordinator", "worker-1", "worker-2", "worker-3"), cluster.nodes, strict=True)),
            free_port,
        )
        try:
            for block in (make, acquaint):
                shell.run(block)
            assert "The tables of games are distributed." in shell.run(distribute)
            every_table_has_its_place(cluster)
            shell.run(serve, behind=" &")
            wait_until(lambda: status(f"http://127.0.0.1:{free_port}/readyz") == 200, "the service answers", STARTED_S)
            assert "moves over HTTP" in shell.run(play)
            placed = re.findall(r"127\.0\.0\.1 \| +(\d+) \| +(\d+)\n", shell.run(add))
            assert {int(port) for port, _ in placed} == {worker.port for worker in cluster.workers}
            assert "moves over HTTP" in shell.run(play)
            shell.run(backup)
            kept = games(cluster)
            assert len(kept) == 2
            assert "moves over HTTP" in shell.run(play)
            assert len(games(cluster)) == 3
            for node in cluster.nodes:
                node.stop()
            for node in cluster.nodes:
                restored(node, folder / "backups", restore)
            for node in cluster.nodes:
                node.start()
            wait_until(lambda: status(f"http://127.0.0.1:{free_port}/readyz") == 200, "the service answers", STARTED_S)
            assert games(cluster) == kept
            assert "moves over HTTP" in shell.run(play)
            assert len(games(cluster)) == 3
        finally:
            shell.end()


def every_table_has_its_place(cluster: Cluster) -> None:
    """The page's table names all tables, with the places that they have."""
    told: dict[str, str] = {}
    for names, place in re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| (distributed|local) \|", TEXT, re.MULTILINE):
        told |= dict.fromkeys(re.findall(r"\w+", names), place)
    with psycopg.connect(cluster.coordinator.url("holmgang")) as connection:
        tables = connection.execute(
            "SELECT relname, CASE WHEN p.partmethod = 'h' THEN 'distributed' ELSE 'local' END "
            "FROM pg_class c LEFT JOIN pg_dist_partition p ON p.logicalrelid = c.oid "
            "WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
        ).fetchall()
    assert told == dict(tables)


def test_the_page_names_all_tables_of_the_newest_schema() -> None:
    assert {*metadata.tables, *OF_A_GAME} <= set(re.findall(r"`(\w+)`", TEXT))
