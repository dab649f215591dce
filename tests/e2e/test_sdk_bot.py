"""What may befall a bot on a running service: it comes late, chooses nonsense, is sent to games that are not for it,
and is told to stop while it thinks."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import signal
from collections import deque
from collections.abc import Iterator
from typing import Any

import pytest

from holmgang import AsyncClient, Bot, Client, problems
from tests.e2e.running import Running, serving
from tests.e2e.test_sdk import Quick, script
from tests.soon import soon
from tests.waiting import wait_until

NOBODYS = "00000000-0000-7000-8000-000000000000"
named_or_found = pytest.mark.parametrize("named", soon([True, False], False), ids=["named", "found"])


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with serving() as service:
        yield service


def against_greedy(client: Client, **terms: Any) -> str:
    game = client.create_game("claim", 2, **terms)["id"]
    client.seat_bot(game, "greedy")
    return game


def absent(client: Client, game: str) -> bool:
    return client.game(game)["seats"][0]["absent_since"] is not None


def play(bot: Bot, client: Client, games: list[str], *, named: bool = True) -> None:
    """Until the games are over; a bot that was sent to them ends by itself then."""
    url, token = client.url, client.token
    bot.at_once = 0  # it looks for no others

    async def watch() -> None:
        async with asyncio.timeout(90):
            if named:
                await bot.play(url, token, games=games)
                return
            playing = asyncio.create_task(bot.play(url, token))
            async with AsyncClient(url, token) as watcher:
                for game in games:
                    async for _ in watcher.stream(game):
                        pass
            playing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await playing

    asyncio.run(watch())


@named_or_found
def test_a_bot_that_comes_late_gets_its_absent_seat_back(running: Running, named: bool) -> None:
    with Client.register(running.url, "Late") as client:
        game = against_greedy(client, turn_seconds=5)
        wait_until(lambda: absent(client, game), "the deadline passes", 30)
        bot = Quick()
        play(bot, client, [game], named=named)
        assert client.game(game)["status"] == "over"
        assert not absent(client, game)
        assert bot.asked > 3


class Greedy(Quick):
    """Its class has the name of a built-in bot."""


@pytest.mark.slow
def test_a_bot_whose_class_has_a_name_that_is_not_for_it_gets_one_like_it(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HOLMGANG_TOKEN", raising=False)
    with Client.register(running.url, "Host") as client:
        game = client.create_game("claim", 2, join=False)["id"]
        client.seat_bot(game, "random")
        Greedy().run(running.url, games=[game])
        over = client.game(game)
    assert over["status"] == "over"
    assert re.fullmatch("Greedy [0-9a-f]{4}", over["seats"][1]["name"] or "")


def nested(times: int) -> list[Any]:
    inner: list[Any] = []
    for _ in range(times):
        inner = [inner]
    return inner


class Thoughtful(Quick):
    """Thinks about its first choice until its seat was absent."""

    def __init__(self, client: Client, game: str) -> None:
        super().__init__()
        self.client, self.game = client, game

    def choose(self, view: Any, legal: Any) -> Any:
        if not self.asked:
            assert any(event["payload"]["type"] == "seat_absent" for event in self.client.stream(self.game))
        return super().choose(view, legal)


@named_or_found
def test_a_choice_is_taken_while_the_clock_waits_for_it(
    running: Running, named: bool, caplog: pytest.LogCaptureFixture
) -> None:
    with Client.register(running.url, "Thoughtful") as client:
        game = against_greedy(client, turn_seconds=2)
        bot = Thoughtful(client, game)
        play(bot, client, [game], named=named)
        assert client.game(game)["status"] == "over"
        assert not absent(client, game)
        assert bot.asked > 3
        told = [event["payload"]["type"] for event in client.stream(game)]
    assert "choice_defaulted" not in told
    assert told.count("seat_absent") == told.count("seat_returned") == 1
    assert not [each for each in caplog.records if each.name == "holmgang" and each.levelno > logging.INFO]


def test_a_seat_that_was_given_up_is_not_come_back_to(running: Running) -> None:
    """Nor is it an endless fault: the game ends without it."""
    with Client.register(running.url, "Astrid") as astrid, Client.register(running.url, "Bjorn") as bjorn:
        game = astrid.create_game("eketorp", 3)["id"]
        astrid.seat_bot(game, "greedy")
        bjorn.take_seat(game)
        bjorn.resign(game)
        play(Quick(), astrid, [game])
        bjorn_bot = Quick()
        play(bjorn_bot, bjorn, [game])
        assert bjorn_bot.asked == 0


NONSENSE: tuple[Any, ...] = (
    None,
    "a1",
    ["a1"],
    {"type": "place", "points": {"a1", "b1"}},
    {"type": "place", "points": float("nan")},
    {"type": "x" * 100_000},
    {"type": "x" * 5_000_000},
    {"type": "\ud800"},
    {"type": "\x00"},
    {"type": 2**70},
    {"type": nested(500)},
    {"type": nested(100_000)},
    {"type": "resign"},
)


def test_whatever_is_no_legal_action_is_logged_and_another_played(
    running: Running, caplog: pytest.LogCaptureFixture
) -> None:
    class Wild(Quick):
        def __init__(self) -> None:
            super().__init__()
            self.left = deque(NONSENSE)

        def choose(self, view: Any, legal: Any) -> Any:
            action = super().choose(view, legal)
            try:
                nonsense = self.left.popleft()
            except IndexError:
                return action
            view.clear()
            legal.clear()
            return nonsense

    with Client.register(running.url, "Wild") as client:
        games = [against_greedy(client) for _ in range(4)]
        bot = Wild()
        play(bot, client, games)
        assert not bot.left
        assert {client.game(game)["status"] for game in games} == {"over"}
    told = [record.getMessage() for record in caplog.records if record.name == "holmgang"]
    assert len(told) == len(NONSENSE), told
    assert all("playing any legal action" in each for each in told)


@pytest.mark.slow
def test_games_without_a_seat_for_it_are_told_and_passed_over(
    running: Running, caplog: pytest.LogCaptureFixture
) -> None:
    with Client.register(running.url, "Astrid") as astrid, Client.register(running.url, "Bjorn") as bjorn:
        full, closed = against_greedy(astrid), against_greedy(astrid, spectators=False)
        private = astrid.create_game("claim", 2, visibility="private")["id"]
        none = [NOBODYS, "hello", full, closed, private]
        good = against_greedy(bjorn)
        bot = Quick()
        play(bot, bjorn, [*none, good])
        assert bjorn.game(good)["status"] == "over"
        told = [record.getMessage() for record in caplog.records if "is passed over" in record.getMessage()]
        assert sorted(each.split()[1] for each in told) == sorted(none)
        for game, problem in ((NOBODYS, problems.NotFound), (full, problems.GameFull)):
            with pytest.raises(problem):
                Quick().run(running.url, bjorn.token, games=[game])


ENDLESS = """
import sys, threading
from holmgang import Bot
class Endless(Bot):
    def choose(self, view, legal):
        print("asked", flush=True)
        threading.Event().wait()
Endless().run(sys.argv[1], sys.argv[2], games=[sys.argv[3]])
print("ended", flush=True)
"""


def test_a_bot_stops_when_told_even_if_its_choice_never_ends(running: Running) -> None:
    with Client.register(running.url, "Endless") as client:
        game = against_greedy(client)
        process = script("-c", ENDLESS, running.url, str(client.token), game)
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "asked\n"
            process.send_signal(signal.SIGTERM)
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (process.returncode, out, err) == (0, "ended\n", "")


FINISHER = """
import sys
from holmgang import Bot, any_action

class Finisher(Bot):
    at_once = 0
    look_seconds = 0.2
    finish_seconds = 60.0
    asked = 0

    def choose(self, view, legal):
        self.asked += 1
        if self.asked == 1:
            print("asked", flush=True)
            sys.stdin.readline()
        return any_action(legal)

Finisher().run(sys.argv[1], sys.argv[2])
print("ended")
"""


def test_a_bot_that_is_told_to_stop_plays_its_games_to_the_end_if_it_is_to(running: Running) -> None:
    with Client.register(running.url, "Finisher") as client:
        game = against_greedy(client)
        process = script("-c", FINISHER, running.url, str(client.token))
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "asked\n"
            process.send_signal(signal.SIGTERM)
            out, err = process.communicate("go on\n", timeout=60)
        finally:
            process.kill()
        assert (process.returncode, out, err) == (0, "ended\n", "")
        assert client.game(game)["status"] == "over"
