"""The folder of the embedded Postgres may be called what it likes, or is refused at once in a sentence; and what
commands with a database tell does not depend on the terminal's encoding."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from holmgang.store import postgres_binaries
from holmgang.store.embedded import EmbeddedPostgres
from holmgang.store.postgres_binaries import Account, EmbeddedPostgresError, reachable_programs

pytestmark = [pytest.mark.long, pytest.mark.plain_postgres("the server that the service brings along")]

REPOSITORY = Path(__file__).parents[2]
ROOT = os.geteuid() == 0
ORDINARY = pwd.getpwnam("daemon").pw_uid
NAMES = {
    "shell": "a$HOME ${HOME} $(touch called) `touch called`",
    "quotes": "a\"b it's a\\b",
    "lists": "a,b a%20b%",
    "blanks": " a  b ",
    "signs": "a;b&c|d<e>f*?[g]!h#i~(j){k}=",
    "dash": "-D",
    "letters": "é日本語",
    "no UTF-8": os.fsdecode(b"a\xff"),
    "long": "x" * 250,
}
REFUSED = {
    "newline": "a\nb",
    "control character": "a\x1bb",
    "a long name": "x" * 256,
    "a long path": "/".join(["x" * 250] * 4),
}


def works(base: Path) -> None:
    """Started, attached to a second time, and asked."""
    with EmbeddedPostgres(base) as server, EmbeddedPostgres(base) as other:
        for url in (server.url, other.url):
            with psycopg.connect(url) as connection:
                assert connection.execute("SELECT 1").fetchone() == (1,)
        assert server.postmaster() is not None
    assert server.postmaster() is None
    if server.socket_folder != server.cluster:
        shutil.rmtree(server.socket_folder)


@pytest.mark.parametrize("name", NAMES)
def test_a_data_folder_of_any_name_works(name: str, open_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(open_folder)
    works(Path(NAMES[name]) / "place")
    assert not list(Path("/").glob("called"))
    assert sorted(open_folder.iterdir()) == [open_folder / NAMES[name]]


@pytest.mark.parametrize("name", REFUSED)
def test_a_name_that_postgres_cannot_bear_is_refused_at_once(name: str, open_folder: Path) -> None:
    with pytest.raises(EmbeddedPostgresError, match="DATA_DIR"):
        EmbeddedPostgres(open_folder / REFUSED[name]).start()
    assert list(open_folder.iterdir()) == []


@pytest.mark.parametrize("name", ["$", "`", '"', "\\"])
def test_programs_in_a_folder_that_a_shell_would_misread_are_refused(
    name: str, open_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """initdb calls a shell with the path of its programs, which lie in the data folder if no others can be run."""
    (open_folder / "nowhere").mkdir()
    (open_folder / "nowhere" / "postgres").touch(mode=0o600)
    monkeypatch.setattr(postgres_binaries, "wheel_programs", lambda: open_folder / "nowhere")
    account = Account(os.geteuid(), os.getegid(), drop=False)
    with pytest.raises(EmbeddedPostgresError, match="a shell would misread"):
        reachable_programs(account, open_folder / f"a{name}b")
    assert list(open_folder.iterdir()) == [open_folder / "nowhere"]


if ROOT:

    @pytest.mark.parametrize("name", ["shell", "quotes", "lists", "letters"])
    def test_an_ordinary_user_may_call_it_so_too(name: str, open_folder: Path) -> None:
        os.chown(open_folder, ORDINARY, ORDINARY)
        done = subprocess.run(
            [sys.executable, Path(__file__).with_name("embedded_user.py"), open_folder / NAMES[name], str(ORDINARY)],
            input="ensure\n",
            capture_output=True,
            encoding="utf-8",
            env=os.environ | {"PYTHONPATH": str(REPOSITORY / "service")},
            check=True,
            timeout=120,
        )
        assert done.stdout.startswith("postgresql://"), done.stdout
        assert done.stdout.endswith("restarted False\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    "encoding",
    ["ascii", "cp932", "latin-1"],
)
def test_commands_with_a_database_take_any_encoding_and_any_path(encoding: str, open_folder: Path) -> None:
    """A database in a folder of an odd name, migrated, saved, put into another one, and served; files and folders are
    relative, absolute, with a slash at the end."""
    names = iter(["é$HOME", "`a`千/", str(open_folder / "ü–")])

    def run(folder: str, *arguments: str, timeout: int = 120) -> str:
        done = subprocess.run(
            [sys.executable, "-X", "utf8=0", "-m", "holmgang.cli.main", *arguments],
            cwd=open_folder,
            env=os.environ
            | {
                "PYTHONIOENCODING": encoding,
                "PYTHONPATH": str(REPOSITORY / "service"),
                "DATA_DIR": folder,
                "LC_ALL": "C.UTF-8",
            },
            capture_output=True,
            check=False,
            timeout=timeout,
        )
        said = done.stdout.decode("utf-8", "replace") + done.stderr.decode("utf-8", "replace")
        assert done.returncode == 0, said
        assert "UnicodeEncodeError" not in said
        return said

    first, second, third = names
    run(first, "migrate")
    run(first, "backup", "--", "-größe$ `千`")
    assert (open_folder / "-größe$ `千`").stat().st_size > 1000
    run(second, "restore", "--", "-größe$ `千`")
    run(third, "restore", str(open_folder / "-größe$ `千`"))
    run(second, "settings")
    with contextlib.suppress(FileNotFoundError):
        shutil.rmtree(open_folder / first)
