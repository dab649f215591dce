"""`python -m tests.matrix`: the quicker tests with each Python and each Postgres that the service is for, of those that
are found here. What is missing is named. The exit code is 1 if any of them failed.

Pythons are looked for on PATH and in pyenv, and get the locked packages in environments of their own, below `build`.
Postgres is looked for where systems keep it and in the folders of programs that POSTGRES names, as PATH does.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from holmgang.store.postgres_binaries import Account, wheel_programs
from tests.places import place_for_databases

ROOT = Path(__file__).parents[1]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
POSTGRESES = ("15", "16", "17", "18")
PLACES = ("/usr/lib/postgresql/{}/bin", "/usr/pgsql-{}/bin", "/opt/homebrew/opt/postgresql@{}/bin")
TESTS = ("-n", "auto", "--dist", "loadfile", "-q", "-m", "not slow and not long")
OPTIONS = "-c listen_addresses= -c unix_socket_directories={} -c fsync=off -c max_connections=200"


def answer(*command: str | Path) -> str:
    """What a program prints, or nothing where it does not run."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def python(version: str) -> Path | None:
    """An interpreter of that version which can make environments."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    on_path = shutil.which(f"python{version}")
    found: Path
    for found in (*([Path(on_path)] if on_path else ()), *sorted(pyenv.glob(f"{version}*/bin/python"))):
        if answer(found, "-c", "import sys, ensurepip, venv; print('%d.%d' % sys.version_info[:2])") == version:
            return found
    return None


def postgres(version: str) -> Path | None:
    """The folder of the programs of a Postgres of that version."""
    named = [Path(each) for each in os.environ.get("POSTGRES", "").split(os.pathsep) if each]
    for found in (*named, *(Path(place.format(version)) for place in PLACES), wheel_programs()):
        told = re.search(r"\) (\d+)", answer(found / "postgres", "--version"))
        if told is not None and told[1] == version:
            return found
    return None


def environment(interpreter: Path, version: str) -> Path:
    """The Python of an environment with the locked packages, made by `interpreter` unless it is there already."""
    folder = ROOT / "build" / "matrix" / version
    inside, installed = folder / "bin" / "python", folder / ".installed"
    lock = ROOT / "locks" / "development.lock"
    if not installed.exists() or installed.read_bytes() != lock.read_bytes():
        subprocess.run([interpreter, "-m", "venv", "--clear", folder], check=True)
        pip: list[str | Path] = [inside, "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
        subprocess.run([*pip, "--require-hashes", "-r", lock], check=True)
        subprocess.run([*pip, "--no-deps", "--no-build-isolation", "-e", ROOT], check=True)
        shutil.copy(lock, installed)
    return inside


@contextlib.contextmanager
def running(programs: Path) -> Iterator[str]:
    """The address of a new server that these programs run."""
    with tempfile.TemporaryDirectory(prefix="holmgang-matrix-", dir=place_for_databases()) as name:
        folder, cluster = Path(name), Path(name) / "pgdata"
        folder.chmod(0o755)
        account = Account.for_cluster(cluster)
        cluster.mkdir()
        account.give(cluster)
        made: list[str | Path] = ["-D", cluster, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C"]
        started: list[str | Path] = ["-o", OPTIONS.format(cluster), "-l", cluster / "server.log", "-w", "start"]
        control: list[str | Path] = [programs / "pg_ctl", "-D", cluster]
        for command in ([programs / "initdb", *made], [*control, *started]):
            code, told = account.run(command)
            assert code == 0, told
        try:
            yield f"postgresql://postgres@/postgres?host={cluster}"
        finally:
            account.run([*control, "-m", "fast", "-w", "stop"])


def test(interpreter: str | Path, *what: str, **settings: str) -> bool:
    command = [interpreter, "-m", "pytest", *TESTS, *what]
    return subprocess.run(command, cwd=ROOT, env=os.environ | settings, check=False).returncode == 0


def main() -> int:
    told = {}
    for version in PYTHONS:
        if (interpreter := python(version)) is None:
            told[f"Python {version}"] = "is not found here"
            continue
        print(f"--- Python {version}: {interpreter}", flush=True)
        try:
            passed = test(environment(interpreter, version), "tests/unit", "tests/integration")
        except subprocess.CalledProcessError:
            told[f"Python {version}"] = "FAILED: the locked packages cannot be installed"
            continue
        told[f"Python {version}"] = "passed" if passed else "FAILED"
    for version in POSTGRESES:
        if (programs := postgres(version)) is None:
            told[f"Postgres {version}"] = "is not found here: name the folder of its programs in POSTGRES"
            continue
        print(f"--- Postgres {version}: {programs}", flush=True)
        with running(programs) as url:
            passed = test(sys.executable, "tests/integration", TEST_DATABASE_URL=url)
        told[f"Postgres {version}"] = "passed" if passed else "FAILED"
    print("\n".join(f"{name}: {how}" for name, how in told.items()))
    return int(any(how.startswith("FAILED") for how in told.values()))


if __name__ == "__main__":
    sys.exit(main())
