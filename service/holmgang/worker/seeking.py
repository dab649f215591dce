"""Who seeks a game is brought together: by any number of workers, each with the tables that it gets hold of."""

from __future__ import annotations

import random
import time
from collections import deque

from holmgang import logs, metrics
from holmgang.app.errors import Busy, DatabaseUnavailable
from holmgang.app.meeting import seeks
from holmgang.app.meeting.matching import Match
from holmgang.app.ports import Store
from holmgang.interrupts import FAULTS

from .pauses import Pauses

AGAIN_SECONDS = 5.0
"""How often those who fitted nobody are looked at again: ranges widen, ratings change, and blocks end."""
EXPIRE_SECONDS = 1.0
FORGET_SECONDS = 60.0
PAUSE_SECONDS = 60.0
"""How long seeks are left alone of which no game could be made."""
_BATCH = 20
_ENDED_AT_ONCE = 500

_log = logs.get_logger("holmgang.worker")


class Seeking:
    """A chore over a store. `rng` draws who sits where."""

    def __init__(self, store: Store, rng: random.Random | None = None) -> None:
        self._store = store
        self._rng = random.SystemRandom() if rng is None else rng
        self._found = deque[Match]()
        """Tables to be filled. Whoever sits down is asked again whether they still wait."""
        self._pauses = Pauses()
        self._next = dict.fromkeys(("again", "expire", "forget"), 0.0)

    def __call__(self) -> bool:
        """End what is over, and fill some tables; whether there was anything to do."""
        busy = self._expire()
        if not self._found:
            self._find()
        for _ in range(min(_BATCH, len(self._found))):
            busy |= self._bring_together(self._found.popleft())
        return busy or bool(self._found)

    def _due(self, what: str, seconds: float) -> bool:
        now = time.monotonic()
        if now < self._next[what]:
            return False
        self._next[what] = now + seconds
        return True

    def _find(self) -> None:
        with self._store.reading() as tables:
            pools = tables.pools(again=self._due("again", AGAIN_SECONDS))
        for pool in pools:
            with self._store.transaction() as tables:
                self._found.extend(seeks.find(tables, pool, self._pauses.games()))

    def _bring_together(self, match: Match) -> bool:
        """Whether they play now. What the database failed is looked at again at once, other faults after a while."""
        try:
            with self._store.transaction() as tables:
                game = seeks.bring_together(tables, match, self._rng)
        except (Busy, DatabaseUnavailable):
            raise
        except FAULTS:
            for one in match.seekers:
                self._pauses.begin(one.id, PAUSE_SECONDS)
            with self._store.reading() as tables:
                tables.mark_tried([one.id for one in match.seekers])
            metrics.WORKER_FAULTS.inc()
            _log.exception(
                "no game could be made of these seeks, and the worker leaves them alone for a while",
                seeks=[str(one.id) for one in match.seekers],
                seconds=PAUSE_SECONDS,
            )
            return False
        if game is not None:
            metrics.SEEKS_MATCHED.inc(match.seats)
        return game is not None

    def _expire(self) -> bool:
        ended = forgotten = 0
        if self._due("expire", EXPIRE_SECONDS):
            with self._store.transaction() as tables:
                ended = seeks.expire(tables, _ENDED_AT_ONCE)
        if self._due("forget", FORGET_SECONDS):
            with self._store.reading() as tables:
                forgotten = tables.forget_seeks(seeks.KEPT_HOURS, _ENDED_AT_ONCE)
        for what, number in (("expire", ended), ("forget", forgotten)):
            if number == _ENDED_AT_ONCE:
                self._next[what] = 0.0
        return bool(ended or forgotten)
