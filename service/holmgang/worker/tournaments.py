"""What the worker does for tournaments: counts games that are over, and lets those that are due go on."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial
from uuid import UUID

from holmgang import logs, metrics
from holmgang.app.errors import Busy, DatabaseUnavailable
from holmgang.app.ports import Store, Tables
from holmgang.app.records.tournaments import ToCount
from holmgang.app.tournaments import progress
from holmgang.app.tournaments.progress import Wanted
from holmgang.interrupts import FAULTS, as_fault
from holmgang.tournaments.meetings import Pairing

from .chores import AWAY_SECONDS
from .pauses import Pauses

_BATCH = 20
PAUSE_SECONDS = 60.0
"""How long a tournament is left alone after a fault."""
PATIENCE_SECONDS = 0.2
"""How long a pairing is waited for; others are looked for later."""

LONGEST_SECONDS = 0.5
"""How long it waits at most before it looks again for games to count."""

_log = logs.get_logger("holmgang.worker")


class _Pairing(threading.Thread):
    """A pairing that is computed, which may take a minute: it is nobody's loss when the process ends meanwhile."""

    def __init__(self, wanted: Wanted) -> None:
        super().__init__(name="pairing", daemon=True)
        self.wanted = wanted
        self.found: Pairing | None = None
        self.fault: BaseException | None = None

    def run(self) -> None:
        try:
            self.found = self.wanted.paired()
        except BaseException as fault:
            self.fault = fault


class Tournaments:
    """Of one worker over a store. It belongs to one thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._uncounted, self._standing = Pauses(), Pauses()
        """Games and tournaments left alone after a fault."""
        self._looks_again = 0.0
        self._pairings: dict[UUID, _Pairing] = {}

    def __call__(self) -> bool:
        """One batch; whether there was anything to do."""
        done = False
        for ident, pairing in [*self._pairings.items()]:
            if not pairing.is_alive():
                done |= self._attempt(self._standing, ident, partial(self._settle, ident, pairing))
        with self._store.reading() as tables:
            games = self._to_count(tables)
            due = progress.due(tables, _BATCH, [*self._standing.games(), *self._pairings])
        for one in games:
            done |= self._attempt(self._uncounted, one.game, partial(self._count, one))
        for ident in due:
            done |= self._attempt(self._standing, ident, partial(self._advance, ident))
        return done

    def _to_count(self, tables: Tables) -> list[ToCount]:
        """Games that are to be counted. With thousands under way the look takes a while, and there are moves all the
        time: at most a tenth of it goes into looking in vain."""
        began = time.monotonic()
        if began < self._looks_again:
            return []
        found = progress.to_count(tables, _BATCH, self._uncounted.games())
        now = time.monotonic()
        self._looks_again = now if found else now + min(9 * (now - began), LONGEST_SECONDS)
        return found

    def _count(self, one: ToCount) -> bool:
        with self._store.transaction() as tables:
            return progress.count(tables, one)

    def _advance(self, ident: UUID) -> bool:
        with self._store.transaction() as tables:
            found = progress.advance(tables, ident)
        if not isinstance(found, Wanted):
            return found
        pairing = _Pairing(found)
        pairing.start()
        pairing.join(PATIENCE_SECONDS)
        if pairing.is_alive():
            self._pairings[ident] = pairing
            return True
        return self._settle(ident, pairing)

    def _settle(self, ident: UUID, pairing: _Pairing) -> bool:
        self._pairings.pop(ident, None)
        if pairing.fault is not None:
            raise as_fault(pairing.fault)
        with self._store.transaction() as tables:
            return progress.settle(tables, pairing.wanted, pairing.found)

    def _attempt(self, pauses: Pauses, ident: UUID, do: Callable[[], bool]) -> bool:
        """What fails is left alone for a while, so that it does not hold up others."""
        try:
            return do()
        except (Busy, DatabaseUnavailable) as fault:
            pauses.begin(ident, AWAY_SECONDS, doubling=True)
            _log.warning("a tournament is passed over for a while", id=str(ident), fault=str(fault))
        except FAULTS:
            pauses.begin(ident, PAUSE_SECONDS)
            metrics.WORKER_FAULTS.inc()
            _log.exception("the worker could not let a tournament go on", id=str(ident), seconds=PAUSE_SECONDS)
        return False
