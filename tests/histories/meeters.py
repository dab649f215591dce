"""Clients that want to meet, and are killed: they seek, withdraw, challenge, answer and block, and come back.

Each is a task with a connection of its own. Whatever it asks and is told goes into the history, in wall-clock seconds,
which are those of the database on the same machine. A client that is killed hears no answer to what it has asked.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import httpx

from tests.histories.history import GONE, Call, History

WAIT, TIMEOUT = 5, 40.0
LIVES = (3.0, 40.0)
"""For how many seconds a client lives."""
SEEKS_AT_ONCE = 2
TERMS: tuple[dict[str, Any], ...] = (
    {"ruleset": "claim", "turn_seconds": 30, "absence": "forfeit", "clock": "runs"},
    {"ruleset": "claim", "turn_seconds": 60, "absence": "forfeit", "clock": "runs"},
    {"ruleset": "eketorp", "turn_seconds": 30, "absence": "forfeit", "clock": "runs"},
)
SEATS: dict[str, tuple[list[int], ...]] = {
    "claim": ([2], [2], [2], [3], [2, 3], [2, 3, 4]),
    "eketorp": ([3], [3], [3, 4], [4]),
}


@dataclass
class Company:
    """All who are there, and what is known of them."""

    url: str
    pause: float
    """For how many seconds at most a client does nothing between two things that it does."""
    history: History = field(default_factory=History)
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    kinds: dict[str, str] = field(default_factory=dict)
    """By player: a person or a bot."""
    wishes: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What was asked for, by seek."""
    blocks: list[tuple[str, str, float]] = field(default_factory=list)
    kills: int = 0


class Meeter:
    def __init__(self, company: Company, rng: random.Random) -> None:
        self.company, self.rng = company, rng
        self.token = self.player = ""
        self.seeks: list[str] = []

    async def live(self) -> None:
        """One life after another: as the same player, or as a new one."""
        while not self.company.stop.is_set():
            async with httpx.AsyncClient(base_url=self.company.url, timeout=TIMEOUT, verify=False) as self.http:  # noqa: S501 # over http
                life = asyncio.create_task(self._live())
                stop = asyncio.create_task(self.company.stop.wait())
                await asyncio.wait({life, stop}, timeout=self.rng.uniform(*LIVES), return_when=asyncio.FIRST_COMPLETED)
                if life.done():
                    life.result()
                self.company.kills += not self.company.stop.is_set()
                for task in (life, stop):
                    task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await life
            if self.rng.random() < 0.3:
                self.token = ""

    async def _live(self) -> None:
        if not self.token:
            await self._register()
        doings: list[tuple[Callable[[], Awaitable[None]], int]] = [
            (self._seek, 6), (self._look, 6), (self._withdraw, 1), (self._challenge, 2), (self._answer, 3),
            (self._recall, 1), (self._block, 1), (self._leave_games, 3), (self._lobby, 1),
        ]  # fmt: skip
        names, weights = zip(*doings, strict=True)
        while True:
            (do,) = self.rng.choices(names, weights)
            await do()
            await asyncio.sleep(self.rng.uniform(0, self.company.pause))

    async def _register(self) -> None:
        kind = self.rng.choice(("person", "person", "person", "bot"))
        name = f"{kind} {uuid.uuid4().hex[:12]}"
        call, told = await self.ask("register", "POST", "/v1/players", {"name": name, "kind": kind})
        if call.status != 201:
            return
        self.token, self.player, self.seeks = told["token"], told["player"]["id"], []
        self.company.kinds[self.player] = kind

    async def _seek(self) -> None:
        if len(self.seeks) >= SEEKS_AT_ONCE:
            return
        terms = self.rng.choice(TERMS)
        reach = self.rng.choice((None, None, 0, 100))
        body = {
            **terms,
            "seats": self.rng.choice(SEATS[terms["ruleset"]]),
            "wanted": self.rng.choice(("both", "both", "people", "bots")),
            "rating_below": reach,
            "rating_above": reach,
            "expires_in": self.rng.randint(5, 60),
        }
        call, told = await self.ask("seek", "POST", "/v1/seeks", body, key=str(uuid.uuid4()))
        if call.taken:
            self.seeks.append(told["id"])

    async def _look(self) -> None:
        """Wait for a seek. Whoever has found a game gives it up now and then, so that it ends."""
        if not self.seeks:
            return
        seek = self.rng.choice(self.seeks)
        call, told = await self.ask("look", "GET", f"/v1/seeks/{seek}", waits=self.rng.choice((0, WAIT)), ident=seek)
        if call.status == 200 and told["status"] != "waiting":
            self.seeks.remove(seek)
            if told["game"] is not None and self.rng.random() < 0.7:
                await self._resign(told["game"])

    async def _withdraw(self) -> None:
        if self.seeks:
            seek = self.seeks.pop(self.rng.randrange(len(self.seeks)))
            await self.ask("withdraw", "DELETE", f"/v1/seeks/{seek}", ident=seek)

    async def _challenge(self) -> None:
        whom = self.rng.choice(list(self.company.kinds))
        if whom != self.player:
            body = {**self.rng.choice(TERMS[:2]), "players": [whom], "expires_in": self.rng.randint(5, 30)}
            await self.ask("challenge", "POST", "/v1/challenges", body, key=str(uuid.uuid4()))

    async def _answer(self) -> None:
        for one in await self._challenges("incoming"):
            accepts = self.rng.random() < 0.7
            call, told = await self.ask(
                "accept" if accepts else "decline",
                "PUT",
                f"/v1/challenges/{one['id']}/answer",
                {"accepts": accepts},
                ident=one["id"],
            )
            if call.taken and told["game"] is not None:
                await self._resign(told["game"])

    async def _recall(self) -> None:
        for one in await self._challenges("outgoing"):
            await self.ask("recall", "DELETE", f"/v1/challenges/{one['id']}", ident=one["id"])

    async def _challenges(self, direction: str) -> list[Any]:
        path = f"/v1/me/challenges?direction={direction}&status=pending"
        call, told = await self.ask("challenges", "GET", path)
        return list(told["items"]) if call.status == 200 else []

    async def _block(self) -> None:
        whom = self.rng.choice(list(self.company.kinds))
        if whom == self.player or self.rng.random() > 0.1:
            return
        call, _ = await self.ask("block", "PUT", f"/v1/me/blocks/{whom}", {})
        if call.status in (200, 201, 204):
            self.company.blocks.append((self.player, whom, call.ended))

    async def _leave_games(self) -> None:
        call, told = await self.ask("games", "GET", "/v1/me/games?status=active&limit=5")
        if call.status == 200:
            for game in told["items"]:
                await self._resign(game["id"])

    async def _resign(self, game: str) -> None:
        await self.ask("resign", "POST", f"/v1/games/{game}/resignations", {})

    async def _lobby(self) -> None:
        await self.ask("lobby", "GET", "/v1/seeks")

    async def ask(
        self,
        what: str,
        method: str,
        path: str,
        body: Any = None,
        *,
        key: str | None = None,
        waits: int = 0,
        ident: str | None = None,
    ) -> tuple[Call, Any]:
        """The first answer that is one; no answer, and what may be asked again, are asked again. Without the seek or
        challenge of an answer, `ident` says which it was about."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        headers |= {} if key is None else {"Idempotency-Key": key}
        address = path + (f"{'&' if '?' in path else '?'}wait={waits}" if waits else "")
        while True:
            began = time.time()
            answer: httpx.Response | None
            try:
                answer = await self.http.request(method, address, json=body, headers=headers)
            except httpx.TransportError:
                answer = None
            told: Any = None if answer is None or not answer.content else answer.json()
            call = Call(
                who=self.player or "nobody",
                what=what,
                address=address,
                began=began,
                ended=time.time(),
                status=GONE if answer is None else answer.status_code,
                key=key,
                waits=waits,
                sent=body,
                facts=_facts(told, ident),
            )
            self.company.history.add(call)
            if what == "seek" and call.taken:
                self.company.wishes[told["id"]] = {**body, "player": self.player}
            again = answer is None or (answer.status_code >= 400 and told["retryable"])
            if not again or self.company.stop.is_set():
                return call, told
            pause = 0.2 if answer is None else min(float(answer.headers.get("Retry-After", "1")), 2.0)
            await asyncio.sleep(pause)


def _facts(told: Any, ident: str | None) -> dict[str, Any]:
    """What the laws look at."""
    found: dict[str, Any] = {} if ident is None else {"id": ident}
    if isinstance(told, dict):
        found |= {name: told[name] for name in ("id", "status", "game", "code") if told.get(name) is not None}
        found |= {"status": None} if "retryable" in told else {}  # a problem's is a number
    return found
