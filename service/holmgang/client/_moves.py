"""The moves of a bot: one at a time in each game, and none for a turn that has passed."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from http import HTTPStatus
from typing import Any

from holmgang import answers, problems
from holmgang.answers import JSON, Legal, Waiting

from ._choices import any_action
from ._client import AsyncClient
from ._reach import Unreachable
from ._thinking import Thinking
from ._turn import TurnContext, due

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
BAD_CHOICE = (HTTPStatus.BAD_REQUEST, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNPROCESSABLE_ENTITY)
"""By these it is the body that is refused, whatever the code, a proxy's too; and all of it but the choice is ours."""
LAST_CHOICES_SECONDS = 10
OVERDUE_SECONDS = 1.0
"""Pause between two looks at a turn whose deadline has passed and that nobody ends: the service has had an outage."""
MOST_MISSED = 5
"""So many deadlines one call of `choose` may miss; then its seat stays absent until the call has ended."""
MOST_LEFT_BEHIND = 100
"""So many threads may run whose game goes on without them, or is over. Only the end of the program ends them."""


class ChooseHangs(RuntimeError):
    """Calls of `choose` do not end, and take up ever more threads."""

    __module__ = "holmgang"


@dataclass(eq=False)
class _Move:
    """One on its way. `begun_for` is what waited then; `turn` is the one that `choose` is asked about."""

    begun_for: Waiting
    turn: int | None = None
    seen: bool = False
    """Whether what waits has told this turn, so that it has passed once that tells it no more."""
    passed: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    def choosing(self, turn: int) -> None:
        self.turn = turn
        self.seen = self.begun_for["turn"] == turn

    def hear(self, waiting: Waiting | None) -> None:
        if waiting is not None and waiting["turn"] == self.turn:
            self.seen = True
        elif self.seen and not self.passed.done():
            self.passed.set_result(None)


class Moves:
    """All that is on its way. `ready` is awaited before each choice of a game; `stop` is told what ends the bot."""

    def __init__(
        self,
        client: AsyncClient,
        thinking: Thinking,
        ready: Callable[[str], Awaitable[None]],
        stop: Callable[[Exception], None],
    ) -> None:
        self._client = client
        self._thinking = thinking
        self._ready = ready
        self._stop = stop
        self._waiting: Mapping[str, Waiting] = {}
        self._moves: dict[str, tuple[_Move, asyncio.Task[None]]] = {}
        self._came: dict[str, tuple[str, float]] = {}

    def busy(self, game: str) -> bool:
        """Whether a move is on its way there, or a call of `choose` still runs that came too late for one."""
        return game in self._moves or game in self._thinking.running()

    def news(self, waiting: Mapping[str, Waiting]) -> set[str]:
        """Begin the moves of what waits now, and give up those whose turn does not. Returns the games that waited
        before, and do not any more."""
        gone = self._waiting.keys() - waiting.keys()
        self._waiting = waiting
        for game, (move, _) in self._moves.items():
            move.hear(waiting.get(game))
        for game in waiting:
            self._begin(game)
        return gone

    async def finish(self) -> None:
        """A choice that is being made is not thrown away, unless it takes long."""
        tasks = [task for _, task in self._moves.values()]
        self._waiting = {}
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=LAST_CHOICES_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        await self._thinking.leave()

    def forget(self, game: str) -> None:
        """Of a game that is over."""
        self._came.pop(game, None)

    def _begin(self, game: str) -> None:
        if game not in self._moves and self._thinking.missed(game) < MOST_MISSED:
            move = _Move(self._waiting[game])
            task = asyncio.create_task(self._move(game, move))
            self._moves[game] = move, task
            task.add_done_callback(partial(self._moved, game, move))

    def _moved(self, game: str, move: _Move, done: asyncio.Task[None]) -> None:
        del self._moves[game]
        if not done.cancelled() and (fault := done.exception()) is not None:
            if isinstance(fault, (*HOPELESS, ChooseHangs)):
                self._stop(fault)
                return
            # The turn goes on waiting, so it comes again with the next answer of what waits.
            log.warning("no move in game %s, turn %d: %s", game, move.begun_for["turn"], fault)
        now = self._waiting.get(game)
        if now is not None and _which(now) != _which(move.begun_for):  # told while this move was on its way
            self._begin(game)

    async def _move(self, game: str, move: _Move) -> None:
        await self._ready(game)
        asked = await self._client.turn(game, include="view")
        legal = asked["legal"]
        if not asked["yours"] or legal is None:
            return
        turn = self._context(asked, move.begun_for["ruleset"])
        move.choosing(turn.number)
        action = await self._in_time(move, turn, asked.get("view", {}), legal)
        if action is None or not await self._submitted(turn, action, legal):
            log.warning("game %s, turn %d: choose is too late for it", game, turn.number)
            if len(self._thinking.running() - self._moves.keys()) >= MOST_LEFT_BEHIND:
                raise ChooseHangs(f"{MOST_LEFT_BEHIND} calls of choose came too late and still run")

    def _context(self, asked: answers.Turn, ruleset: str) -> TurnContext:
        game, server_time = asked["game"], asked["server_time"]
        if self._came.get(game, ("", 0.0))[0] != server_time:  # else nothing is new: it is the answer that we have
            self._came[game] = server_time, time.monotonic()
        seat, kind, deadline = asked["seat"], asked["kind"], due(asked)
        assert seat is not None, "it is asked"
        assert kind is not None, "it is asked for something"
        return TurnContext(
            ruleset=ruleset,
            game=game,
            seat=seat,
            number=asked["turn"],
            kind=kind,
            deadline=None if deadline is None else datetime.fromisoformat(deadline),
            _server_time=datetime.fromisoformat(server_time),
            _came=self._came[game][1],
        )

    async def _in_time(self, move: _Move, turn: TurnContext, view: JSON, legal: Legal) -> JSON | None:
        """The choice; None if the turn is over before, by its deadline or by what waits."""
        choosing: asyncio.Future[Any] = asyncio.ensure_future(self._thinking.choice(view, legal, turn))
        now: TurnContext | None = turn
        try:
            while now is not None:
                left = None if now.deadline is None else now.seconds_left() or OVERDUE_SECONDS
                await asyncio.wait({choosing, move.passed}, timeout=left, return_when=asyncio.FIRST_COMPLETED)
                if choosing.done():
                    action: JSON = choosing.result()
                    return action
                await self._come_back(turn)
                now = None if move.passed.done() else await self._still(turn)
            return None
        finally:
            choosing.cancel()

    async def _still(self, turn: TurnContext) -> TurnContext | None:
        """The same turn after its deadline: the clock stops while only bots wait, and is put off after an outage."""
        asked = await self._client.turn(turn.game, include="view")
        return self._context(asked, turn.ruleset) if asked["yours"] and asked["turn"] == turn.number else None

    async def _submitted(self, turn: TurnContext, action: JSON, legal: Legal) -> bool:
        """Whether the choice, or another for one that is refused, came in time."""
        try:
            try:
                await self._client.submit(turn.game, turn.number, action)
            except problems.Problem as refusal:
                if refusal.status not in BAD_CHOICE:
                    raise
                log.error("game %s: %s; playing any legal action", turn.game, refusal)
                await self._client.submit(turn.game, turn.number, any_action(legal))
        except TOO_LATE:
            await self._come_back(turn)
            return False
        return True

    async def _come_back(self, turn: TurnContext) -> None:
        """The time of a turn is up: be there for what comes, unless `choose` does not come to an end."""
        game = turn.game
        self._thinking.miss(game)
        if (missed := self._thinking.missed(game)) >= MOST_MISSED:
            if missed == MOST_MISSED:
                log.error("game %s: one call of choose has missed %d deadlines; its seat is left", game, missed)
            return
        found = await self._client.game(game)
        seat = next(each for each in found["seats"] if each["seat"] == turn.seat)
        if found["status"] == "active" and seat["resigned_at"] is None:
            with contextlib.suppress(*TOO_LATE):
                # Whether it is absent or about to be: the service ends the turn whose time is up, then the absence.
                await self._client.return_to_seat(game, turn.seat)


def _which(waiting: Waiting) -> tuple[int, str | None]:
    """What is another turn, or the same one asked anew."""
    return waiting["turn"], waiting["deadline"]
