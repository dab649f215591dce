"""The command that serves: what it starts, and that however it ends nothing of it stays behind."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from holmgang.cli.mounts import outlives_container
from holmgang.store.embedded import EmbeddedPostgres
from tests.processes import command, family, living
from tests.waiting import STARTED_S, asked, wait_until

if TYPE_CHECKING:
    import psutil

REPOSITORY = Path(__file__).parents[2]
PROGRAM = Path(__file__).with_name("small_service.py")

Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def base(open_folder: Path) -> Path:
    return open_folder / "place"


@pytest.fixture
def start(base: Path, free_port: int, open_folder: Path) -> Iterator[Start]:
    """Start the small service on `free_port` with its database in `base`."""
    started = []

    def start_one(*command: str, **environment: str) -> subprocess.Popen[str]:
        defaults = {"PORT": str(free_port), "DATA_DIR": str(base), "PYTHONPATH": str(REPOSITORY / "service")}
        clean = {name: value for name, value in os.environ.items() if not name.startswith("DATABASE")}
        process = subprocess.Popen(
            [sys.executable, *(command or (str(PROGRAM),))],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=open_folder,
            env=clean | defaults | environment,
            start_new_session=True,
        )
        started.append(process)
        return process

    yield start_one
    for process in started:
        process.terminate()
        process.communicate(timeout=30)


@pytest.fixture
def url(free_port: int) -> str:
    return f"http://127.0.0.1:{free_port}/readyz"


def answers(url: str) -> str:
    """The process id of the worker that answered, or nothing."""
    answer = asked(url, 5)
    return answer.text if answer is not None and answer.status_code == 200 else ""


def await_ready(url: str) -> None:
    wait_until(lambda: answers(url), "the service is ready", STARTED_S)


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


def everybody(process: subprocess.Popen[str], base: Path) -> list[psutil.Process]:
    """All that the service started, its database too."""
    server = EmbeddedPostgres(base).postmaster()
    assert server is not None
    return [*family(process.pid)[1:], server]


def loading_workers(process: subprocess.Popen[str]) -> list[psutil.Process]:
    """The workers, from their first moment on."""
    return [each for each in family(process.pid)[1:] if "spawn_main" in " ".join(command(each))]


def test_it_invites_and_sigterm_stops_all(start: Start, url: str, base: Path, free_port: int) -> None:
    process = start()
    await_ready(url)
    assert process.stdout is not None
    assert process.stdout.readline() == (
        f"Holmgang is ready at http://127.0.0.1:{free_port}; its reference is at http://127.0.0.1:{free_port}/docs\n"
    )
    others = everybody(process, base)
    assert len(others) >= 3  # two workers and a database
    process.terminate()
    assert process.wait(timeout=15) == 0
    wait_until(lambda: not living(others), "all have ended; Python's resource tracker outlives its parent a moment", 2)
    assert is_free(free_port)


def test_ctrl_c_stops_all(start: Start, url: str, base: Path) -> None:
    process = start()
    await_ready(url)
    others = everybody(process, base)
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(timeout=15) == 0
    wait_until(lambda: not living(others), "all have ended; Python's resource tracker outlives its parent a moment", 2)


@pytest.mark.slow
def test_sigterm_while_the_cluster_is_made(start: Start, url: str, base: Path) -> None:
    process = start()
    wait_until(lambda: list(base.glob("pgdata.init-*")), "initdb is at work")
    process.terminate()
    assert process.wait(timeout=15) == 0
    assert EmbeddedPostgres(base).postmaster() is None
    start()
    await_ready(url)


def test_sigterm_while_workers_load(start: Start, base: Path) -> None:
    process = start()
    wait_until(lambda: loading_workers(process), "a worker is there", 30)
    process.terminate()
    assert process.wait(timeout=15) == 0
    assert EmbeddedPostgres(base).postmaster() is None


def test_sigterm_that_another_thread_gets(start: Start, url: str, base: Path) -> None:
    process = start(DEAF="yes")
    await_ready(url)
    process.terminate()
    assert process.wait(timeout=15) == 0
    assert EmbeddedPostgres(base).postmaster() is None


def test_kill_9_leaves_nothing_and_the_next_start_works(start: Start, url: str, base: Path) -> None:
    process = start()
    await_ready(url)
    others = everybody(process, base)
    process.kill()
    process.wait()
    start()
    await_ready(url)
    wait_until(lambda: not living(others[:-1]), "the orphaned workers end")


@pytest.mark.slow
def test_kill_9_and_no_next_start_leaves_nothing(start: Start, url: str, base: Path, free_port: int) -> None:
    process = start()
    await_ready(url)
    others = everybody(process, base)
    process.kill()
    wait_until(lambda: not living(others), "workers and database end")
    assert is_free(free_port)


def test_a_killed_worker_is_replaced(start: Start, url: str) -> None:
    start()
    await_ready(url)
    worker = int(answers(url))
    os.kill(worker, signal.SIGKILL)
    seen: set[str] = set()

    def two_others() -> bool:
        seen.update({answers(url)} - {"", str(worker)})
        return len(seen) == 2

    wait_until(two_others, "two workers answer again", 30)


def test_a_killed_database_comes_back(start: Start, url: str, base: Path) -> None:
    start()
    await_ready(url)
    server = EmbeddedPostgres(base).postmaster()
    assert server is not None
    server.kill()
    wait_until(lambda: EmbeddedPostgres(base).postmaster() not in (None, server), "another postmaster")
    await_ready(url)


@pytest.mark.slow
def test_a_second_service_on_the_port_is_refused(start: Start, url: str, open_folder: Path) -> None:
    start()
    await_ready(url)
    second = start(DATA_DIR=str(open_folder / "other"))
    error = second.communicate(timeout=30)[1]
    assert second.returncode == 1
    assert "is in use" in error
    assert EmbeddedPostgres(open_folder / "other").postmaster() is None


@pytest.mark.slow
def test_an_application_that_does_not_load_ends_it(start: Start, base: Path) -> None:
    process = start(BROKEN="1", WORKERS="1")
    error = process.communicate(timeout=60)[1]
    assert process.returncode == 1
    assert "this application does not load" in error
    assert EmbeddedPostgres(base).postmaster() is None


def test_bad_settings_are_named_and_exit_2(start: Start) -> None:
    process = start("-c", "from holmgang.cli.main import main; main()", "serve", PORT="99999", WORKERS="many")
    assert process.communicate(timeout=30)[1].splitlines() == [
        "PORT must be a whole number from 1 to 65535, not '99999'.",
        "WORKERS must be a whole number from 1 to 256, not 'many'.",
    ]
    assert process.returncode == 2


def test_a_container_without_a_volume_is_refused(start: Start, base: Path) -> None:
    process = start("-c", "from holmgang.cli.main import main; main()", "serve", IN_CONTAINER="1", DATA_DIR="/dev/shm")
    assert "is not on a mounted volume" in process.communicate(timeout=30)[1]
    assert process.returncode == 1


MOUNTS = """\
22 1 0:20 / / rw,relatime - overlay overlay rw
23 22 254:1 /var/lib/volumes/x /data rw,relatime - ext4 /dev/vda rw
24 22 0:22 / /data/cache rw - tmpfs tmpfs rw
25 22 254:1 /y /with\\040space rw shared:1 - xfs /dev/vda rw
"""


@pytest.mark.parametrize(
    ("folder", "outlives"),
    [
        ("/", False),
        ("/srv/games", False),
        ("/data", True),
        ("/data/games", True),
        ("/data/cache", False),
        ("/database", False),
        ("/with space/x", True),
    ],
)
def test_what_outlives_a_container(folder: str, outlives: bool) -> None:
    assert outlives_container(Path(folder), MOUNTS) is outlives
