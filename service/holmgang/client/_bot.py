"""A bot: you write how it chooses, and it finds games, waits, moves, and goes on after faults."""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import Awaitable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from holmgang import problems
from holmgang.answers import JSON, Game, Legal

from ._client import AsyncClient
from ._finding import Entering, Finding, Laddering, OpenGames, Seeking
from ._session import Session
from ._several import Several, several
from ._thinking import Thinking
from ._turn import TurnContext

_NO_CHOICE = "A bot needs a method choose(view, legal), or choose(view, legal, turn)."


class Bot:
    """Subclass it, write `choose`, and call `run`.

    It plays every game in which its player has a seat, all at once. Without a list of games it also sits down in open
    ones that it `wants`, until it plays `at_once`. An attribute of the same name in a subclass sets what is below.
    """

    rulesets: Several[str] | None = None
    """The games it knows; None for all. It sits down in no others, and moves in no others."""
    at_once = 8
    """How many games it plays at most before it stops looking for more."""
    look_seconds = 10.0
    """Pause between two looks for open games."""
    finish_seconds = 0.0
    """For how long a bot that finds its own games plays on those that it has, when it is told to stop."""
    notes: str | os.PathLike[str] | None = None
    """A folder, for this player alone, of what it gave to each game, so that a bot that is started again can compare
    records with it too. None to know of the games that it has sat down in since it was started."""
    seek_terms: Mapping[str, Any] = MappingProxyType({})
    """What its seeks say, as `create_seek` takes it: `seats`, `turn_seconds`, `rated`, `wanted` and so on. As few seats
    as the game allows, 60 seconds and rated where it says nothing. Only who says the same is met."""
    client_settings: Mapping[str, Any] = MappingProxyType({})
    """What its `AsyncClient` is made with besides: `timeout`, `patience`, `user_agent`, or `http` with `play`."""

    if TYPE_CHECKING:

        def choose(self, *given: Any, **named: Any) -> Any:
            """To type checkers, whichever of the two signatures below a bot has, with types of its own."""

    else:

        def choose(self, view: JSON, legal: Legal, turn: TurnContext) -> JSON | Awaitable[JSON]:
            """The action, as JSON. May be a coroutine; if it is not, it runs in a thread, so that other games go on.

            `view` is JSON, and `legal` a `holmgang.answers.Legal`. A bot of one of the house's games may say which:
            `view: claim.View, legal: Legal[claim.Action]`, of `holmgang.answers.claim`. `turn` says which turn it is
            and how long it lasts; `choose(view, legal)` does without. A third parameter with a default gets the turn
            only if it is named `turn`.

            If it fails again and again, or what it chooses is illegal or no action at all, that is logged and any legal
            action is played. When the turn is over before it has chosen, it is given up: a coroutine is cancelled, what
            a thread returns is dropped. For each game one call runs at a time.
            """
            raise NotImplementedError(_NO_CHOICE)

    def game_started(self, game: Game) -> Awaitable[None] | None:
        """Called once in each run, before the first choice, for a game that is under way. May be a coroutine, and runs
        in a thread otherwise; the game waits for it, others do not. If it fails, that is logged.
        """

    def game_ended(self, game: Game) -> Awaitable[None] | None:
        """Called once, after `game_started`, for a game that is over (its `result` is set) or archived. As that, it may
        be a coroutine, and may fail. A bot that finds its own games notices their end every `look_seconds`.
        """

    def wants(self, game: Game) -> bool:
        """Whether to sit down in that open game."""
        return self.rulesets is None or game["ruleset"] in self.rulesets

    def run(
        self,
        url: str,
        token: str | None = None,
        *,
        games: Several[str] | None = None,
        ladder: str | None = None,
        tournament: str | None = None,
        invitation: str | None = None,
    ) -> None:
        """Play until SIGTERM or Ctrl-C. It sits down in open games, unless one of these is given:

        - `ladder`, a game's name: it is on the oldest public ladder of the game, and where there is none, seeks games.
        - `tournament`, an id: it takes part, with `invitation` if that is private, until the tournament is over. On a
          ladder and in a tournament it comes back where it was taken for absent, and leaves when it is told to stop.
        - `games`: it sits down in those and moves in no others, until all are over.

        A ladder's game or a tournament that is not there raises NotFound; terms on which no game can be sought are a
        ValueError. Of `games`, one in which there is no seat for it is logged and passed over; if it is so with all,
        the Problem of one is raised. Without a token (or the variable HOLMGANG_TOKEN) a player with the class's name
        is registered, with four digits and letters behind it where that is a built-in bot's or looks like another's.
        A token that is no good raises its Problem, and Unreachable tells that there is no service at the address; other
        faults are waited out.

        The record of a game that is over is compared with what the bot gave and chose (`Client.verify`). If it is
        belied, that is logged at once, and raised as Belied when the bot ends.
        """
        if _in_a_loop():
            raise RuntimeError("An event loop runs here, as in a notebook: await `play` instead of calling `run`.")
        asyncio.run(self.play(url, token, games=games, ladder=ladder, tournament=tournament, invitation=invitation))

    async def play(
        self,
        url: str,
        token: str | None = None,
        *,
        games: Several[str] | None = None,
        ladder: str | None = None,
        tournament: str | None = None,
        invitation: str | None = None,
    ) -> None:
        """What `run` does, inside an event loop of yours; cancel it to stop at once."""
        if getattr(self.choose, "__func__", None) is Bot.choose:
            raise NotImplementedError(_NO_CHOICE)
        if sum(each is not None for each in (games, ladder, tournament)) > 1:
            raise TypeError("Say `games`, `ladder` or `tournament`, and not several of them.")
        thinking = Thinking(self.choose)
        given = None if games is None else frozenset(several("games", games))
        rulesets = None if self.rulesets is None else frozenset(several("rulesets", self.rulesets))
        if token is None:
            token = os.environ.get("HOLMGANG_TOKEN") or None
        settings = {"notes": self.notes, **self.client_settings}
        opened = await self._registered(url, settings) if token is None else AsyncClient(url, token, **settings)
        async with opened as client:
            if tournament is not None:
                await client.tournament(tournament, invitation=invitation)
            if ladder is not None:
                await client.ruleset(ladder)
            games_of = self._finding(client, ladder, tournament, invitation) if given is None else given
            await Session(self, thinking, client, games_of, rulesets).play()

    def _finding(
        self, client: AsyncClient, ladder: str | None, tournament: str | None, invitation: str | None
    ) -> Finding:
        if tournament is not None:
            return Entering(client, tournament, invitation)
        if ladder is not None:
            return Laddering(client, ladder, Seeking(client, self.at_once, ladder, self.seek_terms))
        return OpenGames(self, client)

    async def _registered(self, url: str, settings: dict[str, Any]) -> AsyncClient:
        name = type(self).__name__
        try:
            return await AsyncClient.register(url, name, kind="bot", **settings)
        except (problems.InvalidField, problems.InvalidRequest):
            return await AsyncClient.register(url, f"{name} {secrets.token_hex(2)}", kind="bot", **settings)


def _in_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
