"""How a bot comes by games: it sits down in open ones."""

from __future__ import annotations

import contextlib
import logging
from typing import Protocol

from holmgang import problems
from holmgang.answers import Game

from ._client import AsyncClient

log = logging.getLogger("holmgang")


class Finding(Protocol):
    """A way of coming by games; it is asked again and again, and after faults."""

    async def look(self, playing: set[str]) -> None:
        """See to it that games come, beside those of these ids, that are open or active."""
        ...

    async def leave(self) -> None:
        """See to it that none comes any more."""
        ...


class Chooser(Protocol):
    @property
    def at_once(self) -> int: ...
    def wants(self, game: Game) -> bool: ...


class OpenGames:
    """It sits down in those that it wants, while it plays fewer than it plays at once."""

    def __init__(self, bot: Chooser, client: AsyncClient) -> None:
        self._bot = bot
        self._client = client

    async def look(self, playing: set[str]) -> None:
        if len(playing) >= self._bot.at_once:
            return
        async for game in self._client.games(status="open", open_seats=True):
            if game["id"] in playing or not self._bot.wants(game):
                continue
            with contextlib.suppress(problems.GameFull, problems.GameNotOpen, problems.AlreadySeated):
                await self._client.take_seat(game["id"])
                playing.add(game["id"])
                log.info("sat down in %s", game["id"])
            if len(playing) >= self._bot.at_once:
                break

    async def leave(self) -> None:
        """What it sat down in goes on without it."""
