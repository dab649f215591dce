"""The package for authors of bots against the service as it runs: the README's bot, faults, signals, and the wheel."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from holmgang import AsyncClient, Bot, Client, any_action, problems
from tests.e2e.running import Running, serving
from tests.waiting import wait_until

from .wheels import alone, beside, built, installed

REPOSITORY = Path(__file__).parents[2]
CLIENT = REPOSITORY / "service"
BOT = re.search(r"```python\n(.*?)```", (REPOSITORY / "README.md").read_text(encoding="utf-8"), re.S)


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with serving(WORKERS="2") as service:
        yield service


def script(*arguments: str, **environ: str) -> subprocess.Popen[str]:
    """Python in a process that has the client and nothing else of the repository."""
    return subprocess.Popen(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": str(CLIENT), **environ},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd="/",
    )


def test_the_bot_of_the_readme_plays_a_game_to_its_end(running: Running) -> None:
    assert BOT is not None
    assert len([line for line in BOT[1].splitlines() if line]) <= 12
    process = script("-c", BOT[1], running.url)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert "'winners'" in out


@pytest.mark.slow
def test_the_bot_of_the_simulations_plays_over_http_as_it_is(running: Running, tmp_path: Path) -> None:
    """The class of docs/pages/how-to/simulate.md, which its own test lets play without a service."""
    text = (REPOSITORY / "docs/pages/how-to/simulate.md").read_text(encoding="utf-8")
    (source,) = re.findall(r"<<'END'\n(.*?)\nEND\n", text, re.S)
    (tmp_path / "hasty.py").write_text(source, encoding="utf-8")
    play = "import sys; from hasty import Hasty; Hasty().run(sys.argv[1], sys.argv[2], games=[sys.argv[3]])"
    for ruleset in ("claim", "eketorp"):
        with Client.register(running.url, "Hasty") as client:
            game = client.create_game(ruleset, 2 if ruleset == "claim" else 3)["id"]
            for _ in range(1 if ruleset == "claim" else 2):
                client.seat_bot(game, "greedy")
            process = script("-c", play, running.url, str(client.token), game, PYTHONPATH=f"{CLIENT}:{tmp_path}")
            _, err = process.communicate(timeout=120)
            assert (process.returncode, err) == (0, "")
            assert client.game(game)["result"] is not None


class Quick(Bot):
    """Chooses anything; counts what it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, view: Any, legal: Any) -> Any:
        self.asked += 1
        return any_action(legal)


def games_of_two(url: str, count: int) -> tuple[list[Client], list[str]]:
    clients = [Client.register(url, f"player {n}") for n in range(2)]
    games = [clients[0].create_game("drakkars", 2)["id"] for _ in range(count)]
    for game in games:
        clients[1].take_seat(game)
    return clients, games


def asked_for(bots: list[Quick], moves: int) -> bool:
    return sum(bot.asked for bot in bots) >= moves


@pytest.mark.slow
def test_bots_outlive_a_killed_server_and_a_killed_database(running: Running) -> None:
    """Several games at once, to their ends, with both killed in their middle."""
    clients, games = games_of_two(running.url, 3)
    bots = [Quick(), Quick()]
    threads = [
        threading.Thread(target=bot.run, args=(running.url, client.token), kwargs={"games": games}, daemon=True)
        for bot, client in zip(bots, clients, strict=True)
    ]
    for thread in threads:
        thread.start()
    for moves, database in ((15, False), (40, True)):
        wait_until(partial(asked_for, bots, moves), "the games get on", 60)
        running.kill(database=database)
        running.start()
    for thread in threads:
        thread.join(180)
        assert not thread.is_alive(), "a bot hangs"
    assert [clients[0].game(game)["status"] for game in games] == ["over"] * 3
    told = list(clients[0].stream(games[0]))
    assert [event["seq"] for event in told] == list(range(1, len(told) + 1))


FINDING = """
import sys
from holmgang import Bot, any_action
class Finder(Bot):
    rulesets = ["claim"]
    look_seconds = 0.2
    async def choose(self, view, legal):
        print("asked", flush=True)
        if len(sys.argv) > 2:
            raise KeyError("a mistake")
        return {"type": "nonsense"}
Finder().run(sys.argv[1])
print("ended", flush=True)
"""


@pytest.mark.parametrize("fault", [[], ["raise"]], ids=["illegal", "raises"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_bot_finds_games_of_its_rulesets_bears_mistakes_and_stops_when_told(
    running: Running, number: signal.Signals, fault: list[str]
) -> None:
    with Client.register(running.url, "Astrid") as astrid:
        other = astrid.create_game("drakkars", 2)["id"]
        game = astrid.create_game("claim", 2)["id"]
        process = script("-c", FINDING, running.url, *fault)
        try:
            wait_until(lambda: astrid.game(game)["status"] == "active", "the bot sits down", 30)
            seen = 0
            while seen < 2:
                turn = astrid.turn(game, wait=5)
                if turn["yours"] and turn["legal"] is not None:
                    astrid.submit(game, turn["turn"], any_action(turn["legal"]))
                    seen += 1
            assert astrid.game(other)["status"] == "open"
            process.send_signal(number)
            out, err = process.communicate(timeout=20)
        finally:
            process.kill()
    assert process.returncode == 0, err
    assert out.endswith("ended\n")
    assert ("choose failed" if fault else "any legal action") in err


def test_a_bot_with_a_bad_token_says_so(running: Running) -> None:
    with pytest.raises(problems.InvalidToken):
        Quick().run(running.url, "wrong")


def test_the_other_calls(running: Running) -> None:
    """Private games, invitations, resignation, records, and the same by the client for asyncio."""
    with Client.register(running.url, "Astrid") as astrid, Client.register(running.url, "Bjorn") as bjorn:
        game = astrid.create_game("claim", 2, visibility="private")["id"]
        with pytest.raises(problems.NotFound):
            bjorn.game(game)
        invitation = astrid.create_invitation(game, expires_in=600)
        assert bjorn.game(game, invitation=invitation["secret"])["status"] == "open"
        assert [each["id"] for each in astrid.invitations(game)] == [invitation["id"]]
        assert bjorn.take_seat(game, invitation=invitation["secret"])["seat"] == 1
        with pytest.raises(problems.GameNotOver):
            astrid.record(game)
        bjorn.resign(game)
        assert astrid.record(game)["result"]["winners"] == [0]
        assert {each["ruleset"] for each in astrid.rulesets()} == {"claim", "drakkars", "eketorp"}
        assert list(astrid.leaderboard("claim")) == []
        assert [each["id"] for each in astrid.my_games(status="over", limit=1)] == [game]

    async def play() -> str:
        async with await AsyncClient.register(running.url, "Cnut") as cnut:
            made = await cnut.create_game("claim", 2)
            await cnut.seat_bot(made["id"])
            assert [each["id"] async for each in cnut.my_games(status="active")] == [made["id"]]
            await cnut.resign(made["id"])
            told = [event["seq"] async for event in cnut.stream(made["id"])]
            assert told == list(range(1, len(told) + 1))
            return (await cnut.game(made["id"]))["status"]

    assert asyncio.run(play()) == "over"


def test_the_wheel_alone_plays_and_has_no_service(tmp_path: Path, running: Running) -> None:
    """What `pip install holmgang` gives, in an environment that has only httpx besides, and beside any folders."""
    programs, packages = installed(built(tmp_path), tmp_path / "venv")
    assert (packages / "holmgang/py.typed").exists()
    brought = {name for name in os.listdir(packages) if name.startswith(("holmgang", "service", "migrations", "tests"))}
    assert brought == {"holmgang", f"holmgang-{version('holmgang')}.dist-info"}
    work = beside(tmp_path / "mine")
    assert BOT is not None
    (work / "bot.py").write_text(BOT[1], encoding="utf-8")
    played = alone([programs / "python", "bot.py", running.url], work)
    assert "'winners'" in played.stdout, played.stderr
    for argument in ("--version", "--help", "-h"):
        told = alone([programs / "holmgang", argument], work)
        assert (told.returncode, told.stderr, told.stdout.count("\n")) == (0, "", 1)
        assert version("holmgang") in told.stdout
        assert "pip install 'holmgang[play]'" in told.stdout
    for arguments in ([], ["serve"], ["play", "--help"]):
        refused = alone([programs / "holmgang", *arguments], work)
        assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (1, "", 1)
        assert "'holmgang[server]'" in refused.stderr


@pytest.mark.slow
def test_a_client_outlives_a_restart_of_postgres(running: Running) -> None:
    clients, (game,) = games_of_two(running.url, 1)
    waits = threading.Thread(target=clients[0].waiting_turns, kwargs={"wait": 5}, daemon=True)
    waits.start()
    postmaster = running.postmaster()
    assert postmaster is not None
    postmaster.kill()
    postmaster.wait(10)
    wait_until(lambda: clients[1].game(game)["status"] == "active", "the database is back", 60)
    waits.join(60)
    assert not waits.is_alive()
    mover = next(client for client in clients if client.turn(game)["yours"])
    turn = mover.turn(game)
    assert turn["legal"] is not None
    action = any_action(turn["legal"])
    assert mover.check(game, turn["turn"], action)["dry_run"] is True
    receipt = mover.submit(game, turn["turn"], action)
    assert mover.submit(game, turn["turn"], action)["id"] == receipt["id"]
    with pytest.raises(problems.StaleTurn) as stale:
        mover.submit(game, 0, action)
    assert stale.value.current_turn is not None
