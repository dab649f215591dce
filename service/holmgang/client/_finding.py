"""How a bot comes by games: it sits down in open ones, seeks some, or takes part in a tournament."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Mapping
from math import inf
from typing import Any, Literal, Protocol

from holmgang import problems
from holmgang.answers import Game

from ._client import AsyncClient

log = logging.getLogger("holmgang")

REFUSED = (problems.InvalidField, problems.InvalidOption, problems.InvalidRequest, problems.MalformedRequest)
LADDER_SECONDS = 60.0
"""Pause between two looks for a ladder where there is none."""
SEEK_SECONDS = 120
"""How long a seek waits before it is made again: a bot that was killed leaves none behind for longer."""
SEEK_TERMS: Mapping[str, Any] = {"turn_seconds": 60, "rated": True, "expires_in": SEEK_SECONDS}
"""Of seeks, unless the bot's author says otherwise: bots meet that say the same."""


class Finding(Protocol):
    """A way of coming by games; it is asked again and again, and after faults."""

    @property
    def over(self) -> bool:
        """Whether no game comes any more."""
        ...

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

    over = False

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


class Seeking:
    """It seeks games, one seek at a time, while it plays fewer than it plays at once. A seek that another run has left
    is withdrawn."""

    over = False

    def __init__(self, client: AsyncClient, at_once: int, ruleset: str, terms: Mapping[str, Any]) -> None:
        """`terms` are those of `create_seek`; SEEK_TERMS, at tables as small as can be, where they say nothing."""
        self._client = client
        self._at_once = at_once
        self._ruleset = ruleset
        self._terms = {**SEEK_TERMS, **terms}
        self._seek: str | None = None
        self._looked = False

    async def look(self, playing: set[str]) -> None:
        if not self._looked:
            await self._withdraw_all()
            self._looked = True
        if self._seek is not None and await self._waits(self._seek):
            return
        self._seek = None
        if len(playing) < self._at_once:
            if "seats" not in self._terms:
                self._terms["seats"] = min((await self._client.ruleset(self._ruleset))["seat_counts"])
            try:
                self._seek = (await self._client.create_seek(self._ruleset, **self._terms))["id"]
            except REFUSED as refusal:  # it would be so each time
                raise ValueError(f"Games on these terms cannot be sought: {refusal}") from refusal
            log.info("seeking %s", self._ruleset)

    async def _waits(self, seek: str) -> bool:
        try:
            found = await self._client.seek(seek)
        except problems.NotFound:  # it has ended, long ago
            return False
        if found["status"] == "matched":
            log.info("a seek has led to game %s", found["game"])
        return found["status"] == "waiting"

    async def _withdraw_all(self) -> None:
        """Those of a run that was killed are withdrawn: they may be on other terms."""
        async for seek in self._client.my_seeks(status="waiting"):
            with contextlib.suppress(problems.SeekMatched, problems.NotFound):
                await self._client.withdraw_seek(seek["id"])

    async def leave(self) -> None:
        await self._withdraw_all()


class Entering:
    """It is in a tournament, and comes back to it where it was taken for absent."""

    def __init__(self, client: AsyncClient, tournament: str, invitation: str | None = None) -> None:
        self._client = client
        self._tournament = tournament
        self._invitation = invitation
        self._me = ""
        self.over = False
        self.begun = False
        """Whether it goes on, by the last look."""

    def is_in(self, tournament: str) -> bool:
        return self._tournament == tournament

    async def look(self, playing: set[str]) -> None:
        found = await self._client.tournament(self._tournament, invitation=self._invitation)
        self.begun = found["status"] == "active"
        if found["status"] in ("over", "cancelled"):
            if not self.over:
                log.info("tournament %s is %s", self._tournament, found["status"])
            self.over = True
        elif not await self._in():
            with contextlib.suppress(problems.TournamentNotOpen):
                await self._client.enter(self._tournament, invitation=self._invitation)
                log.info("entered tournament %s, %s", self._tournament, found["name"])

    async def _in(self) -> bool:
        if not self._me:
            self._me = (await self._client.me())["player"]["id"]
        try:
            entry = await self._client.entry(self._tournament, self._me, invitation=self._invitation)
        except problems.NotFound:
            return False
        return entry["out"] is None

    async def leave(self) -> None:
        if self._me:
            with contextlib.suppress(problems.NotFound, problems.TournamentNotOpen):
                await self._client.leave_tournament(self._tournament, self._me)


class Laddering:
    """It is on the oldest public ladder of a game that takes it, one that has begun if there is one. Until that is so,
    it seeks games."""

    over = False

    def __init__(self, client: AsyncClient, ruleset: str, seeking: Seeking) -> None:
        self._client = client
        self._ruleset = ruleset
        self._seeking = seeking
        self._ladder: Entering | None = None
        self._looked = -inf

    async def look(self, playing: set[str]) -> None:
        if self._ladder is not None and self._ladder.begun:
            await self._ladder.look(playing)
        elif time.monotonic() - self._looked > LADDER_SECONDS:
            await self._enter(playing)
            self._looked = time.monotonic()
            if self._ladder is not None and self._ladder.begun:
                await self._seeking.leave()
        if self._ladder is None or not self._ladder.begun:
            await self._seeking.look(playing)

    async def _enter(self, playing: set[str]) -> None:
        """Anybody may have made a ladder that is full or never starts: it must not keep a bot from playing."""
        before, self._ladder = self._ladder, None
        statuses: tuple[Literal["active", "open"], ...] = ("active", "open")
        for status in statuses:
            found = [one async for one in self._client.tournaments(kind="ladder", ruleset=self._ruleset, status=status)]
            for one in reversed(found):
                ladder = Entering(self._client, one["id"])
                try:
                    await ladder.look(playing)
                except problems.TournamentFull:
                    continue
                if before is not None and not before.is_in(one["id"]):
                    await before.leave()
                self._ladder = ladder
                return

    async def leave(self) -> None:
        if self._ladder is not None:
            await self._ladder.leave()
        await self._seeking.leave()
