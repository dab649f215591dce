"""Bots of one's own at a table on a server: each has an account there, and plays while one sits at the table."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import threading
from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING

from holmgang import Bot, Client, problems
from holmgang.bots.guests import class_of, made, told

from .remote import reaching, verdict
from .screen import Screen
from .table import printable
from .tokens import Tokens

if TYPE_CHECKING:
    from holmgang.answers import Game

LEAVE_SECONDS = 2.0
_whose: ContextVar[str] = ContextVar("whose")
"""The bot that the code plays for."""


def player_of(url: str, tokens: Tokens, label: str) -> str:
    """The token of a bot's player, which is kept by the server's address and the bot's class, so that it comes back as
    the same one; of a new player, if there is none. Raises Lost, TokensUnreadable."""
    address = f"{url} {label}"
    token = tokens.find(address)
    if token is None:
        with reaching(Client(url)):
            try:
                token = Client.register(url, label, kind="bot").token
            except (problems.InvalidField, problems.InvalidRequest):  # it looks like another's name
                token = Client.register(url, f"{label} {secrets.token_hex(2)}", kind="bot").token
        assert token is not None
        tokens.keep(address, token)
    return token


class Companions:
    def __init__(self, url: str, tokens: Tokens, notes: Callable[[str], Path], screen: Screen) -> None:
        """`notes` says in which folder the player of a token notes what it gave."""
        self.url = url
        self.tokens = tokens
        self.notes = notes
        self.screen = screen
        self.names: list[str] = []
        self.players: list[tuple[str, Bot, str]] = []
        self.log = _Log(screen)
        self.thread: threading.Thread | None = None

    def sit_down(self, name: str, game: Game) -> None:
        """Give the bot a seat, unless it has one. Raises NoSuchBot, Lost."""
        bot = made(name, class_of(name, game["ruleset"]))
        kind = type(bot).__name__
        number = 1 + sum(type(other).__name__ == kind for _, other, _ in self.players)
        label = kind if number == 1 else f"{kind} {number}"
        token = player_of(self.url, self.tokens, label)
        bot.notes = bot.notes or self.notes(token)
        with Client(self.url, token, notes=bot.notes) as client, reaching(client):
            player = client.me()["player"]["id"]
            if all(seat["player"] != player for seat in game["seats"]):
                client.take_seat(game["id"])
        self.names.append(name)
        self.players.append((label, bot, token))

    def begin(self, game: str) -> None:
        """They play, in a thread of theirs. What goes wrong with them is told on the screen."""
        if not self.players:
            return
        logging.getLogger("holmgang").addHandler(self.log)
        self.loop = asyncio.new_event_loop()
        self.playing = self.loop.create_task(self._play(game))
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        with contextlib.suppress(asyncio.CancelledError), contextlib.closing(self.loop):
            self.loop.run_until_complete(self.playing)

    async def _play(self, game: str) -> None:
        await asyncio.gather(*(self._one(*player, game) for player in self.players))

    async def _one(self, label: str, bot: Bot, token: str, game: str) -> None:
        _whose.set(label)
        try:
            await bot.play(self.url, token, games=[game])
        except Exception as fault:  # others' code; the table stands without it
            self.screen.complain(printable(f"{label} plays no more: {told(fault)}"))

    def verify(self, game: str) -> None:
        """Compare the record of a game that is over with what each has noted of it. Raises Lost if it is belied."""
        self.close()
        for _, bot, token in self.players:
            with Client(self.url, token, notes=bot.notes) as client:
                verdict(client, game)

    def close(self) -> None:
        """They leave off; their seats are theirs until they come back."""
        if self.thread is None:
            return
        with contextlib.suppress(RuntimeError):  # all have come to their end
            self.loop.call_soon_threadsafe(self.playing.cancel)
        self.thread.join(LEAVE_SECONDS)
        self.thread = None
        logging.getLogger("holmgang").removeHandler(self.log)


class _Log(logging.Handler):
    """What bots log of their choices, as sentences on the screen."""

    def __init__(self, screen: Screen) -> None:
        super().__init__(logging.WARNING)
        self.screen = screen

    def emit(self, record: logging.LogRecord) -> None:
        fault = record.exc_info[1] if record.exc_info else None
        more = "" if fault is None else f": {told(fault)}"
        who = _whose.get("")
        self.screen.complain(printable(f"{who}{': ' if who else ''}{record.getMessage()}{more}"))
