"""What the worker does besides playing: chores that fail one by one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from holmgang import logs
from holmgang.app.errors import Refusal

Chore = Callable[[], bool]
"""One batch of something; whether there was anything to do."""

AWAY_SECONDS = 1.0
"""How long a chore rests when the database cannot be reached, and at first a game whose node cannot."""

_log = logs.get_logger("holmgang.worker")


class Chores:
    """Chores that are each due unless they rest: after a fault, or because they are seldom due. They belong to one
    thread."""

    def __init__(self, chores: Iterable[Chore]) -> None:
        self._chores = list(chores)
        self._resting: dict[Chore, float] = {}

    def add(self, chore: Chore, seconds: float) -> None:
        """One that rests for so long once there is nothing to do."""

        def batch() -> bool:
            busy = chore()
            if not busy:
                self.rest(batch, seconds)
            return busy

        self._chores.append(batch)

    def due(self) -> list[Chore]:
        now = time.monotonic()
        return [chore for chore in self._chores if self._resting.get(chore, now) <= now]

    def rest(self, chore: Chore, seconds: float) -> None:
        self._resting[chore] = time.monotonic() + seconds

    def carry_out(self) -> bool:
        """One batch of all that is due; whether there was anything to do. A chore that fails rests, while others go
        on."""
        busy, faults = each(self.due())
        for chore, fault in faults.items():
            tell(fault)
            self.rest(chore, AWAY_SECONDS)
        return busy


def each(chores: Iterable[Chore]) -> tuple[bool, dict[Chore, Exception]]:
    """Carry out each, whatever becomes of the others; whether any had something to do, and the faults."""
    busy, faults = False, dict[Chore, Exception]()
    for chore in chores:
        try:
            busy |= chore()
        except Exception as fault:
            faults[chore] = fault
    return busy, faults


def tell(fault: Exception) -> None:
    if isinstance(fault, Refusal):
        _log.warning("the worker waits", fault=str(fault))
    else:
        _log.error("the worker tries again", exc_info=fault)
