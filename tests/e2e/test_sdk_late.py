"""Bots whose choices come late, with many games at once, and on a service that goes away meanwhile."""

from __future__ import annotations

import asyncio
import logging
import re
import threading
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from holmgang import AsyncClient, Bot, Client, TurnContext, any_action
from tests.e2e.running import Running, serving
from tests.e2e.test_sdk import Quick
from tests.soon import soon
from tests.waiting import wait_until


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with serving() as service:
        yield service


@pytest.fixture
def pair(running: Running) -> Iterator[tuple[Client, Client]]:
    with Client.register(running.url, "Slow") as slow, Client.register(running.url, "Quick") as quick:
        yield slow, quick


def against_each_other(pair: tuple[Client, Client], **terms: Any) -> str:
    slow, quick = pair
    game = slow.create_game("claim", 2, **terms)["id"]
    quick.take_seat(game)
    return game


def play(bots: list[Bot], clients: tuple[Client, ...], games: list[str], seconds: float = 90) -> None:
    async def all_of_them() -> None:
        async with asyncio.timeout(seconds):
            await asyncio.gather(
                *(bot.play(client.url, client.token, games=games) for bot, client in zip(bots, clients, strict=True))
            )

    asyncio.run(all_of_them())


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Warnings and errors of bots, without those of a connection."""
    return [each.getMessage() for each in caplog.records if each.name == "holmgang" and each.levelno >= logging.WARNING]


def played_for(client: Client, game: str, seat: int) -> int:
    return sum(each["payload"] == {"type": "choice_defaulted", "seat": seat} for each in client.stream(game))


class LateOnce(Bot):
    """Sleeps on after the deadline of its first turn."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def choose(self, view: Any, legal: Any, turn: TurnContext) -> Any:
        self.asked.append(turn.number)
        if len(self.asked) == 1:
            assert 0 < turn.seconds_left() <= 2
            wait_until(lambda: not turn.seconds_left(), "the deadline passes", 30)
            threading.Event().wait(0.5)
        return any_action(legal)


class LateOnceInTheLoop(LateOnce):
    async def choose(self, view: Any, legal: Any, turn: TurnContext) -> Any:
        self.asked.append(turn.number)
        if len(self.asked) == 1:
            await asyncio.Event().wait()
        return any_action(legal)


@pytest.mark.parametrize("kind", soon([LateOnce, LateOnceInTheLoop], LateOnce))
def test_a_bot_that_is_late_once_goes_on(
    pair: tuple[Client, Client], kind: type[LateOnce], caplog: pytest.LogCaptureFixture
) -> None:
    game, bot = against_each_other(pair, turn_seconds=2), kind()
    play([bot, Quick()], pair, [game])
    assert pair[0].game(game)["status"] == "over"
    assert len(bot.asked) > 5
    assert bot.asked == sorted(set(bot.asked))
    assert told(caplog) == [f"game {game}, turn {bot.asked[0]}: choose is too late for it"]
    assert 1 <= played_for(pair[0], game, 0) < len(bot.asked) / 2, "it came back"


class Sleeper(Quick):
    """Always needs a second and a half more than there is."""

    def choose(self, view: Any, legal: Any, turn: TurnContext) -> Any:  # type: ignore[override]
        action = super().choose(view, legal)
        threading.Event().wait(turn.seconds_left() + 1.5)
        return action


class Dreamer(Quick):
    """Never wakes up."""

    async def choose(self, view: Any, legal: Any, turn: TurnContext) -> Any:  # type: ignore[override]
        super().choose(view, legal)
        await asyncio.Event().wait()


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Sleeper, Dreamer])
def test_a_bot_that_is_always_late_loses_by_the_clock(
    pair: tuple[Client, Client], kind: type[Quick], caplog: pytest.LogCaptureFixture
) -> None:
    game, bot = against_each_other(pair, turn_seconds=1), kind()
    play([bot, Quick()], pair, [game], 300)
    lost = pair[0].game(game)
    assert lost["result"] is not None
    assert lost["result"]["winners"] == [1]
    lines = told(caplog)
    assert len(lines) == len(set(lines)), "one for a turn"
    assert all(re.fullmatch(f"game {game}, turn [0-9]+: choose is too late for it", line) for line in lines), lines
    assert bot.asked <= len(lines) <= played_for(pair[0], game, 0)


class Told(Quick):
    """Keeps what it is told, and fails at each start."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[tuple[str, str, Any]] = []

    def choose(self, view: Any, legal: Any, turn: TurnContext) -> Any:  # type: ignore[override]
        self.told.append((turn.game, "chooses", (turn.ruleset, turn.seat, turn.deadline)))
        return super().choose(view, legal)

    def game_started(self, game: Any) -> None:
        self.told.append((game["id"], "started", game["status"]))
        game.clear()
        raise ValueError("at its start")

    async def game_ended(self, game: Any) -> None:
        self.told.append((game["id"], "ended", game["result"] is not None))


@pytest.mark.parametrize("named", soon([True, False], False), ids=["named", "found"])
def test_a_bot_is_told_when_its_games_start_and_end(
    running: Running, caplog: pytest.LogCaptureFixture, named: bool
) -> None:
    bot = Told()
    with Client.register(running.url, "Told") as client:
        games = [client.create_game("claim", 2)["id"] for _ in range(2)]
        if named:
            for game in games:
                client.seat_bot(game, "random")
            play([bot], (client,), games)
        else:
            bot.at_once, bot.look_seconds = 0, 0.1

            async def watch() -> None:
                playing = asyncio.create_task(bot.play(client.url, client.token))
                async with asyncio.timeout(90), AsyncClient(client.url, client.token) as watcher:
                    for game in games:
                        await watcher.seat_bot(game, "random")
                    while sum(what == "ended" for _, what, _ in bot.told) < len(games):
                        await asyncio.sleep(0.01)
                playing.cancel()

            asyncio.run(watch())
    for game in games:
        own = [(what, more) for where, what, more in bot.told if where == game]
        assert own[0] == ("started", "active")
        assert own[-1] == ("ended", True)
        assert set(own[1:-1]) == {("chooses", ("claim", 0, None))}
    assert Counter(each.getMessage() for each in caplog.records if each.levelno == logging.ERROR) == Counter(
        f"game {game}: game_started failed" for game in games
    )


class Lively(Bot):
    """Thinks for a moment, in the loop, as fast as others let it."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        self.most_at_once = 0
        self.now: Counter[str] = Counter()

    async def choose(self, view: Any, legal: Any, turn: TurnContext) -> Any:
        self.asked[turn.game] += 1
        self.now[turn.game] += 1
        self.most_at_once = max(self.most_at_once, self.now[turn.game])
        try:
            await asyncio.sleep(0.01)
        finally:
            self.now[turn.game] -= 1
        return any_action(legal)


def asked_for(bot: Lively, moves: int) -> bool:
    return bot.asked.total() > moves


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_fifty_games_at_once_outlive_two_restarts(running: Running, pair: tuple[Client, Client]) -> None:
    games = [against_each_other(pair, turn_seconds=30) for _ in range(50)]
    bots = [Lively(), Lively()]
    thread = threading.Thread(target=play, args=(bots, pair, games, 800), daemon=True)
    thread.start()
    for moves in (300, 900):
        wait_until(partial(asked_for, bots[0], moves), "the games get on", 300)
        running.stop()
        running.start()
    thread.join(800)
    assert not thread.is_alive()
    assert Counter(pair[0].game(game)["status"] for game in games) == {"over": 50}
    assert [bot.most_at_once for bot in bots] == [1, 1]
