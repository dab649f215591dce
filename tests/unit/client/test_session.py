"""What a run of a bot keeps of its games, and its hooks."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest

from holmgang import problems
from holmgang.client import _session
from holmgang.client._notes import Notes
from holmgang.client._session import Session


@pytest.mark.parametrize("returns_at_once", [True, False])
def test_a_hook_that_is_waited_for_is_told(
    returns_at_once: bool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(_session, "HOOK_SECONDS", 3600.0 if returns_at_once else 0.0)

    class Player:
        async def game_started(self, game: Any) -> None:
            while not returns_at_once and not caplog.messages:
                await asyncio.sleep(0)

    async def tell() -> None:
        player: Any = Player()
        nothing: Any = None
        session = Session(player, nothing, nothing, frozenset(), None)
        game: Any = {"id": "g"}
        await asyncio.wait_for(session._told(player.game_started, game), 30)

    with caplog.at_level(logging.WARNING, logger="holmgang"):
        asyncio.run(tell())
    told = [] if returns_at_once else ["game g: game_started still runs after 0 s; it is waited for"]
    assert caplog.messages == told


def test_nothing_is_kept_of_a_game_that_is_gone() -> None:
    """Or a bot that plays for weeks would ask for it at each look."""

    class Service:
        notes = Notes()

        async def game(self, ident: str) -> Any:
            raise problems.NotFound(404, {"code": "not_found", "detail": "There is no such game."})

    async def look() -> Session:
        nothing: Any = None
        service: Any = Service()
        session = Session(nothing, nothing, service, frozenset(), None)
        session._started["g"] = asyncio.create_task(asyncio.sleep(0))
        session._moves._came["g"] = "", 0.0
        await session._look_back("g")
        return session

    session = asyncio.run(look())
    assert (session._started, session._moves._came, session._verified) == ({}, {}, set())
