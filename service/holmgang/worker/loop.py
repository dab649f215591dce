"""The worker ends turns whose time is up, plays for built-in bots and for absent players, rates games that are over,
archives idle ones, and deletes old messages to webhooks, kept answers, and games in which no person chose anything.

Bots that think for long have a thread of their own, with one choice at a time, and quick bots have another: neither
deadlines nor quick choices wait for long ones. Players whose games keep the bots busy take turns. If a bot cannot
choose in time, its seat is played by default.

All work is rows of the database, taken with SKIP LOCKED or by a claim that expires. So any number of workers may run,
and one that is killed loses nothing: another takes the work up when the claim has expired. A choice is made in one
transaction, which checks that it is still asked for, so none is made twice.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Any
from uuid import UUID

import msgspec
from structlog.contextvars import bound_contextvars

from holmgang import logs, metrics, tracing
from holmgang import registry as games
from holmgang.app.errors import Busy, DatabaseUnavailable
from holmgang.app.games import ratings
from holmgang.app.play import archive, deadlines, stand_ins
from holmgang.app.play.position import Position
from holmgang.app.ports import MEETING, Store
from holmgang.app.ports import Watch as Heard
from holmgang.app.records.absence import DEFAULT
from holmgang.app.records.contexts import GameRow
from holmgang.app.records.play import Beat, Task
from holmgang.app.webhooks.webhooks import KEPT_DAYS
from holmgang.bots import registry
from holmgang.bots.base import NAMES, THOUGHTFUL
from holmgang.engine.errors import IllegalAction, MalformedAction
from holmgang.engine.rules import AnyRules
from holmgang.interrupts import FAULTS, as_fault

from .analysing import ANALYSE_SECONDS, Analysing
from .chores import AWAY_SECONDS, Chore, Chores, each, tell
from .meeting import MEET_SECONDS, meeting
from .pauses import Pauses
from .thinking import Thinking, TooLong
from .watch import Watch

LOOK_SECONDS = 0.25
"""How often it looks without being woken: deadlines may be late by this."""
REST_SECONDS = 0.05
"""How often it looks at most while it has nothing to do, however much others play."""
CLAIM_SECONDS = 15.0
"""How long a claim on a choice lasts before others may take it; well above what any bot takes."""
PATIENCE_SECONDS = 15.0
"""How long the choice of a bot that cannot play here is left to workers where it can, perhaps of another release."""
BEAT_SECONDS = 1.0
CLEAR_SECONDS = 60.0
"""How often it looks for idle games, and for what is to be deleted."""
PAUSE_SECONDS = 60.0
"""How long it leaves a game alone after a fault, of the game or of ours."""
STUCK_SECONDS = 60.0
"""How long one task may take before it is broken off: many times what any takes, on a slow machine too."""
BUSY_SECONDS = 10.0
"""How long it leaves a game alone to which others were writing for too long."""
_BATCH = 20
_LOOKED_AT = 200
_PUT_OFF = 1000
"""How many deadlines are put off at a time: their games are locked meanwhile."""
_OF_THE_DATABASE = (Busy, DatabaseUnavailable)
_QUICK = (DEFAULT, *(name for name in NAMES if name not in THOUGHTFUL))
_REMEMBERED = 100
"""How many of the players served last are remembered."""

_log = logs.get_logger("holmgang.worker")


class _Illegal(Exception):
    """A bot made an illegal choice."""


def _reason(fault: Exception) -> str:
    """Why a bot could not choose, as a word for metrics and logs."""
    if isinstance(fault, registry.UnknownBot):
        return "cannot_play"
    if isinstance(fault, TooLong):
        return "too_long"
    return "illegal" if isinstance(fault, _Illegal) else "raised"


def _able() -> dict[str, tuple[str, ...]]:
    """Who can play each ruleset here."""
    return {ruleset: (DEFAULT, *registry.playing(ruleset)) for ruleset in games.names()}


def _named(about: Mapping[str, str | int]) -> dict[str, str | int]:
    return {f"holmgang.{name}": value for name, value in about.items()}


class Worker:
    """One worker over a store. `rng` is the chance of bots; the chance of games never comes from it.

    Games that are idle for `archive_days` are archived. Games that ended without a choice of a person are deleted after
    `empty_days`.
    """

    def __init__(
        self, store: Store, rng: random.Random | None = None, *, archive_days: int = 30, empty_days: int = 7
    ) -> None:
        self._store = store
        self._archive_days, self._empty_days = archive_days, empty_days
        self._rng = random.SystemRandom() if rng is None else rng
        self._stopping = threading.Event()
        self._watch = Watch(STUCK_SECONDS)
        self._clearing = [
            self._archive,
            self._forget_deliveries,
            self._forget_answers,
            self._forget_revisions,
            self._forget_empty_games,
        ]
        self._keeping = Chores([self._sweep, self._beat, self._end_overdue_turns, self._rate, *self._clearing])
        self._meeting, self._analysing = meeting(store), Analysing(store, self._stopping)
        self._late, self._quick, self._thoughtful, self._unrated = Pauses(), Pauses(), Pauses(), Pauses()
        """Games left alone by the task that failed: ending a turn, a quick choice, a long one, rating. Each belongs to
        one thread."""
        self._served: list[UUID] = []
        """Creators of the games in which a thoughtful bot has chosen, the latest last."""
        self._thinking = Thinking()

    def run(self) -> None:
        """Work until `stop` is called, and finish choices under way. Wait while the database cannot be reached."""
        any_game, meeting_of = self._store.watch_all, partial(self._store.watch_revision, MEETING)
        players = [
            threading.Thread(target=self._repeat, args=(look, of, seconds), name=name)
            for name, look, of, seconds in (
                ("play", self._play, any_game, LOOK_SECONDS),
                ("think", self._think, any_game, LOOK_SECONDS),
                ("meet", self._meeting.carry_out, meeting_of, MEET_SECONDS),
                ("analyse", self._analysing, meeting_of, ANALYSE_SECONDS),
            )
        ]
        watching = threading.Thread(target=self._watch.run, name="watch", daemon=True)
        for thread in (*players, watching):
            thread.start()
        self._repeat(self._keeping.carry_out, any_game, LOOK_SECONDS)
        for player in players:
            player.join()

    def _repeat(self, look: Chore, watching: Callable[[], AbstractContextManager[Heard]], seconds: float) -> None:
        """Look for work whenever what is watched has changed, and every so many seconds."""
        with watching() as watch:
            while not self._stopping.is_set():
                looked = time.monotonic()
                watch.listen()
                try:
                    busy = look()
                except Exception as fault:
                    tell(fault)
                    self._stopping.wait(AWAY_SECONDS)
                else:
                    if not busy:
                        watch.wait(seconds)
                        self._stopping.wait(looked + REST_SECONDS - time.monotonic())

    def stop(self) -> None:
        self._stopping.set()
        self._watch.stop()

    def work(self) -> bool:
        """One batch of everything that is due now; whether there was anything. A fault of one chore is raised when the
        others are done."""
        busy, faults = each((*self._keeping.due(), *self._meeting.due(), self._play, self._think, self._analysing))
        for fault in faults.values():
            raise fault
        return busy

    def _beat(self) -> bool:
        beat, going_on = Beat(finished=False), True
        while going_on:
            with self._store.transaction() as tables:
                beat = tables.beat(deadlines.OUTAGE_SECONDS, "deadline_put_off", _PUT_OFF, beat.below)
            going_on = beat.below is not None and not self._stopping.is_set()
        if not beat.finished:
            return False  # a game is locked; until its deadline is put off, no deadline holds
        self._keeping.rest(self._beat, BEAT_SECONDS)
        metrics.note_memory("worker")
        if beat.outage:
            _log.warning(
                "deadlines were put off: no worker was there to keep them, or the clock jumped",
                seconds=round(beat.outage),
            )
        return False

    def _sweep(self) -> bool:
        """Every BEAT_SECONDS; whether anything was to be mended."""
        self._keeping.rest(self._sweep, BEAT_SECONDS)
        with self._store.reading() as tables:
            swept = tables.sweep(self._empty_days)
        if swept:
            _log.info("games were seen to whose changes nobody had told", games=swept)
        return swept > 0

    def _end_overdue_turns(self) -> bool:
        with self._store.reading() as tables:
            overdue = tables.overdue(_BATCH, self._late.games())
        return self._attempt_each(
            "deadline", self._late, [(game, partial(self._expire, game), {"game": str(game)}) for game in overdue]
        )

    def _expire(self, game: UUID) -> bool:
        with self._store.transaction() as tables:
            ended = deadlines.expire(tables, game)
        if ended:
            metrics.ENDED.inc()
        return ended

    def _play(self) -> bool:
        """One batch of quick choices."""
        return bool(self._choose_some(_BATCH, _QUICK, self._quick))

    def _think(self) -> bool:
        """One long choice, in a game of the creator who has waited longest for one."""
        chosen = self._choose_some(1, THOUGHTFUL, self._thoughtful, self._served)
        for task in chosen:
            self._served = [*(creator for creator in self._served if creator != task.creator), task.creator]
        self._served = self._served[-_REMEMBERED:]
        return bool(chosen)

    def _choose_some(self, limit: int, by: Sequence[str], pauses: Pauses, served: Sequence[UUID] = ()) -> list[Task]:
        with self._store.reading() as tables:  # one statement needs no transaction around it
            tasks = tables.claim_tasks(limit, CLAIM_SECONDS, by, served, pauses.games(), _able(), PATIENCE_SECONDS)
        self._attempt_each(
            "choice",
            pauses,
            [(task.game, partial(self._choose, task), {"game": str(task.game), "seat": task.seat}) for task in tasks],
        )
        return tasks

    def _choose(self, task: Task) -> bool:
        """Think without holding anything of the database, then make the choice; whether it was still asked for.

        If a bot cannot choose, or its choice cannot be carried out, the seat is played by default: no game stands
        still for a bot.
        """
        with self._store.reading() as tables:
            seen = stand_ins.seen_by(tables, task)
        if seen is None:
            return False
        if task.by == DEFAULT:
            return self._carry_out(task, self._thought(seen, task))
        try:
            return self._carry_out(task, self._thought(seen, task))
        except _OF_THE_DATABASE:
            raise
        except FAULTS as raised:
            failed = as_fault(raised)
        value = self._thought(seen, msgspec.structs.replace(task, by=DEFAULT))
        if not self._carry_out(task, value, defaulted=True):
            return False
        reason = _reason(failed)
        metrics.BOT_DEFAULTS.labels(task.by, seen.rules.ruleset, reason).inc()
        _log.warning(
            "a bot could not choose, and its seat was played by default",
            bot=task.by,
            ruleset=seen.rules.ruleset,
            reason=reason,
            fault=str(failed),
            exc_info=failed if reason == "raised" else None,
        )
        return True

    def _carry_out(self, task: Task, value: Any, *, defaulted: bool = False) -> bool:
        with self._store.transaction() as tables:
            return stand_ins.carry_out(tables, task, value, defaulted=defaulted)

    def _thought(self, seen: Position[GameRow], task: Task) -> Any:
        """What the seat chooses, as JSON. This is code of a game: it may raise any error, or never return."""
        rules = seen.rules

        def choose() -> Any:
            value = stand_ins.choice(seen, task, partial(self._bot, task.by))
            try:
                stand_ins.check(seen, task, value)
            except (IllegalAction, MalformedAction) as fault:
                raise _Illegal(str(fault)) from None
            return value

        if task.by != DEFAULT and not registry.plays(task.by, rules.ruleset):
            raise registry.UnknownBot(f"no bot '{task.by}' plays {rules.ruleset} here")
        return self._thinking.choose((task.by, rules.ruleset, rules.version), choose)

    def _bot(self, name: str, rules: AnyRules, view: Any) -> Any:
        with metrics.CHOICES.labels(name, rules.ruleset).time():
            return registry.find(name).choose(rules, view, self._rng)

    def _rate(self) -> bool:
        """Rate one game of each ruleset; whether any was rated.

        A game that is locked, or cannot be rated, does not hold up others: it comes after games that ended later.
        """
        with self._store.reading() as tables:
            due = ratings.due(tables, self._unrated.games())
        return self._attempt_each(
            "rating",
            self._unrated,
            [(game, partial(self._count, ruleset, game), {"game": str(game)}) for ruleset, game in due],
        )

    def _count(self, ruleset: str, game: UUID) -> bool:
        with self._store.transaction() as tables:
            return ratings.count(tables, ruleset, game)

    def _archive(self) -> bool:
        with self._store.reading() as tables:
            return self._cleared(self._archive, archive.archive(tables, self._archive_days, _LOOKED_AT))

    def _forget_deliveries(self) -> bool:
        with self._store.reading() as tables:
            return self._cleared(self._forget_deliveries, tables.forget_deliveries(KEPT_DAYS, _LOOKED_AT))

    def _forget_answers(self) -> bool:
        with self._store.reading() as tables:
            return self._cleared(self._forget_answers, tables.forget_answers(_LOOKED_AT))

    def _forget_revisions(self) -> bool:
        with self._store.reading() as tables:
            return self._cleared(self._forget_revisions, tables.forget_revisions(_LOOKED_AT))

    def _forget_empty_games(self) -> bool:
        with self._store.transaction() as tables:
            deleted = tables.forget_empty_games(self._empty_days, _LOOKED_AT)
        if deleted:
            _log.info("games in which no person ever chose anything were deleted", games=deleted)
        return self._cleared(self._forget_empty_games, deleted)

    def _cleared(self, chore: Chore, number: int) -> bool:
        """Whether there may be more to clear away now; if not, the chore is due again in CLEAR_SECONDS."""
        if number < _LOOKED_AT:
            self._keeping.rest(chore, CLEAR_SECONDS)
        return number >= _LOOKED_AT

    def _attempt_each(
        self,
        what: str,
        pauses: Pauses,
        tasks: Iterable[tuple[UUID, Callable[[], bool], Mapping[str, str | int]]],
    ) -> bool:
        """Attempt each task, whether or not others fail, until the worker is told to stop; whether any did anything.

        Where the database fails one, because its row is locked, its connection was cut or its node is lost, that game
        is passed over for a while. If all of the database is down, finding the next tasks fails. What the database
        failed is tried once more after all others: games of a silent node may have held the connections, until it was
        known to be silent.
        """
        done, left, faults = False, list(tasks), list[Exception]()
        for last in (False, True):
            again = []
            for game, do, about in left:
                if self._stopping.is_set():
                    break
                try:
                    done |= self._attempt(what, pauses, game, do, about)
                except _OF_THE_DATABASE as fault:
                    if last or isinstance(fault, Busy):
                        faults.append(fault)
                    else:
                        again.append((game, do, about))
            left = again
        if faults:
            _log.warning("games are passed over for a while", task=what, games=len(faults), fault=str(faults[-1]))
        return done or bool(faults)

    def _attempt(
        self, what: str, pauses: Pauses, game: UUID, do: Callable[[], bool], about: Mapping[str, str | int]
    ) -> bool:
        """A game that fails is left alone for a while, so that it does not hold up others. Log lines meanwhile say what
        they are `about`."""
        with bound_contextvars(**about), tracing.span(f"worker: {what}", **_named(about)):
            try:
                with self._watch.limited():
                    return do()
            except _OF_THE_DATABASE as fault:
                if isinstance(fault, Busy):
                    pauses.begin(game, BUSY_SECONDS)
                else:
                    pauses.begin(game, AWAY_SECONDS, doubling=True)
                raise
            except FAULTS:
                pauses.begin(game, PAUSE_SECONDS)
                metrics.WORKER_FAULTS.inc()
                _log.exception(
                    "the worker could not do this, and leaves the game alone for a while",
                    task=what,
                    seconds=PAUSE_SECONDS,
                )
                return False
