"""What a command finds, and its exit code, do not depend on the encoding of the terminal, the pipe or the file that it
prints to; and files are UTF-8 everywhere."""

from __future__ import annotations

import json
import os
import pkgutil
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import msgspec
import pytest

from holmgang.cli import commands
from tests.soon import soon
from tests.unit.games import SETTINGS
from tests.unit.records import Scribe

pytestmark = pytest.mark.long

REPOSITORY = Path(__file__).parents[3]
ENCODINGS = ("ascii", "cp932", "latin-1", "koi8-r")
SOONER = (("cp932", "1"), ("ascii", "2"))
"""Encodings of a simulation in one or two processes that are not left to the slow tests."""
BOTS = """
from holmgang import Bot, any_action

class Großmut(Bot):
    def choose(self, view, legal):
        if view["turn"] < 2:
            print("schöne – Größe 千")
        return any_action(legal)
"""
CALLS: dict[str, list[str]] = {
    "arena": ["arena", "--game", "claim", "--bots", "random,random", "--games", "2", "--target", "0.2"],
    "check_game": ["check-game", "claim", "--games", "1", "--seats", "2", "--law", "log-replays"],
    "games": ["games"],
    "ladder": ["ladder", "--game", "claim", "random", "greedy", "--games", "4", "--processes", "1"],
    "messages": ["messages", "claim"],
    "new_game": ["new-game", "hnefa"],
    "openapi": ["openapi"],
    "play": ["play", "--game", "drakkars", "--seed", "3", "--name", "Þóra 千", "--bots", "random"],
    "settings": ["settings"],
    "simulate": ["simulate", "--game", "claim", "--bots", "random,greedy", "--games", "4", "--processes", "1"],
    "tournament": ["tournament", "--game", "claim", "random", "greedy", "--games", "2", "--processes", "1"],
    "verify": ["verify", "record.json"],
}
NEED_A_DATABASE = {"distribute", "backup", "bot", "demo", "mcp", "migrate", "restore", "serve", "standings", "worker"}
"""Or a service. They are run so by tests/integration/test_data_folders.py, tests/e2e/test_mcp.py and others."""
FINE_AND_PLAIN = {"–": "-", "±": "+/-"}


def run(
    arguments: list[str], folder: Path, encoding: str, given: str = "", **environ: str
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-X", "utf8=0", "-m", "holmgang.cli.main", *arguments],
        cwd=folder,
        input=given.encode(),
        capture_output=True,
        check=False,
        timeout=120,
        env=os.environ | {"PYTHONIOENCODING": encoding, "PYTHONPATH": f"{REPOSITORY / 'service'}:{folder}", **environ},
    )


def test_every_command_is_run(tmp_path: Path) -> None:
    there = {module.name for module in pkgutil.iter_modules(commands.__path__)}
    assert there == CALLS.keys() | NEED_A_DATABASE


@cache
def record() -> bytes:
    found = Scribe(SETTINGS[0].rules, SETTINGS[0].seats, 0).play().record()
    found["options"]["größe"] = "千 – ±"
    return msgspec.json.encode(found)


@pytest.mark.parametrize("command", soon(CALLS, "games", "new_game", "settings", "simulate", "verify"))
@pytest.mark.parametrize(
    "encodings",
    [
        pytest.param(("ascii", "cp932"), id="none and two bytes"),
        pytest.param(("latin-1", "koi8-r"), id="one byte", marks=pytest.mark.slow),
    ],
)
def test_a_command_tells_the_same_in_every_encoding(command: str, encodings: tuple[str, ...], tmp_path: Path) -> None:
    given = "hint\ntake\n" * 20
    told: dict[str, list[str]] = {}
    for encoding in ("utf-8", *encodings):
        folder = tmp_path / encoding
        folder.mkdir()
        (folder / "record.json").write_bytes(record())
        done = run(CALLS[command], folder, encoding, given)
        said = done.stderr.decode(encoding)
        assert "Traceback" not in said, said
        assert done.returncode == {"play": 3, "verify": 1, "arena": 1}.get(command, 0)
        if command == "openapi":
            told[encoding] = [done.stdout.decode()]
            continue
        text = done.stdout.decode("utf-8" if encoding == "ascii" else encoding)  # by which click takes ASCII
        for fine, plain in FINE_AND_PLAIN.items():
            text = text.replace(fine, plain)
        text = re.sub(r"[\d.]+ ms|[\d,]+ decisions a second", "", text)  # speed is another each time
        told[encoding] = re.findall(r"[A-Za-z0-9.%+/-]*[A-Za-z0-9%]", re.sub(r"\\x..|\\u....|[^\x00-\x7f]", "", text))
    assert len(told["utf-8"]) > (0 if command == "openapi" else 5)
    for encoding, words in told.items():
        if command == "play":  # boards are drawn with other lines
            words, expected = [w for w in words if w.isalpha()], [w for w in told["utf-8"] if w.isalpha()]
        else:
            expected = told["utf-8"]
        assert words == expected, encoding


@pytest.mark.parametrize(
    ("encoding", "processes"),
    [
        pytest.param(encoding, processes, marks=() if (encoding, processes) in SOONER else pytest.mark.slow)
        for encoding in ENCODINGS
        for processes in ("1", "2")
    ],
)
def test_bots_and_files_of_a_simulation_do_not_depend_on_it_either(
    encoding: str, processes: str, tmp_path: Path
) -> None:
    """A bot prints, in this process or in others; and the files are those that UTF-8 gives."""
    (tmp_path / "mine.py").write_text(BOTS, encoding="utf-8")
    files = []
    for which in (encoding, "utf-8"):
        csv = tmp_path / f"{which}.csv"
        arguments = ["simulate", "--game", "claim", "--bots", "mine:Großmut,random", "--games", "2"]
        done = run([*arguments, "--processes", processes, "--csv", csv.name], tmp_path, which, LC_ALL="C.UTF-8")
        assert done.returncode == 0, done.stderr.decode(which)
        assert "games, seed 1" in done.stdout.decode(which)
        files.append(csv.read_bytes())
    assert files[0] == files[1]
    assert "Großmut" in files[0].decode()


def test_a_stream_that_is_closed_fails_nothing(tmp_path: Path) -> None:
    arguments = [
        "simulate",
        "--game",
        "claim",
        "--bots",
        "random",
        "--games",
        "2",
        "--processes",
        "1",
        "--csv",
        "a.csv",
    ]
    closed = 'exec "$@" >&- 2>&-'
    done = subprocess.run(
        ["/bin/sh", "-c", closed, "sh", sys.executable, "-m", "holmgang.cli.main", *arguments],
        cwd=tmp_path,
        check=False,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY / "service")},
    )
    assert done.returncode == 0
    assert len((tmp_path / "a.csv").read_text(encoding="utf-8").splitlines()) == 5


@pytest.mark.slow
def test_the_document_is_the_same_bytes(tmp_path: Path) -> None:
    told = {run(["openapi"], tmp_path, encoding).stdout for encoding in ("utf-8", "cp932", "ascii")}
    assert len(told) == 1
    assert json.loads(told.pop())["openapi"] == "3.1.0"


def test_a_name_that_is_no_text_can_be_complained_of(tmp_path: Path) -> None:
    name = os.fsdecode(b"no\xfftext.json")
    for encoding in ("utf-8", *ENCODINGS):
        done = run(["verify", name], tmp_path, encoding)
        assert done.returncode == 2
        assert "cannot be checked" in done.stderr.decode(encoding)


def test_no_file_is_opened_in_the_encoding_of_the_place() -> None:
    """Of the service, the client, the examples: `-X warn_default_encoding` makes each such call a warning."""
    found = []
    for folder in ("service", "examples", "migrations"):
        for file in sorted((REPOSITORY / folder).rglob("*.py")):
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                opens = re.search(r"(?<![\w.])open\(|\.(open|fdopen|read_text|write_text)\(|text=True", line)
                other = re.search(
                    r"encoding|\"[rwax]b\+?\"|O_CREAT|_open\(|client\.open|archive\.open|package\.read_text|urlopen|\"/proc|as_text",
                    line,
                )
                if opens and not other:
                    found.append(f"{file.relative_to(REPOSITORY)}:{number}: {line.strip()}")
    assert found == []
