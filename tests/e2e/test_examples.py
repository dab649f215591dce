"""The examples of bots, run as their readers would run them, from the start of a game to its end."""

from __future__ import annotations

import ast
import contextlib
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from holmgang import Client, registry
from tests.e2e.between import BUSY, GATEWAY, UNANSWERED, UNHEARD, Between, Nth, between
from tests.e2e.running import Running, serving
from tests.unit.games import of_each_game
from tests.waiting import wait_until

EXAMPLES = Path(__file__).parents[2] / "examples"
PYTHON, SHELL = EXAMPLES / "bot.py", EXAMPLES / "bot.sh"
BY_SHELL = pytest.mark.skipif(
    not all(map(shutil.which, ("bash", "curl", "jq"))), reason="bot.sh needs bash, curl and jq"
)
BOTH = [pytest.param(PYTHON, id="python"), pytest.param(SHELL, id="shell", marks=BY_SHELL)]
SOON = [BOTH[0], pytest.param(SHELL, id="shell", marks=[BY_SHELL, pytest.mark.slow])]
MET = {
    Nth("GET", "turn", 2): BUSY,
    Nth("GET", "turn", 3): UNANSWERED,
    Nth("GET", "turn", 5): UNHEARD,
    Nth("GET", "turn", 6): GATEWAY,
    Nth("POST", "submissions", 1): UNANSWERED,
    Nth("POST", "submissions", 3): BUSY,
    Nth("POST", "submissions", 5): UNHEARD,
}
"""What a bot meets in the tests of faults: each kind of fault, when it asks and when it moves."""


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with serving() as service:
        yield service


@contextlib.contextmanager
def bot(*command: str | Path, token: str | None = None) -> Iterator[subprocess.Popen[str]]:
    """An example at work, with none of this process's settings."""
    environ = {name: value for name, value in os.environ.items() if name != "TOKEN" and "proxy" not in name.lower()}
    if token is not None:
        environ["TOKEN"] = token
    process = subprocess.Popen(
        list(map(str, command)), env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def python_bot(ruleset: str, url: str, token: str | None = None) -> Any:
    return bot(sys.executable, "-I", PYTHON, ruleset, url, token=token)


def shell_bot(game: str, url: str, token: str) -> Any:
    return bot("bash", SHELL, game, url, token=token)


def told(process: subprocess.Popen[str]) -> str:
    """What it has printed when it has ended well. Curl may say that connections were lost."""
    printed, complaints = process.communicate(timeout=120)
    assert process.returncode == 0, (printed, complaints)
    assert all(line.startswith("curl: (52) Empty reply") for line in complaints.splitlines()), complaints
    return printed


def said(process: subprocess.Popen[str], what: str) -> str:
    """The rest of its next line, which begins so."""
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line.startswith(f"{what} "), (line, process.communicate())
    return line.removeprefix(f"{what} ").strip()


def seated(running: Running, ruleset: str, *, bots: bool) -> tuple[str, str]:
    """A new game with its creator on seat 0, the others left free or given to bots; and its creator's token."""
    seats = registry.latest(ruleset).seat_counts[0]
    with Client.register(running.url, "Ragna") as ragna:
        game = ragna.create_game(ruleset, seats)["id"]
        for _ in range(seats - 1 if bots else 0):
            ragna.seat_bot(game, "greedy")
        return game, str(ragna.token)


def holds(running: Running, game: str, folder: Path) -> bool:
    """Whether the game is over, and its record bears being played again."""
    answer = httpx.get(f"{running.url}/v1/games/{game}/record")
    assert answer.status_code == 200, answer.text
    (folder / "record.json").write_bytes(answer.content)
    command = [sys.executable, "-m", "holmgang.cli.main", "verify", str(folder / "record.json")]
    return subprocess.run(command, capture_output=True, timeout=120, check=False).returncode == 0


def play_through(example: Path, running: Running, here: Between) -> str:
    """A game from the example's first request to its last."""
    if example == SHELL:
        game, token = seated(running, "claim", bots=True)
        with shell_bot(game, here.url, token) as process:
            assert told(process) == "The game is over.\n"
        return game
    with python_bot("claim", here.url) as process:
        said(process, "token")
        game = said(process, "game")
        assert told(process).startswith('result {"')
    return game


@BY_SHELL
@of_each_game("ruleset", "claim")
def test_the_bot_in_shell_plays_every_game_to_its_end(running: Running, tmp_path: Path, ruleset: str) -> None:
    game, token = seated(running, ruleset, bots=True)
    with shell_bot(game, f"{running.url}/v1", token) as process:
        assert told(process) == "The game is over.\n"
    assert holds(running, game, tmp_path)


@of_each_game("ruleset", "drakkars")
def test_the_bot_in_python_makes_a_game_and_plays_it_to_its_end(running: Running, tmp_path: Path, ruleset: str) -> None:
    with python_bot(ruleset, f"{running.url}/v1") as process:
        said(process, "token")
        game = said(process, "game")
        assert told(process).startswith('result {"')
    made = httpx.get(f"{running.url}/v1/games/{game}").json()
    assert made["ruleset"] == ruleset
    assert [seat["bot"] for seat in made["seats"]] == [None] + ["greedy"] * (len(made["seats"]) - 1)
    assert holds(running, game, tmp_path)


@pytest.mark.slow
@BY_SHELL
def test_they_meet_in_an_open_game(running: Running, tmp_path: Path) -> None:
    """The one waits for the other to sit down; that one, whose token it is told, does not make a game of its own."""
    game, token = seated(running, "claim", bots=False)
    with Client.register(running.url, "Bjorn") as bjorn:
        other = str(bjorn.token)
        with (
            shell_bot(game, f"{running.url}/v1", token) as first,
            python_bot("claim", f"{running.url}/v1", other) as second,
        ):
            assert said(second, "token") == other
            assert said(second, "game") == game
            assert told(first) == "The game is over.\n"
            told(second)
        assert [each["id"] for each in bjorn.my_games()] == [game]
    assert holds(running, game, tmp_path)


@pytest.mark.parametrize("example", SOON)
def test_they_survive_refusals_and_lost_connections(running: Running, tmp_path: Path, example: Path) -> None:
    more = {Nth("POST", "games", 1): UNANSWERED, Nth("POST", "seats", 1): UNANSWERED} if example == PYTHON else {}
    with between(running.port, MET | more) as here:
        game = play_through(example, running, here)
        assert here.faults == {}, "it has met them all"
        assert here.statuses()[0] == (6 if example == PYTHON else 4)
        assert set(here.statuses()) <= {0, 200, 201, 304, 502, 503}
    player = httpx.get(f"{running.url}/v1/games/{game}").json()["seats"][0]["player"]
    assert len(httpx.get(f"{running.url}/v1/games?player={player}").json()["items"]) == 1, "it was made once"
    assert holds(running, game, tmp_path)


@pytest.mark.parametrize("example", SOON)
def test_they_wait_instead_of_asking_again_and_again(running: Running, example: Path) -> None:
    """What is new is read once, and never one request too many is made."""
    with between(running.port) as here:
        play_through(example, running, here)
    asked = [each for each in here.seen if "/turn" in each.path]
    news = Counter(each.tag for each in asked if each.status == 200)
    assert 429 not in here.statuses()
    assert {each.path.partition("?")[2] for each in asked} == {"wait=50"}
    assert set(news.values()) == {1}, "nothing is read twice"
    assert len(asked) - len(news) <= 3, "others move at once, so that a wait ends with news"


@pytest.mark.slow
def test_the_bot_in_python_goes_on_after_the_service_was_killed(
    open_folder: Path, free_port: int, tmp_path: Path
) -> None:
    service = Running(open_folder, free_port)
    service.start()
    try:
        with python_bot("eketorp", f"{service.url}/v1") as process:
            said(process, "token")
            path = f"{service.url}/v1/games/{said(process, 'game')}"
            wait_until(lambda: httpx.get(path).json()["turn"] >= 3, "the game is under way")
            service.kill(database=True)
            assert process.poll() is None, "it was still playing"
            service.start()
            assert told(process).startswith('result {"')
        assert holds(service, path.rpartition("/")[2], tmp_path)
    finally:
        service.kill(database=True)


def test_the_bot_in_python_goes_on_with_a_game_that_it_left(running: Running, tmp_path: Path) -> None:
    with python_bot("eketorp", f"{running.url}/v1") as process:
        token, game = said(process, "token"), said(process, "game")
    assert httpx.get(f"{running.url}/v1/games/{game}").json()["status"] == "active"
    with python_bot("eketorp", f"{running.url}/v1", token) as process:
        assert (said(process, "token"), said(process, "game")) == (token, game)
        told(process)
    assert holds(running, game, tmp_path)


def test_what_is_refused_is_told(running: Running) -> None:
    with python_bot("chess", f"{running.url}/v1") as process:
        assert process.wait(60) == 1
        assert process.stderr is not None
        assert "chess" in process.stderr.read()


@BY_SHELL
def test_what_is_refused_is_told_by_the_shell_as_well(running: Running) -> None:
    game, _ = seated(running, "claim", bots=True)
    with shell_bot(game, f"{running.url}/v1", "hg_wrong") as process:
        assert process.wait(60) != 0
        assert process.stderr is not None
        assert "token" in process.stderr.read()


def test_they_are_short_and_need_only_what_they_say() -> None:
    text = PYTHON.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 80
    for node in ast.walk(ast.parse(text)):
        names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        assert {each.split(".")[0] for each in names} <= sys.stdlib_module_names
    assert len(SHELL.read_text(encoding="utf-8").splitlines()) <= 20
