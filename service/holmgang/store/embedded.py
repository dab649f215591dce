"""An embedded Postgres in a folder: shared by all processes that use it, started by the first, stopped by the last.

Two locks in the folder carry that: `start.lock` lets one process at a time set up and start; every user holds a share
of `users.lock`, which the kernel frees however the process ends. Nothing here trusts a process id it finds in a file.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import stat
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO
from urllib.parse import quote

import psutil

from holmgang.store.postgres_binaries import Account, EmbeddedPostgresError, reachable_programs, wheel_version

SUPERUSER = "postgres"
DATABASE = "postgres"
SHARED_PLACE = Path("/var/lib/holmgang")
SOCKET = ".s.PGSQL.5432"
LONGEST_SOCKET_FOLDER = 85  # bytes: with the socket's name it stays below the 104 that macOS allows
START_SECONDS = 120.0
STOP_SECONDS = 30
PAUSE_SECONDS = 0.05
LONGEST_NAME = 255
LONGEST_BASE = 900  # bytes: Postgres cuts paths off at 1,024
_SOCKET_FOLDER = re.compile(r"[^,\x00-\x1f\x7f\ud800-\udfff]+")
"""What libpq can be told: commas separate its hosts, and an address is UTF-8."""

# Run under an exclusive lock on users.lock: gets it when the last user is gone, however that one ended. The working
# folder proves that the process is this cluster's postmaster and not a stranger with a reused id.
KEEPER = """
read -r pid < "$1/postmaster.pid" || exit 0
[ "$(readlink "/proc/$pid/cwd")" = "$1" ] && exec "$2" -D "$1" -m fast -w stop
"""


def default_base(folder: Path) -> Path:
    """Where the database of a service started in `folder` lives: `.data` in it.

    As root below a folder that is closed to others (root's home), the account that Postgres runs as could not get
    there: then a folder of /var/lib/holmgang, named after `folder`. An existing cluster is never left aside.
    """
    base = folder.resolve() / ".data"
    if (base / "pgdata").exists() or Account.for_cluster(base / "pgdata").reaches(base.parent):
        return base
    return SHARED_PLACE / f"{base.parent.name}-{_digest(base)}"


class EmbeddedPostgres:
    """The Postgres whose cluster lies in `base`; a context manager around `start` and `stop`.

    `parameters` are server settings; they count only if this process starts the server. Every error is an
    EmbeddedPostgresError whose message says what to do. Safe to call from several threads; a process forked
    from the one that started holds its share of the lock but never stops the server.
    """

    def __init__(self, base: Path, parameters: Mapping[str, str | int] | None = None) -> None:
        self.base = base.resolve()
        self.cluster = self.base / "pgdata"
        self.log = self.cluster / "server.log"
        if len(os.fsencode(self.cluster)) <= LONGEST_SOCKET_FOLDER and _SOCKET_FOLDER.fullmatch(str(self.cluster)):
            self.socket_folder = self.cluster
        else:
            self.socket_folder = Path("/tmp") / f"holmgang-{_digest(self.base)}"  # noqa: S108 # its owner is checked
        self._parameters = {
            "listen_addresses": "",
            "unix_socket_directories": '"{}"'.format(str(self.socket_folder).replace('"', '""')),
            "unix_socket_permissions": "0700",
            "log_checkpoints": "off",
            "log_error_verbosity": "terse",  # the details hold values of rows, such as seeds
            **(parameters or {}),
        }
        self._mutex = threading.RLock()
        self._users: IO[bytes] | None = None
        self._started_by = 0
        self._keeper_left = False

    @property
    def url(self) -> str:
        """Address of the database for libpq and SQLAlchemy alike."""
        return f"postgresql://{SUPERUSER}@/{DATABASE}?host={quote(str(self.socket_folder), safe='')}"

    def start(self) -> EmbeddedPostgres:
        """Attach to the running server, or start it, or first make the cluster; returns when it answers."""
        with self._mutex:
            if self._users is not None:
                return self
            self._check_name()
            self._account = Account.for_cluster(self.cluster)
            self._make_base()
            self._users = self._open("users.lock")
            self._started_by = os.getpid()
            try:
                fcntl.flock(self._users, fcntl.LOCK_SH)
                with self._starting():
                    self._programs = reachable_programs(self._account, self.base)
                    self._make_cluster()
                    self._run_server()
            except BaseException:  # SystemExit of a signal handler too: leave nothing behind
                self.stop()
                raise
            atexit.register(self.stop)
            return self

    def stop(self) -> None:
        """Give up this process's share; the last user stops the server and waits for it. Harmless when repeated."""
        if self._started_by != os.getpid():
            return
        with self._mutex:
            if self._users is None:
                return
            with self._users, contextlib.suppress(BlockingIOError):
                fcntl.flock(self._users, fcntl.LOCK_EX | fcntl.LOCK_NB)
                self._stop_server()
            self._users, self._keeper_left = None, False
        atexit.unregister(self.stop)

    def ensure_running(self) -> bool:
        """Start the server again if it died under its users; whether that was needed. Cheap while it lives."""
        with self._mutex:
            if self._users is None or self.postmaster() is not None:
                return False
            with self._starting():
                self._run_server()
            return True

    def postmaster(self) -> psutil.Process | None:
        """This cluster's server process if it lives. A stranger or a zombie with the recorded id is not it."""
        try:
            process = psutil.Process(self._recorded_pid(self.cluster / "postmaster.pid"))
            if process.status() == psutil.STATUS_ZOMBIE or not process.name().startswith("postgres"):
                return None
            return process if str(self.cluster) in process.cmdline() else None
        except (OSError, ValueError, psutil.Error):
            return None

    def __enter__(self) -> EmbeddedPostgres:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _check_name(self) -> None:
        """Refuse a folder whose name Postgres cannot bear: it reads its own files line by line, into 1,024 bytes."""
        if any(ord(character) < 32 or character == "\x7f" for character in str(self.base)):
            raise EmbeddedPostgresError(
                f"The data folder {str(self.base)!r} has a control character in its name: set DATA_DIR to another."
            )
        parts = [len(os.fsencode(part)) for part in self.base.parts]
        if len(os.fsencode(self.base)) > LONGEST_BASE or max(parts) > LONGEST_NAME:
            raise EmbeddedPostgresError(
                f"The path of the data folder is too long ({str(self.base)[:60]}...): set DATA_DIR to one of at most "
                f"{LONGEST_BASE} bytes, {LONGEST_NAME} in each name."
            )

    def _make_base(self) -> None:
        """Make the folder and its missing parents, open enough for the account that runs Postgres."""
        try:
            for folder in reversed([self.base, *self.base.parents]):
                if not folder.exists():
                    folder.mkdir(exist_ok=True)
                    if self._account.drop:
                        folder.chmod(0o755)
        except OSError as error:
            raise EmbeddedPostgresError(
                f"Cannot make the data folder {self.base} ({error.strerror}): set DATA_DIR to a folder that you can "
                "write to."
            ) from error
        if not self._account.reaches(self.base):
            raise EmbeddedPostgresError(
                f"Postgres refuses to run as root, and user id {self._account.uid}, which it would run as, cannot "
                f"enter {self.base}: set DATA_DIR to a folder whose parents are open to all (chmod o+x), such as "
                f"{SHARED_PLACE}, or start as an ordinary user."
            )

    def _open(self, name: str) -> IO[bytes]:
        try:
            return (self.base / name).open("ab")
        except OSError as error:
            raise EmbeddedPostgresError(
                f"Cannot write to {self.base / name} ({error.strerror}): start as the user who made {self.base}, or "
                "set DATA_DIR to another folder."
            ) from error

    @contextlib.contextmanager
    def _starting(self) -> Iterator[None]:
        with self._open("start.lock") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _make_cluster(self) -> None:
        """Make the cluster aside and rename it, so that a killed initdb leaves no half-made one."""
        if self.cluster.exists():
            major = wheel_version().split(".")[0]
            with contextlib.suppress(FileNotFoundError):
                made_by = (self.cluster / "PG_VERSION").read_text(encoding="utf-8").strip()
                if made_by != major:
                    raise EmbeddedPostgresError(
                        f"{self.cluster} was made by Postgres {made_by}, and the embedded one is {major}: dump and "
                        "restore it, or set DATA_DIR to another folder."
                    )
            self._clear_aside()
            return
        # A folder of its own each time: the initdb of a killed owner may still be running in another.
        aside = Path(tempfile.mkdtemp(prefix="pgdata.init-", dir=self.base))
        self._account.give(aside)
        locale = ("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
        command: list[str | Path] = [self._programs / "initdb", "-D", aside, "-U", SUPERUSER]
        code, output = self._account.run([*command, "-A", "trust", "-E", "UTF8", "--no-instructions", *locale])
        if code != 0:
            raise EmbeddedPostgresError(f"Cannot make a cluster in {self.base}: {output.strip()[-1000:]}")
        aside.rename(self.cluster)
        self._clear_aside()

    def _clear_aside(self) -> None:
        """Remove what killed owners left. Where its initdb still runs, something may stay until the next start."""
        for abandoned in self.base.glob("pgdata.init-*"):
            shutil.rmtree(abandoned, ignore_errors=True)

    def _run_server(self) -> None:
        """Return once the server answers: started here, or already running or starting. Holds the start lock."""
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            if time.monotonic() > deadline:
                raise EmbeddedPostgresError(f"Postgres in {self.base} does not start:\n{self._log_tail()}")
            if self.postmaster() is None:
                self._make_socket_folder()
                self._drop_stale_files()
                self._launch(deadline)
            elif not (self.socket_folder / SOCKET).exists():
                self._stop_server()  # somebody swept the folder of the socket: nobody can reach this server again
            # Otherwise it is starting. A server killed a moment ago may also have left children that are still ending.
            time.sleep(PAUSE_SECONDS)

    def _launch(self, deadline: float) -> None:
        """One attempt, until the server answers or is gone. The keeper goes first: from then on no end of ours leaves a
        server behind. Not by pg_ctl, which has a shell read the names of folders.
        """
        if not self._keeper_left and sys.platform == "linux" and shutil.which("flock"):
            pg_ctl = self._programs / "pg_ctl"
            script: list[str | Path] = ["/bin/sh", "-c", KEEPER, "keeper", self.cluster, pg_ctl]
            self._account.detach(["flock", self.base / "users.lock", *script])
            self._keeper_left = True
        options = [f"--{name}={value}" for name, value in self._parameters.items()]
        server: list[str | Path] = [self._programs / "postgres", "-D", self.cluster, *options]
        began = self._account.detach(server, log=self.log)
        while time.monotonic() < deadline and _lives(began) and not self._answers():
            time.sleep(PAUSE_SECONDS)

    def _stop_server(self) -> None:
        for mode in ("fast", "immediate"):
            if self.postmaster() is not None:
                self._pg_ctl("-m", mode, "-t", str(STOP_SECONDS), "stop")

    def _pg_ctl(self, *arguments: str | Path) -> str:
        return self._account.run([self._programs / "pg_ctl", "-D", self.cluster, "-w", *arguments])[1]

    def _answers(self) -> bool:
        if not (self.socket_folder / SOCKET).exists():
            return False
        question: list[str | Path] = ["-q", "-U", SUPERUSER, "-d", DATABASE, "-h", self.socket_folder]
        return self._account.run([self._programs / "pg_isready", *question])[0] == 0

    def _make_socket_folder(self) -> None:
        if self.socket_folder == self.cluster:
            return
        try:
            self.socket_folder.mkdir(mode=0o700)
            self._account.give(self.socket_folder)
        except FileExistsError:
            found = self.socket_folder.lstat()
            if not stat.S_ISDIR(found.st_mode) or found.st_uid != self._account.uid:
                raise EmbeddedPostgresError(
                    f"{self.socket_folder} is needed for the socket, because the path of {self.base} is long, and "
                    "it belongs to somebody else: remove it, or set DATA_DIR to a shorter path."
                ) from None

    def _drop_stale_files(self) -> None:
        """Remove the lock files of a dead server whose process id lives on as another process (or a zombie).

        Postgres itself deals with ids that nobody has, and refuses the rest. While any process of the dead server is
        left nothing is removed: its memory is still shared.
        """
        for file in (self.cluster / "postmaster.pid", self.socket_folder / f"{SOCKET}.lock"):
            with contextlib.suppress(OSError, ValueError):
                if psutil.pid_exists(self._recorded_pid(file)) and not self._anyone_left():
                    file.unlink()

    def _anyone_left(self) -> bool:
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.NoSuchProcess, psutil.ZombieProcess):
                if not process.name().startswith("postgres") or process.status() == psutil.STATUS_ZOMBIE:
                    continue
                try:
                    if process.cwd() == str(self.cluster):
                        return True
                except psutil.AccessDenied:  # cannot tell: wait rather than risk two servers in one cluster
                    if process.uids().real == self._account.uid:
                        return True
        return False

    @staticmethod
    def _recorded_pid(file: Path) -> int:
        return abs(int(file.read_text(encoding="utf-8", errors="replace").split("\n", 1)[0]))

    def _log_tail(self) -> str:
        with contextlib.suppress(OSError):
            return self.log.read_text(encoding="utf-8", errors="replace")[-1500:]
        return ""


def _lives(pid: int) -> bool:
    with contextlib.suppress(psutil.Error):
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    return False


def _digest(path: Path) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:12]
