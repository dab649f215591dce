"""Tournaments at a service as its users run it: by the clients, with the worker killed, and at the terminal."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from holmgang import AsyncClient, Bot, Client, TurnContext, any_action
from holmgang.app.fairness.claims import read_record
from holmgang.app.fairness.verify import verify
from holmgang.cli.standing_report import Found, differences
from holmgang.tournaments.meetings import points
from tests.e2e.running import Running, serving
from tests.e2e.test_faults import kill_one

if TYPE_CHECKING:
    from holmgang import answers

UNLIMITED: dict[str, Any] = {
    name: str(10**9) for name in ("RATE_LIMIT", "RATE_LIMIT_POLLS", "RATE_LIMIT_MOVES", "RATE_LIMIT_REGISTRATIONS")
}


class Hasty(Bot):
    """Plays what it is asked to, and looks for nothing more. On the second seat it gives up at its third choice, so
    that a game takes seconds."""

    at_once = 0

    def __init__(self, client: AsyncClient) -> None:
        self.client = client
        self.asked: Counter[str] = Counter()

    async def choose(self, view: Any, legal: Any, turn: TurnContext) -> Any:
        self.asked[turn.game] += 1
        if turn.seat == 1 and self.asked[turn.game] == 3:
            await self.client.resign(turn.game)
        return any_action(legal)


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with serving(WORKERS="2", **UNLIMITED) as service:
        yield service


async def played(service: Running, people: int, rounds: int, kills: tuple[int, ...]) -> str:
    """A Swiss tournament of Claim, each player a client of its own. The worker is killed when so many tables have been
    counted."""
    url = service.url
    clients = [await AsyncClient.register(url, f"player {n}") for n in range(people)]
    maker = clients[0]
    cup = await maker.create_tournament(
        "The cup", "claim", 2, turn_seconds=300, absence="forfeit", rated=True, rounds=rounds, starts_with=people
    )
    for client in clients:
        await client.enter(cup["id"])
    bots = [asyncio.create_task(Hasty(client).play(url, client.token)) for client in clients]
    counted = 0
    async for event in maker.tournament_events(cup["id"], follow=True):
        if event["type"] == "counted":
            counted += 1
            if counted in kills:
                await asyncio.to_thread(kill_one, service, "worker")
    for bot in bots:
        assert not bot.done(), bot.exception()
        bot.cancel()
    await asyncio.gather(*bots, return_exceptions=True)
    for client in clients:
        await client.close()
    return cup["id"]


def check(url: str, cup: str, rounds: int) -> int:
    """All is as it had to be; how many games it took."""
    with Client(url) as anybody:
        found = Found.read(anybody, cup, None)
        assert list(differences(found)) == []
        assert (found.tournament["status"], found.tournament["round"]) == ("over", rounds)
        games = {game["id"]: game for game in anybody.games(limit=200) if game["tournament"] == cup}
        had: Counter[str] = Counter()
        for each in found.rounds:
            assert sorted(entry for table in each["tables"] for entry in table["players"]) == sorted(found.entries)
            for table in each["tables"]:
                (game,) = table["games"]
                had.update(points_of(games.pop(str(game["game"])), game["players"]))
                record = anybody.record(str(game["game"]))
                assert verify(read_record(msgspec.json.encode(record))).difference is None
        assert not games
        assert {line["entry"]: line["points"] for line in found.standings["items"]} == {
            e: had[e] for e in found.entries
        }
    pairs = Counter(frozenset(table["players"]) for each in found.rounds for table in each["tables"])
    assert set(pairs.values()) == {1}
    return len(pairs)


def points_of(game: answers.Game, players: list[str]) -> dict[str, float]:
    """By entry, from the game's own result."""
    assert game["result"] is not None
    ranks = {seat: n for n, group in enumerate(game["result"]["ranking"], start=1) for seat in group}
    return dict(zip(players, points([ranks[seat] for seat in range(len(players))]), strict=True))


def standings(service: Running, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "holmgang", "standings", "--url", service.url, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, "HOME": str(service.folder), "XDG_CONFIG_HOME": str(service.folder), **environ},
    )


async def watched(url: str, **terms: Any) -> str:
    """A Swiss tournament of built-in bots, followed to its end."""
    async with await AsyncClient.register(url, "Host") as maker:
        cup = await maker.create_tournament("The cup", "claim", 2, turn_seconds=300, **terms)
        assert (await maker.start_tournament(cup["id"]))["status"] == "active"
        kinds = [event["type"] async for event in maker.tournament_events(cup["id"], follow=True)]
        assert kinds == [event["type"] async for event in maker.tournament_events(cup["id"], limit=3)]
        assert (kinds[0], kinds[-1]) == ("created", "over")
    return cup["id"]


def test_bots_play_one_to_its_end_and_it_is_checked_at_the_terminal(running: Running) -> None:
    cup = asyncio.run(watched(running.url, rounds=2, bots=["random", "greedy"], fill_to=8))
    assert check(running.url, cup, 2) == 8
    told = standings(running, cup, "--rounds", "--verify")
    assert (told.returncode, told.stderr) == (0, "")
    title, *lines = told.stdout.splitlines()
    assert title == "The cup: swiss of 8 players, claim with 2, over"
    assert lines[0] == "Round 1"
    assert lines[-1] == "The seed is the one that was committed to, and 2 rounds with all points are as they had to be."
    assert told.stdout.count("greedy (built in)") == 4 * 4  # of four in two rounds, the standings and the crosstable


@pytest.mark.slow
def test_the_terminal_shows_a_private_one_to_those_in_it_alone(running: Running) -> None:
    with Client.register(running.url, "Host") as maker:
        cup = maker.create_tournament("Among us", "claim", 2, turn_seconds=60, visibility="private")["id"]
        secret = maker.invite_to_tournament(cup)["secret"]
        told = standings(running, cup)
        assert told.returncode == 1
        assert f"There is no tournament '{cup}'." in told.stderr
        for shown in (
            standings(running, cup, "--invitation", secret, "--verify"),
            standings(running, cup, HOLMGANG_TOKEN=str(maker.token)),
        ):
            assert shown.stdout.startswith("Among us: swiss of 0 players, claim with 2, open\n"), shown.stderr
        assert standings(running, "nothing").returncode == 1


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_sixty_four_clients_play_seven_rounds_though_the_worker_is_killed_twice(running: Running) -> None:
    began = time.monotonic()
    cup = asyncio.run(played(running, 64, 7, (48, 176)))
    took = time.monotonic() - began
    assert check(running.url, cup, 7) == 224
    print(f"{took:.0f} s")
