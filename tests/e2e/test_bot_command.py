"""`holmgang bot`: it seeks, plays on a ladder and in an arena, comes back after a restart, and leaves when told to."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from holmgang import Client
from holmgang.cli.main import holmgang
from tests.e2e.running import Running, serving
from tests.waiting import wait_until

HASTY = """
from holmgang import Bot, any_action

class Hasty(Bot):
    def choose(self, view, legal):
        return any_action(legal)
"""


@dataclass
class Player:
    """A bot in a process, whose settings and log are in a folder of its own."""

    folder: Path
    process: subprocess.Popen[bytes]

    def log(self) -> str:
        return (self.folder / "log").read_text(encoding="utf-8")

    def count(self, line: str) -> int:
        return self.log().count(line)

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(90)


@contextmanager
def bot(folder: Path, url: str, *arguments: str) -> Iterator[Player]:
    folder.mkdir(exist_ok=True)
    (folder / "hasty.py").write_text(HASTY)
    environ = {**os.environ, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    environ.pop("HOLMGANG_TOKEN", None)
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "holmgang", "bot", "--url", url, *arguments, "hasty.py"],
            cwd=folder,
            env=environ,
            stderr=log,
        )
    try:
        yield Player(folder, process)
    finally:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with serving() as service:
        yield service


def played(player: Player, games: int) -> None:
    wait_until(lambda: player.count(" is over: rank ") >= games, f"{games} games are over: {player.log()[-2000:]}", 90)


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_bots_seek_each_other_through_a_restart_and_leave_no_seek(running: Running, tmp_path: Path) -> None:
    ladder = ("--ladder", "claim", "--at-once", "1")
    with bot(tmp_path / "one", running.url, *ladder) as one, bot(tmp_path / "two", running.url, *ladder) as two:
        played(one, 1)
        running.stop()
        running.start()
        before = one.count(" is over: rank ")
        played(one, before + 1)
        assert one.stop() == two.stop() == 0
        for player in (one, two):
            assert "Traceback" not in player.log()
            assert player.count("seeking claim") >= 2
        with Client(running.url) as anybody:
            assert list(anybody.seeks(ruleset="claim")) == []


@pytest.mark.timeout(240)
def test_on_a_ladder_bots_meet_until_they_are_told_to_stop(running: Running, tmp_path: Path) -> None:
    with Client.register(running.url, "Host") as host:
        ladder = host.create_tournament("Ladder", "claim", 2, kind="ladder", turn_seconds=30)["id"]
        host.start_tournament(ladder)
        named = ("--ladder", "claim")
        with bot(tmp_path / "one", running.url, *named) as one, bot(tmp_path / "two", running.url, *named) as two:
            played(one, 1)
            played(two, 1)
            assert one.stop() == two.stop() == 0
            assert [entry["out"] for entry in host.entries(ladder)] == ["withdrawn", "withdrawn"]
            assert one.count("seeking") == 0
        standings = host.standings(ladder)
        games = standings["tie_breaks"].index("games")
        assert len(standings["items"]) == 2
        assert all((line["tie_breaks"][games] or 0) >= 1 for line in standings["items"])
        host.cancel_tournament(ladder)


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_a_bot_ends_with_its_arena(running: Running, tmp_path: Path) -> None:
    with Client.register(running.url, "Patron") as host:
        arena = host.create_tournament(
            "Arena", "claim", 2, kind="arena", turn_seconds=30, seconds=60, starts_with=2, bots=["greedy"], fill_to=2
        )["id"]
        named = ("--tournament", arena)
        with bot(tmp_path / "one", running.url, *named) as one, bot(tmp_path / "two", running.url, *named) as two:
            assert one.process.wait(180) == two.process.wait(180) == 0
            assert one.count(" is over: rank ") >= 1
            assert f"tournament {arena} is over" in one.log()
        points = [line["points"] for line in host.standings(arena)["items"]]
        assert sum(points) > 0
        assert points == sorted(points, reverse=True)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--ladder", "chess", "hasty.py"], "There is no game 'chess'."),
        (["--ladder", "claim", "--tournament", "x", "hasty.py"], "Say --ladder or --tournament."),
        (["--seats", "2", "hasty.py"], "--seats goes with --ladder."),
        (["--invitation", "x", "hasty.py"], "--invitation goes with --tournament."),
        (["greedy"], "greedy is no bot of yours"),
        (["none.py"], "There is no file none.py"),
        (["--url", "nowhere", "hasty.py"], "nowhere"),
    ],
)
def test_wrong_arguments_are_told(
    arguments: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "hasty.py").write_text(HASTY)
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(holmgang, ["bot", *arguments])
    assert (result.exit_code, told in result.output) == (2, True), result.output
