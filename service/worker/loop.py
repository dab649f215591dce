"""The worker: ends turns whose time is up, plays for built-in bots and for the absent, rates what is over, and archives
what nobody touches.

All of its work is rows of the database, taken with SKIP LOCKED or by an expiring claim, so any number of workers may
run, and one that is killed loses nothing: another takes the work up when the claim has run out. A choice is made in one
transaction that looks once more whether it is still asked for, so none is made twice.
"""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import UUID

from service.app import absence, archive, ratings
from service.app.errors import Refusal
from service.app.ports import Store
from service.app.values import Task
from service.bots import registry
from service.engine.rules import AnyRules

LOOK_SECONDS = 0.25
"""How often it looks without being woken: what a deadline may be late by."""
REST_SECONDS = 0.05
"""How often it looks at most when there is nothing for it to do, however much others play."""
CLAIM_SECONDS = 15.0
"""How long a worker may think before others take the choice up; well above what any bot takes."""
OUTAGE_SECONDS = 10.0
"""A pulse older than this means that no worker was there to keep deadlines."""
BEAT_SECONDS = 1.0
ARCHIVE_SECONDS = 60.0
"""How often it looks for games that nobody touches."""
AWAY_SECONDS = 1.0
"""How long it waits for a database that is away."""
_BATCH = 20
_LOOKED_AT = 200

_log = logging.getLogger("holmgang.worker")


class Worker:
    """One worker over a store. Bots draw their luck from `rng`, which no game's chance has to do with.

    Games that nobody touches for `archive_days` are archived.
    """

    def __init__(self, store: Store, rng: random.Random | None = None, *, archive_days: int = 30) -> None:
        self._store = store
        self._archive_days = archive_days
        self._rng = random.SystemRandom() if rng is None else rng
        self._stopping = threading.Event()
        self._beaten = 0.0
        self._archived = -ARCHIVE_SECONDS
        self._unratable: set[UUID] = set()

    def run(self) -> None:
        """Work until `stop` is called. A database that is away is waited for."""
        with self._store.watch_all() as watch:
            while not self._stopping.is_set():
                looked = time.monotonic()
                watch.listen()
                try:
                    busy = self.work()
                except Refusal as fault:
                    _log.warning("The worker waits: %s", fault)
                    self._stopping.wait(AWAY_SECONDS)
                    continue
                if not busy:
                    watch.wait(LOOK_SECONDS)
                    self._stopping.wait(looked + REST_SECONDS - time.monotonic())

    def stop(self) -> None:
        self._stopping.set()

    def work(self) -> bool:
        """One round: everything that is due now, as far as one batch goes; whether there was anything."""
        self._beat()
        return self._end_overdue_turns() | self._rate() | self._play() | self._archive()

    def _beat(self) -> None:
        now = time.monotonic()
        if now < self._beaten + BEAT_SECONDS:
            return
        with self._store.transaction() as tables:
            outage = tables.beat(OUTAGE_SECONDS, "deadline_put_off")
        self._beaten = now
        if outage:
            _log.warning("Deadlines were put off by %.0f seconds: no worker was there to keep them.", outage)

    def _end_overdue_turns(self) -> bool:
        with self._store.reading() as tables:
            overdue = tables.overdue(_BATCH)
        for game in overdue:
            self._attempt(f"the deadline of game {game}", partial(self._expire, game))
        return bool(overdue)

    def _expire(self, game: UUID) -> None:
        with self._store.transaction() as tables:
            absence.expire(tables, game)

    def _play(self) -> bool:
        with self._store.transaction() as tables:
            tasks = tables.claim_tasks(_BATCH, CLAIM_SECONDS)
        for task in tasks:
            if self._stopping.is_set():
                break  # the claims run out, and another takes them up
            self._attempt(f"seat {task.seat} of game {task.game}", partial(self._choose, task))
        return bool(tasks)

    def _choose(self, task: Task) -> None:
        """Think with nothing held, then make the choice."""
        with self._store.reading() as tables:
            seen = absence.seen_by(tables, task)
        if seen is None:
            return
        value = absence.choice(seen, task, lambda rules, view: self._bot(task, rules, view))
        with self._store.transaction() as tables:
            absence.carry_out(tables, task, value)

    def _bot(self, task: Task, rules: AnyRules, view: Any) -> Any:
        return registry.find(task.by).choose(rules, view, self._rng)

    def _rate(self) -> bool:
        """Count a game of each ruleset; whether any was. What cannot be counted must not keep others waiting."""
        with self._store.reading() as tables:
            due = ratings.due(tables, self._unratable)
        counted = [self._count(ruleset, game) for ruleset, game in due]
        return True in counted

    def _count(self, ruleset: str, game: UUID) -> bool:
        try:
            with self._store.transaction() as tables:
                return ratings.count(tables, ruleset, game)
        except Refusal:
            raise
        except Exception:
            self._unratable.add(game)
            _log.exception("Game %s cannot be rated; this worker passes it over from now on", game)
            return False

    def _archive(self) -> bool:
        """Look for idle games, seldom: whether there may be more of them to look at now."""
        now = time.monotonic()
        if now < self._archived + ARCHIVE_SECONDS:
            return False
        with self._store.reading() as tables:
            more = archive.archive(tables, self._archive_days, _LOOKED_AT) == _LOOKED_AT
        if not more:
            self._archived = now
        return more

    def _attempt(self, what: str, do: Callable[[], object]) -> None:
        """One bad game must not keep others from being played."""
        try:
            do()
        except Refusal:
            raise
        except Exception:
            _log.exception("The worker could not play %s", what)
