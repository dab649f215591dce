"""Bots that play whole games over HTTP as those of the SDK do, for less of the processor: each waits for its turn by
`?wait=`, takes one of the legal actions at random, and submits it. They run in one event loop.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from uuid import uuid4

import msgspec

from bench.load import request

WAIT = 30
PATIENCE_SECONDS = 60.0
"""How long an answer may take beyond the wait before that is a fault."""
DONE = ("over", "archived")


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return msgspec.json.decode(self.body)


class Unexpected(Exception):
    """An answer that no client should get."""


@dataclass
class Notes:
    """What happened: moves, games played to their end, what went wrong, and how long each kind of request took."""

    moves: int = 0
    polls: int = 0
    games: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    times: dict[str, list[tuple[float, float]]] = field(default_factory=dict)
    """By kind of request: when it was answered, by the clock of `time.monotonic`, and after how many seconds."""

    connections: set[Connection] = field(default_factory=set)
    """Those that are open."""

    def fault(self, what: str) -> None:
        self.faults[what] += 1

    def hang_up(self) -> None:
        """Close all connections."""
        for connection in list(self.connections):
            connection.close()


class Connection:
    """One kept connection to the service at 127.0.0.1, with or without a token."""

    def __init__(self, port: int, notes: Notes, token: str | None = None) -> None:
        self.port, self.notes, self.token = port, notes, token
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        wanted: Collection[int] = (200,),
        tag: str | None = None,
        kind: str | None = None,
    ) -> Answer:
        """The answer, noted as `kind`; Unexpected, with a note of it, if its status is none of those `wanted`."""
        headers = {} if self.token is None else {"Authorization": f"Bearer {self.token}"}
        if tag is not None:
            headers["If_None_Match"] = tag
        if method == "POST" and self.token is not None:
            headers["Idempotency_Key"] = str(uuid4())
        asked = time.monotonic()
        try:
            async with asyncio.timeout(PATIENCE_SECONDS + WAIT):
                reader, writer = await self.open()
                writer.write(request(method, path, body=b"" if body is None else json.dumps(body).encode(), **headers))
                answer = await _answer(reader)
        except (OSError, asyncio.IncompleteReadError, TimeoutError) as fault:
            self.close()
            self.notes.fault(f"{method} {_kind_of(path)}: {type(fault).__name__}")
            raise Unexpected(path) from fault
        now = time.monotonic()
        if answer.status not in wanted:
            self.notes.fault(f"{method} {_kind_of(path)}: {answer.status} {answer.body[:300].decode(errors='replace')}")
            raise Unexpected(path)
        if kind is not None:
            self.notes.times.setdefault(kind, []).append((now, now - asked))
        return answer

    async def open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self.port)
            self.notes.connections.add(self)
        return self._streams

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None
            self.notes.connections.discard(self)


async def _answer(reader: asyncio.StreamReader) -> Answer:
    first, *lines = (await reader.readuntil(b"\r\n\r\n"))[:-4].decode().split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    status = int(first.split()[1])
    length = 0 if status in (204, 304) else int(headers["content-length"])
    return Answer(status, headers, await reader.readexactly(length))


def _kind_of(path: str) -> str:
    """A path without its query and without ids."""
    parts = path.partition("?")[0].split("/")
    return "/".join("*" if len(part) == 36 else part for part in parts)


class Player:
    """A player of the service, with the connection that it plays by."""

    def __init__(self, connection: Connection, rng: random.Random) -> None:
        self.connection, self.rng = connection, rng

    @classmethod
    async def register(cls, port: int, notes: Notes, name: str, rng: random.Random) -> Player:
        connection = Connection(port, notes)
        made = await connection.ask("POST", "/v1/players", {"name": name}, wanted=(201,))
        connection.token = made.json()["token"]
        return cls(connection, rng)

    async def play(self, game: str, pace: Callable[[], Awaitable[None]] | None = None) -> None:
        """Move whenever it is asked, until the game is over; before each move it waits for `pace`."""
        ask, notes, tag = self.connection.ask, self.connection.notes, '""'
        while True:
            answer = await ask("GET", f"/v1/games/{game}/turn?wait={WAIT}", tag=tag, wanted=(200, 304))
            notes.polls += 1
            if answer.status == 304:
                continue
            tag, turn = answer.headers["etag"], answer.json()
            if turn["status"] in DONE:
                return
            if not turn["yours"]:
                continue
            if pace is not None:
                await pace()
            legal = turn["legal"]
            action = self.rng.choice(legal["actions"]) if "actions" in legal else legal["sample"]
            move = {"turn": turn["turn"], "action": action}
            await ask("POST", f"/v1/games/{game}/submissions", move, wanted=(201,), kind="move")
            notes.moves += 1


async def new_game(players: Sequence[Player], ruleset: str, bot: str | None = None) -> str:
    """The id of a game that these have sat down at, and a built-in bot if one is named; it has started."""
    first, *others = players
    seats = len(players) + (bot is not None)
    ask = first.connection.ask
    made = await ask("POST", "/v1/games", {"ruleset": ruleset, "seats": seats}, wanted=(201,), kind="new game")
    game: str = made.json()["id"]
    if bot is not None:
        await ask("POST", f"/v1/games/{game}/seats", {"bot": bot}, wanted=(201,))
    for other in others:
        await other.connection.ask("POST", f"/v1/games/{game}/seats", {}, wanted=(201,))
    return game


async def play_together(
    players: Sequence[Player],
    ruleset: str,
    bot: str | None = None,
    pace: Callable[[], Awaitable[None]] | None = None,
    made: Callable[[str], None] | None = None,
) -> str:
    """A whole game of these players, from its making, of which `made` hears, to its end; its id."""
    game = await new_game(players, ruleset, bot)
    if made is not None:
        made(game)
    async with asyncio.TaskGroup() as together:
        for player in players:
            together.create_task(player.play(game, pace))
    players[0].connection.notes.games[ruleset] += 1
    return game
