"""A model that plays by the tools alone, through the protocol's SDK, and measures what it reads."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from holmgang.mcp.words import CUT, LIMIT

LISTED = re.compile(r"^(\d+)\. ", re.M)
MINE = re.compile(r"\bTurn (\d+) \([a-z ]+\) is yours")
OVER = "The game is over"


class Model:
    """What it reads is checked against the limit of one answer; `sizes` has the characters of each, by tool."""

    def __init__(self, client: Client, rng: Random) -> None:
        self.client = client
        self.rng = rng
        self.sizes: dict[str, list[int]] = defaultdict(list)

    async def call(self, tool: str, **arguments: Any) -> str:
        text, refused = await self._called(tool, arguments)
        assert not refused, (tool, arguments, text)
        assert CUT not in text, tool
        return text

    async def refused(self, tool: str, **arguments: Any) -> str:
        text, refused = await self._called(tool, arguments)
        assert refused, (tool, arguments, text)
        return text

    async def _called(self, tool: str, arguments: dict[str, Any]) -> tuple[str, bool]:
        found = await self.client.call_tool(tool, arguments)
        assert found.structured_content is None, "the text would be read twice"
        (part,) = found.content
        assert part.type == "text"
        assert 0 < len(part.text) <= LIMIT
        self.sizes[tool].append(len(part.text))
        return part.text, bool(found.is_error)

    async def new_game(self, ruleset: str, **terms: Any) -> str:
        told = await self.call("new_game", ruleset=ruleset, **terms)
        return told.split(maxsplit=2)[1]

    async def choose(self, game: str, turn: int) -> str:
        """Make any choice of those that are listed first; what the table says then."""
        numbers = LISTED.findall(await self.call("legal", game=game))
        return await self.call("move", game=game, turn=turn, action=int(self.rng.choice(numbers)))

    async def play(self, game: str) -> str:
        """To the end of the game; what is said of it."""
        seen = moves = 0
        said = await self.call("wait", game=game)
        while OVER not in said:
            if mine := MINE.search(said):
                said = await self.choose(game, int(mine[1]))
                moves += 1
                if moves % 10 == 1:
                    await self.call("look", game=game)
                    news = await self.call("news", game=game, after=seen)
                    seen = int(news.rpartition("after=")[2].rstrip("."))
            else:
                said = await self.call("wait", game=game)
        return said + await self.call("look", game=game)


@asynccontextmanager
async def over_http(url: str, token: str, rng: Random) -> AsyncIterator[Model]:
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        yield Model(client, rng)
