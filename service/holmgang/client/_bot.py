"""A bot: you write how it chooses, and it finds games, waits, moves, and goes on after faults."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import inspect
import logging
import os
import random
import secrets
import signal
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterator
from http import HTTPStatus
from typing import Any, TypeVar, cast, overload

import httpx

from holmgang import problems
from holmgang.answers import JSON, Game, Legal, Seat

from ._choices import written
from ._client import AsyncClient
from ._notes import Belied
from ._reach import Unreachable
from ._retry import Patience, retry_pause
from ._several import Several, several
from ._threads import in_thread

Action = TypeVar("Action")

log = logging.getLogger("holmgang")

HOPELESS = (
    problems.Unauthenticated,
    problems.InvalidToken,
    problems.TokenExpired,
    problems.MissingScope,
    problems.TokenLimited,
    Unreachable,
)
"""What no repetition changes: the token is not good for playing, or the address is wrong."""
TOO_LATE = (problems.StaleTurn, problems.NotAwaited, problems.GameNotActive, problems.GameArchived)
NO_PLACE = (
    problems.MalformedRequest,
    problems.NotFound,
    problems.SpectatorsExcluded,
    problems.GameFull,
    problems.GameNotOpen,
)
"""What a game says in which there is no seat for this player: there is none of that id, or it is for others."""
BAD_CHOICE = (HTTPStatus.BAD_REQUEST, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNPROCESSABLE_ENTITY)
"""By these it is the body that is refused, whatever the code, a proxy's too; and all of it but the choice is ours."""
SHORT_WAIT, LONG_WAIT = 5, 50
LONGEST_ASKED = 3600.0
"""So many seconds of a longer Retry-After, for a bot that is to go on by itself."""
CHANCES_TO_CHOOSE = 3
LAST_CHOICES_SECONDS = 10
MOST_THREADS = min(32, (os.cpu_count() or 1) + 4)
"""So many choices at once, as in asyncio's own pool of threads."""
_NO_CHOICE = "A bot needs a method choose(view, legal)."


def rest_after(fault: Exception, patience: Patience, faults: int) -> float:
    """The seconds before a bot begins again: as many as the service asked for, and a drawn pause on top."""
    asked = fault.retry_after if isinstance(fault, problems.Problem) else 0.0
    return retry_pause(patience, faults) + min(asked, LONGEST_ASKED)


@overload
def any_action(legal: Legal, rng: Any = random) -> JSON: ...  # by itself: mypy asks the place where it goes first
@overload
def any_action(legal: Legal[Action], rng: Any = random) -> Action: ...
def any_action(legal: Legal[Action], rng: Any = random) -> Action:
    """A legal action: one of all, drawn by `rng`; where there are too many to list, the sample."""
    actions = legal.get("actions")
    return cast("Action", rng.choice(actions) if actions else legal["sample"])


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
    notes: str | os.PathLike[str] | None = None
    """A folder, for this player alone, of what it gave to each game, so that a bot that is started again can compare
    records with it too. None to know of the games that it has sat down in since it was started."""

    def choose(self, view: Any, legal: Any) -> Any:
        """The action, as JSON. May be a coroutine; if it is not, it runs in a thread, so that other games go on.

        `view` is JSON, and `legal` a `holmgang.answers.Legal`. A bot of one of the house's games may say which: `view:
        claim.View, legal: Legal[claim.Action]`, of `holmgang.answers.claim`.

        If it fails again and again, or what it chooses is illegal or no action at all, that is logged and any legal
        action is played.
        """
        raise NotImplementedError(_NO_CHOICE)

    def wants(self, game: Game) -> bool:
        """Whether to sit down in that open game."""
        return self.rulesets is None or game["ruleset"] in self.rulesets

    def run(self, url: str, token: str | None = None, *, games: Several[str] | None = None) -> None:
        """Play until SIGTERM or Ctrl-C, or until all `games` are over, if they are given: then it sits down in those
        and moves in no others. One in which there is no seat for it is logged and passed over; if it is so with all,
        the Problem of one is raised. Without a token (or the variable HOLMGANG_TOKEN) a player with the class's name
        is registered, with four digits and letters behind it where that is a built-in bot's or looks like another's.
        A token that is no good raises its Problem, and Unreachable tells that there is no service at the address; other
        faults are waited out.

        The record of a game that is over is compared with what the bot gave and chose (`Client.verify`). If it is
        belied, that is logged at once, and raised as Belied when the bot ends.
        """
        asyncio.run(self.play(url, token, games=games))

    async def play(self, url: str, token: str | None = None, *, games: Several[str] | None = None) -> None:
        """What `run` does, inside an event loop of yours; cancel it to stop at once."""
        if type(self).choose is Bot.choose:
            raise NotImplementedError(_NO_CHOICE)
        given = None if games is None else several("games", games)
        if self.rulesets is not None:
            several("rulesets", self.rulesets)
        token = token or os.environ.get("HOLMGANG_TOKEN")
        if token:
            opened = AsyncClient(url, token, notes=self.notes)
        else:
            opened = await self._registered(url)
        async with opened as client:
            await _Session(self, client, given).play()

    async def _registered(self, url: str) -> AsyncClient:
        name = type(self).__name__
        try:
            return await AsyncClient.register(url, name, notes=self.notes)
        except (problems.InvalidField, problems.InvalidRequest):
            return await AsyncClient.register(url, f"{name} {secrets.token_hex(2)}", notes=self.notes)


class _Session:
    """One run of a bot."""

    def __init__(self, bot: Bot, client: AsyncClient, games: Collection[str] | None) -> None:
        self.bot = bot
        self.client = client
        self.given = None if games is None else set(games)
        self.unfinished = set(games or ())
        self.refused: dict[str, problems.Problem] = {}
        self.player = ""
        self.moves: dict[tuple[str, int], asyncio.Task[None]] = {}
        self.choosing: Counter[str] = Counter()
        self.threads = asyncio.Semaphore(MOST_THREADS)
        self.stopping = asyncio.Event()
        self.hopeless: Exception | None = None
        self.belied: list[Belied] = []
        self.verified: set[str] = set()

    async def play(self) -> None:
        with _signals(self.stopping):
            works = [self._lasting(self._move_everywhere)]
            if self.given is None:
                works.append(self._lasting(self._look_for_games))
            tasks = [asyncio.create_task(work) for work in works]
            stop = asyncio.create_task(self.stopping.wait())
            try:
                await asyncio.wait([*tasks, stop], return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in (*tasks, stop):
                    task.cancel()
                ended = await asyncio.gather(*tasks, return_exceptions=True)
                await self._finish_moves()
        for outcome in ended:
            if isinstance(outcome, Exception):
                raise outcome
        if self.hopeless is not None:
            raise self.hopeless
        if self.belied:
            raise self.belied[0]

    async def _finish_moves(self) -> None:
        """A choice that is being made is not thrown away, unless it takes long."""
        if self.moves:
            _, late = await asyncio.wait(self.moves.values(), timeout=LAST_CHOICES_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _lasting(self, work: Callable[[], Awaitable[None]]) -> None:
        """Begin again after whatever fault may pass."""
        patience, faults = Patience(longest=30.0), 0
        while True:
            began = time.monotonic()
            try:
                await work()
                return
            except HOPELESS:
                raise
            except (problems.Problem, httpx.HTTPError) as fault:
                faults = 0 if time.monotonic() - began > patience.longest else faults + 1
                log.warning("beginning again after a fault: %s", fault)
                await asyncio.sleep(rest_after(fault, patience, faults))

    async def _move_everywhere(self) -> None:
        await self._look_after_games()
        while self.given is None or self.unfinished:
            turns = await self.client.waiting_turns(wait=LONG_WAIT if self.given is None else SHORT_WAIT)
            for item in turns["items"]:
                if self._is_mine(item["game"], item["ruleset"]):
                    self._begin_move(item["game"], item["turn"])
            await self._look_after_games()
        if self.given and self.given == self.refused.keys():
            self.hopeless = next(iter(self.refused.values()))

    def _is_mine(self, game: str, ruleset: str) -> bool:
        if self.given is not None:
            return game in self.unfinished
        return self.bot.rulesets is None or ruleset in self.bot.rulesets

    async def _look_after_games(self) -> None:
        """Of the given games: sit down where it is not done yet, come back to them, and part with those that end."""
        for game in sorted(self.unfinished):
            try:
                found = await self.client.game(game)
                if found["status"] in ("over", "archived"):
                    await self._verify(game)
                    self.unfinished.discard(game)
                elif await self._seat_in(found) is None:
                    await self.client.take_seat(game)
                else:
                    await self._come_back(found)
            except NO_PLACE as refusal:
                log.error("game %s is passed over, there is no seat in it: %s", game, refusal)
                self.unfinished.discard(game)
                self.refused[game] = refusal

    async def _verify(self, game: str) -> None:
        """Compare the record of a game that is over with what was noted, once. If it is belied, the notes are kept."""
        notes = self.client.notes
        if game in self.verified or notes.of(game).seat is None:
            return
        try:
            found = await self.client.verify(game)
        except problems.GameNotOver:  # but archived
            return
        except Belied as fault:
            log.error("%s", fault)
            self.belied.append(fault)
        except NO_PLACE as refusal:
            log.warning("game %s: its record is not shown: %s", game, refusal)
        else:
            log.info("game %s: its record holds (%s)", game, ", ".join(found.compared))
            notes.forget(game)
        self.verified.add(game)

    async def _seat_in(self, game: Game) -> Seat | None:
        if not self.player:
            self.player = (await self.client.me())["player"]["id"]
        return next((seat for seat in game["seats"] if seat["player"] == self.player), None)

    async def _come_back(self, game: Game) -> None:
        """End an absence unless a choice is being made: nobody is back until they are done with a turn they missed."""
        seat = await self._seat_in(game)
        if seat is None or seat["absent_since"] is None or seat["resigned_at"] is not None:
            return
        if game["status"] != "active" or self.choosing[game["id"]]:
            return
        with contextlib.suppress(*TOO_LATE):
            await self.client.return_to_seat(game["id"], seat["seat"])
            log.warning("game %s: seat %d was absent, and is back", game["id"], seat["seat"])

    async def _look_for_games(self) -> None:
        while True:
            playing = set()
            async for game in self.client.my_games(status="active"):
                playing.add(game["id"])
                if self._is_mine(game["id"], game["ruleset"]):
                    await self._come_back(game)
            playing |= {game["id"] async for game in self.client.my_games(status="open")}
            for ident in set(self.client.notes.games()) - playing:
                await self._verify(ident)
            if len(playing) < self.bot.at_once:
                async for game in self.client.games(status="open", open_seats=True):
                    if game["id"] in playing or not self.bot.wants(game):
                        continue
                    with contextlib.suppress(problems.GameFull, problems.GameNotOpen, problems.AlreadySeated):
                        await self.client.take_seat(game["id"])
                        playing.add(game["id"])
                        log.info("sat down in %s", game["id"])
                    if len(playing) >= self.bot.at_once:
                        break
            await asyncio.sleep(self.bot.look_seconds)

    def _begin_move(self, game: str, turn: int) -> None:
        key = (game, turn)
        if key not in self.moves:
            self.moves[key] = asyncio.create_task(self._move(game))
            self.moves[key].add_done_callback(lambda done: self._moved(key, done))

    def _moved(self, key: tuple[str, int], done: asyncio.Task[None]) -> None:
        del self.moves[key]
        if done.cancelled() or (fault := done.exception()) is None:
            return
        if isinstance(fault, HOPELESS):
            self.hopeless = fault
            self.stopping.set()
        else:
            # The turn goes on waiting, so it comes again with the next answer of what waits.
            log.warning("no move in game %s, turn %d: %s", *key, fault)

    async def _move(self, game: str) -> None:
        turn = await self.client.turn(game, include="view")
        legal = turn["legal"]
        if not turn["yours"] or legal is None:
            return
        self.choosing[game] += 1
        try:
            action = await self._chosen(turn.get("view", {}), legal, game)
        finally:
            self.choosing[game] -= 1
        try:
            try:
                await self.client.submit(game, turn["turn"], action)
            except problems.Problem as refusal:
                if refusal.status not in BAD_CHOICE:
                    raise
                log.error("game %s: %s; playing any legal action", game, refusal)
                await self.client.submit(game, turn["turn"], any_action(legal))
        except TOO_LATE as late:
            log.info("game %s went on without this choice: %s", game, late)
            await self._come_back(await self.client.game(game))

    async def _chosen(self, view: JSON, legal: Legal, game: str) -> JSON:
        for fault in range(CHANCES_TO_CHOOSE):
            try:
                # Copies, since what the bot does to them must not spoil another chance, or the last resort.
                choice = await self._asked(copy.deepcopy(view), copy.deepcopy(legal))
            except Exception:
                log.exception("game %s: choose failed", game)
                await asyncio.sleep(retry_pause(Patience(), fault))
                continue
            try:
                return written(choice)
            except Exception as why:  # its author's objects may raise what they like
                log.error("game %s: the choice is no action: %s; playing any legal action", game, why)
                break
        return any_action(legal)

    async def _asked(self, view: JSON, legal: Legal) -> Any:
        if inspect.iscoroutinefunction(self.bot.choose):
            return await self.bot.choose(view, legal)
        async with self.threads:
            choice = await in_thread(self.bot.choose, view, legal)
        return await choice if inspect.isawaitable(choice) else choice


@contextlib.contextmanager
def _signals(stopping: asyncio.Event) -> Iterator[None]:
    """SIGTERM and Ctrl-C ask to stop; the second one is as ever. Elsewhere than in the main thread nothing is done."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    caught: list[signal.Signals] = []

    def stop() -> None:
        stopping.set()
        release()

    def release() -> None:
        while caught:
            loop.remove_signal_handler(caught.pop())

    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # Windows
            loop.add_signal_handler(number, stop)
            caught.append(number)
    try:
        yield
    finally:
        release()
