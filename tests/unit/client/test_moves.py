"""Moves against a service that asks one thing: what is done when a turn passes while `choose` runs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, cast

import pytest

from holmgang.client._moves import MOST_MISSED, ChooseHangs, Moves
from holmgang.client._thinking import Thinking

NOW = datetime(2026, 7, 1, 12, tzinfo=UTC)


class Service:
    """Asks seat 0 of each game for its turn, which lasts until it is told otherwise."""

    def __init__(self, seconds: float | None = None) -> None:
        self.number = 1
        self.seconds = seconds
        self.asked = 0
        self.returned: list[str] = []
        self.submitted: list[tuple[str, int, Any]] = []

    def waiting(self, game: str = "game") -> dict[str, Any]:
        return {game: {"game": game, "ruleset": "claim", "turn": self.number, "deadline": None}}

    async def turn(self, game: str, *, include: str) -> dict[str, Any]:
        assert include == "view"
        self.asked += 1
        at = NOW + timedelta(hours=self.asked)
        deadline = None if self.seconds is None else (at + timedelta(seconds=self.seconds)).isoformat()
        return {
            "game": game,
            "turn": self.number,
            "kind": "main",
            "seat": 0,
            "yours": True,
            "legal": {"count": 1, "actions": [{"type": "any"}]},
            "deadline": deadline,
            "server_time": at.isoformat(),
        }

    async def game(self, game: str) -> dict[str, Any]:
        return {"id": game, "status": "active", "seats": [{"seat": 0, "resigned_at": None}]}

    async def return_to_seat(self, game: str, seat: int) -> None:
        assert seat == 0
        self.returned.append(game)

    async def submit(self, game: str, turn: int, action: Any) -> None:
        self.submitted.append((game, turn, action))


class Author:
    """Chooses when it is let; to be cancelled or not, as it likes."""

    def __init__(self, *, stubborn: bool = False) -> None:
        self.stubborn = stubborn
        self.asked: list[int] = []
        self.begun = False
        self.go_on = asyncio.Event()

    def thinks(self) -> bool:
        """Whether it has begun to since this was asked."""
        begun, self.begun = self.begun, False
        return begun

    async def choose(self, _view: Any, _legal: Any, turn: Any) -> Any:
        self.asked.append(turn.number)
        self.begun = True
        while not self.go_on.is_set():
            try:
                await self.go_on.wait()
            except asyncio.CancelledError:
                if not self.stubborn:
                    raise
        return {"type": "chosen"}


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(30):
        while not condition():
            await asyncio.sleep(0.001)


async def ready(_game: str) -> None: ...


def never(fault: Exception) -> None:
    pytest.fail(f"it stops: {fault}")


def moves_of(service: Service, author: Author, stop: Callable[[Exception], None]) -> Moves:
    return Moves(cast("Any", service), Thinking(author.choose), ready, stop)


def run(play: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(play())


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [each.getMessage() for each in caplog.records if each.name == "holmgang"]


@pytest.mark.parametrize("gone", [True, False], ids=["none waits", "another waits"])
def test_what_waits_tells_that_a_turn_has_passed(caplog: pytest.LogCaptureFixture, gone: bool) -> None:
    async def play() -> None:
        service, author = Service(), Author()
        moves = moves_of(service, author, never)
        moves.news(service.waiting())
        await until(lambda: author.asked == [1])
        moves.news(service.waiting())
        assert moves.busy("game")
        service.number = 3
        assert moves.news({} if gone else service.waiting()) == ({"game"} if gone else set())
        await until(lambda: service.returned == ["game"])
        if gone:
            await until(lambda: not moves.busy("game"))
            moves.news(service.waiting())
        await until(lambda: author.asked == [1, 3])
        author.go_on.set()
        await until(lambda: service.submitted == [("game", 3, {"type": "chosen"})])
        await moves.finish()
        assert told(caplog) == ["game game, turn 1: choose is too late for it"]

    run(play)


def test_a_turn_that_goes_on_after_its_deadline_is_waited_for(caplog: pytest.LogCaptureFixture) -> None:
    """And its seat is left once a call has missed too many deadlines, which is told once."""

    async def play() -> None:
        service, author = Service(0.01), Author()
        moves = moves_of(service, author, never)
        moves.news(service.waiting())
        await until(lambda: service.asked > MOST_MISSED + 3)
        assert service.returned == ["game"] * (MOST_MISSED - 1)
        author.go_on.set()
        await until(lambda: service.submitted == [("game", 1, {"type": "chosen"})])
        await moves.finish()
        assert author.asked == [1]
        assert told(caplog) == [f"game game: one call of choose has missed {MOST_MISSED} deadlines; its seat is left"]

    run(play)


def test_calls_that_do_not_end_end_the_bot_when_they_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holmgang.client._moves.MOST_LEFT_BEHIND", 2)

    async def play() -> None:
        faults: list[Exception] = []
        service, author = Service(), Author(stubborn=True)
        moves = moves_of(service, author, faults.append)
        for game in "abc":
            assert faults == []
            moves.news(service.waiting(game))
            await until(author.thinks)
            moves.news({})
            await until(partial(service.returned.__contains__, game))
        await until(lambda: faults)
        assert isinstance(faults[0], ChooseHangs)
        author.go_on.set()
        await moves.finish()

    run(play)
