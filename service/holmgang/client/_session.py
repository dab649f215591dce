"""One run of a bot: which games it plays, and what is done when they begin and end."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import inspect
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Protocol

import httpx

from holmgang import problems
from holmgang.answers import Game, Seat

from ._client import AsyncClient
from ._finding import Finding
from ._moves import HOPELESS, LAST_CHOICES_SECONDS, TOO_LATE, Moves
from ._notes import Belied
from ._retry import Patience, retry_pause
from ._signals import signals
from ._thinking import Thinking
from ._threads import in_thread

log = logging.getLogger("holmgang")

NO_PLACE = (
    problems.MalformedRequest,
    problems.NotFound,
    problems.SpectatorsExcluded,
    problems.GameFull,
    problems.GameNotOpen,
)
"""What a game says in which there is no seat for this player: there is none of that id, or it is for others."""
LONG_WAIT = 50
LOOK_SECONDS = 5.0
"""Pause between two looks at the games that a bot was given."""
HOOK_SECONDS = 10.0
"""After so many it is told that a hook has not returned, for which its game waits, or the bot's end."""
LONGEST_ASKED = 3600.0
"""So many seconds of a longer Retry-After, for a bot that is to go on by itself."""
FINISH_LOOK_SECONDS = 2.0
"""Pause between two looks whether the last games are over."""
LEAVE_SECONDS = 10.0
"""So long a bot that is told to stop tries to say that it wants no more games."""


class Player(Protocol):
    """What of a bot is needed here."""

    @property
    def look_seconds(self) -> float: ...
    @property
    def finish_seconds(self) -> float: ...
    def game_started(self, game: Game) -> Awaitable[None] | None: ...
    def game_ended(self, game: Game) -> Awaitable[None] | None: ...


def rest_after(fault: Exception, patience: Patience, faults: int) -> float:
    """The seconds before a bot begins again: as many as the service asked for, and a drawn pause on top."""
    asked = fault.retry_after if isinstance(fault, problems.Problem) else 0.0
    return retry_pause(patience, faults) + min(asked, LONGEST_ASKED)


class Session:
    """`given` are the games it was sent to, or how it finds its own; it knows `rulesets`, None for all."""

    def __init__(
        self,
        bot: Player,
        thinking: Thinking,
        client: AsyncClient,
        given: frozenset[str] | Finding,
        rulesets: frozenset[str] | None,
    ) -> None:
        self._bot = bot
        self._client = client
        self._given = given if isinstance(given, frozenset) else None
        self._finding = None if isinstance(given, frozenset) else given
        self._rulesets = rulesets
        self._unfinished = set(self._given or ())
        self._refused: dict[str, problems.Problem] = {}
        self._player = ""
        self._gone: asyncio.Queue[str] = asyncio.Queue()
        self._started: dict[str, asyncio.Task[None]] = {}
        self._ending: set[asyncio.Task[None]] = set()
        self._stopping = asyncio.Event()
        self._fault: Exception | None = None
        self._verified: set[str] = set()
        self._played = 0
        self._moves = Moves(client, thinking, self._ready, self._stop)

    async def play(self) -> None:
        """Until all given games or the tournament are over, it is told to stop, or a fault is one that lasts, which is
        raised."""
        looks = self._look_after_games if self._given is not None else self._look_for_games
        with signals(self._stopping):
            tasks = [asyncio.create_task(self._lasting(work)) for work in (looks, self._move_everywhere)]
            stop = asyncio.create_task(self._stopping.wait())
            try:
                await asyncio.wait([*tasks, stop], return_when=asyncio.FIRST_COMPLETED)
                if self._fault is None and not any(task.done() for task in tasks):
                    tasks[0].cancel()
                    await self._take_leave(tasks[1])
            finally:
                for task in (*tasks, stop):
                    task.cancel()
                outcomes = await asyncio.gather(*tasks, return_exceptions=True)
                await asyncio.gather(self._moves.finish(), self._finish_hooks())
        for outcome in (*outcomes, self._fault):
            if isinstance(outcome, Exception):
                raise outcome

    def _stop(self, fault: Exception) -> None:
        self._fault = fault
        self._stopping.set()

    async def _take_leave(self, moving: asyncio.Task[None]) -> None:
        """Told to stop: want no more games, and for as long as the bot's author wants play those on that there are."""
        if self._finding is None:
            return
        try:
            async with asyncio.timeout(LEAVE_SECONDS):
                await self._finding.leave()
        except (problems.Problem, httpx.HTTPError, TimeoutError) as fault:
            log.warning("told to stop, and it is not known whether more games come: %s", fault or "no answer in time")
        if self._bot.finish_seconds <= 0:
            return
        log.info("told to stop: games are played on for %.0f s at most", self._bot.finish_seconds)
        finishing = asyncio.create_task(self._lasting(self._finish))
        await asyncio.wait({finishing, moving}, timeout=self._bot.finish_seconds, return_when=asyncio.FIRST_COMPLETED)
        finishing.cancel()
        await asyncio.gather(finishing, return_exceptions=True)

    async def _finish(self) -> None:
        """Until no game is active."""
        while (await self._look_at_games())[0]:
            await asyncio.sleep(min(self._bot.look_seconds, FINISH_LOOK_SECONDS))

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
        while True:
            turns = await self._client.waiting_turns(wait=LONG_WAIT)
            mine = {item["game"]: item for item in turns["items"] if self._is_mine(item["game"], item["ruleset"])}
            for game in self._moves.news(mine) & self._unfinished:
                self._gone.put_nowait(game)

    def _is_mine(self, game: str, ruleset: str) -> bool:
        if self._given is not None:
            return game in self._unfinished
        return self._rulesets is None or ruleset in self._rulesets

    async def _look_after_games(self) -> None:
        """At all that were given every few seconds, and at one as soon as it waits no more: it may be over."""
        while self._unfinished:
            for game in sorted(self._unfinished):
                await self._look_after(game)
            until = time.monotonic() + LOOK_SECONDS
            while self._unfinished and (left := until - time.monotonic()) > 0:
                try:
                    game = await asyncio.wait_for(self._gone.get(), left)
                except TimeoutError:
                    break
                if game in self._unfinished:
                    await self._look_after(game)
        while self._ending:
            await asyncio.wait(self._ending)
        if self._given and self._given == self._refused.keys():
            self._fault = self._fault or next(iter(self._refused.values()))

    async def _look_after(self, game: str) -> None:
        """Sit down if it is not done yet, come back, and part with a game that is over."""
        try:
            found = await self._client.game(game)
            if found["status"] in ("over", "archived"):
                await self._part_with(found)
                self._unfinished.discard(game)
            elif await self._seat_in(found) is None:
                await self._client.take_seat(game)
            else:
                await self._go_on(found)
        except NO_PLACE as refusal:
            log.error("game %s is passed over, there is no seat in it: %s", game, refusal)
            self._unfinished.discard(game)
            self._refused[game] = refusal

    async def _look_for_games(self) -> None:
        assert self._finding is not None
        while True:
            active, waiting = await self._look_at_games()
            await self._finding.look(active | waiting)
            if self._finding.over and not active:
                break
            await asyncio.sleep(self._bot.look_seconds)

    async def _look_at_games(self) -> tuple[set[str], set[str]]:
        """Go on with those that are active, and part with those that are not any more. Returns which are, and which are
        open."""
        active = set()
        async for game in self._client.my_games(status="active"):
            active.add(game["id"])
            if self._is_mine(game["id"], game["ruleset"]):
                await self._go_on(game)
        waiting = {game["id"] async for game in self._client.my_games(status="open")}
        for ident in {*self._client.notes.games(), *self._started} - active - waiting:
            await self._look_back(ident)
        return active, waiting

    async def _look_back(self, game: str) -> None:
        """At one that was played, and is not active any more."""
        if game in self._started:
            try:
                found = await self._client.game(game)
            except NO_PLACE as refusal:
                log.warning("game %s is not there any more: %s", game, refusal)
                self._started.pop(game)
                self._moves.forget(game)
                return
            if found["status"] in ("over", "archived"):
                await self._part_with(found)
        else:
            await self._verify(game)

    async def _go_on(self, game: Game) -> None:
        """Begin with a game that is active, or end an absence, unless that of a choice that is still being made."""
        seat = await self._seat_in(game)
        if seat is None or game["status"] != "active" or seat["resigned_at"] is not None:
            return
        self._begin(game)
        if seat["absent_since"] is None or self._moves.busy(game["id"]):
            return
        with contextlib.suppress(*TOO_LATE):
            await self._client.return_to_seat(game["id"], seat["seat"])
            log.warning("game %s: seat %d was absent, and is back", game["id"], seat["seat"])

    async def _part_with(self, game: Game) -> None:
        if (started := self._started.pop(game["id"], None)) is not None:
            self._played += 1
            log.info("game %s is over: %s; %d played in this run", game["id"], self._outcome(game), self._played)
            ending = asyncio.create_task(self._told(self._bot.game_ended, game, after=started))
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)
        self._moves.forget(game["id"])
        await self._verify(game["id"])

    def _outcome(self, game: Game) -> str:
        """How it went for this player."""
        seat = next((seat["seat"] for seat in game["seats"] if seat["player"] == self._player), None)
        if (result := game["result"]) is None or seat is None:
            return game["status"]
        rank = 1 + next(n for n, group in enumerate(result["ranking"]) if seat in group)
        return f"rank {rank} of {len(result['ranking'])} ({result['reason']})"

    async def _verify(self, game: str) -> None:
        """Compare the record of a game that is over with what was noted, once. If it is belied, the notes are kept."""
        notes = self._client.notes
        if game in self._verified or notes.of(game).seat is None:
            return
        try:
            found = await self._client.verify(game)
        except problems.GameNotOver:  # but archived
            return
        except Belied as fault:
            log.error("%s", fault)
            self._fault = self._fault or fault
        except NO_PLACE as refusal:
            log.warning("game %s: its record is not shown: %s", game, refusal)
        else:
            log.info("game %s: its record holds (%s)", game, ", ".join(found.compared))
            notes.forget(game)  # which is why it is not compared again
            return
        self._verified.add(game)

    async def _seat_in(self, game: Game) -> Seat | None:
        if not self._player:
            self._player = (await self._client.me())["player"]["id"]
        return next((seat for seat in game["seats"] if seat["player"] == self._player), None)

    def _begin(self, game: Game) -> asyncio.Task[None]:
        """Tell the bot of a game's start, once."""
        if game["id"] not in self._started:
            log.info("game %s begins: %s, %s", game["id"], game["ruleset"], _who(game))
            self._started[game["id"]] = asyncio.create_task(self._told(self._bot.game_started, game))
        return self._started[game["id"]]

    async def _ready(self, game: str) -> None:
        """Once the bot has been told that the game has started, and is done with that."""
        await asyncio.shield(self._started.get(game) or self._begin(await self._client.game(game)))

    async def _told(
        self, hook: Callable[[Game], Awaitable[None] | None], game: Game, *, after: asyncio.Task[None] | None = None
    ) -> None:
        if after is not None:
            await asyncio.wait({after})
        name = getattr(hook, "__name__", "a hook")
        late = asyncio.get_running_loop().call_later(
            HOOK_SECONDS,
            log.warning,
            "game %s: %s still runs after %.0f s; it is waited for",
            game["id"],
            name,
            HOOK_SECONDS,
        )
        try:
            if inspect.iscoroutinefunction(hook):
                await hook(copy.deepcopy(game))
            elif inspect.isawaitable(rest := await in_thread(hook, copy.deepcopy(game))):
                await rest
        except Exception:
            log.exception("game %s: %s failed", game["id"], name)
        finally:
            late.cancel()

    async def _finish_hooks(self) -> None:
        """As with choices, what takes long is left."""
        if hooks := [*self._ending, *(hook for hook in self._started.values() if not hook.done())]:
            _, late = await asyncio.wait(hooks, timeout=LAST_CHOICES_SECONDS)
            for hook in late:
                hook.cancel()


def _who(game: Game) -> str:
    return " - ".join(seat["name"] or "nobody" for seat in game["seats"])
