"""How a bot is asked for a choice: in the event loop or a thread, once at a time for each game."""

from __future__ import annotations

import asyncio
import copy
import inspect
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from holmgang.answers import JSON, Legal

from ._choices import any_action, written
from ._retry import Patience, retry_pause
from ._threads import in_thread
from ._turn import TurnContext, way_to_ask

log = logging.getLogger("holmgang")

CHANCES_TO_CHOOSE = 3
MOST_THREADS = 32
"""So many choices are begun in threads at once; one that takes long makes room for another."""
ROOM_SECONDS = 1.0
"""How long a choice in a thread is counted. One that never ends must not keep others from beginning."""

LEAVE_SECONDS = 1.0
"""So long a coroutine may take to end that is cancelled at the bot's end."""


class Thinking:
    """The calls of a bot's `choose`. One whose turn is over may still run; none begins beside it for the same game."""

    def __init__(self, choose: Callable[..., Any]) -> None:
        self._ask = way_to_ask(choose)
        self._in_loop = inspect.iscoroutinefunction(choose)
        self._calls: dict[str, asyncio.Future[Any]] = {}
        self._missed: Counter[str] = Counter()
        self._room = asyncio.Semaphore(MOST_THREADS)

    def running(self) -> set[str]:
        """The games for which `choose` runs."""
        return set(self._calls)

    def miss(self, game: str) -> None:
        """Count a turn that has passed while the call for this game ran; with the call's end it is forgotten."""
        if game in self._calls:
            self._missed[game] += 1

    def missed(self, game: str) -> int:
        """How many turns have passed during the call that runs for this game."""
        return self._missed[game]

    async def leave(self) -> None:
        """Wait for no call any more."""
        calls = list(self._calls.values())
        for call in calls:
            call.cancel()
        if calls:
            await asyncio.wait(calls, timeout=LEAVE_SECONDS)

    async def choice(self, view: JSON, legal: Legal, turn: TurnContext) -> JSON:
        """What the bot chooses, or any legal action if it cannot. To cancel it is to give it up."""
        if (late := self._calls.get(turn.game)) is not None:
            await asyncio.wait({late})
        for fault in range(CHANCES_TO_CHOOSE):
            try:
                # Copies, since what the bot does to them must not spoil another chance, or the last resort.
                choice = await self._asked(copy.deepcopy(view), copy.deepcopy(legal), turn)
            except (Exception, asyncio.CancelledError):
                if _given_up():
                    raise asyncio.CancelledError from None
                log.exception("game %s: choose failed", turn.game)
                await asyncio.sleep(retry_pause(Patience(), fault))
                continue
            try:
                return written(choice)
            except Exception as why:  # its author's objects may raise what they like
                log.error("game %s: the choice is no action: %s; playing any legal action", turn.game, why)
                break
        return any_action(legal)

    async def _asked(self, view: JSON, legal: Legal, turn: TurnContext) -> Any:
        if self._in_loop:
            return await self._call(turn.game, self._ask(view, legal, turn))
        async with self._room:
            thread = self._call(turn.game, in_thread(self._ask, view, legal, turn))
            await asyncio.wait({thread}, timeout=ROOM_SECONDS)
        await asyncio.wait({thread})  # which cannot be ended: it runs on when it is given up
        choice = thread.result()
        return await self._call(turn.game, choice) if inspect.isawaitable(choice) else choice

    def _call(self, game: str, work: Awaitable[Any]) -> asyncio.Future[Any]:
        call = self._calls[game] = asyncio.ensure_future(work)
        call.add_done_callback(partial(self._ended, game))
        return call

    def _ended(self, game: str, call: asyncio.Future[Any]) -> None:
        if self._calls.get(game) is call:
            del self._calls[game]
            del self._missed[game]
        if not call.cancelled():
            call.exception()  # of one that was given up, nobody else asks for it


def _given_up() -> bool:
    """Whether this task is cancelled, and not only something that its bot waited for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
