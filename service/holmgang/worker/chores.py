"""What the worker does besides playing: chores that fail one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from holmgang import logs
from holmgang.app.errors import Refusal

Chore = Callable[[], bool]
"""One batch of something; whether there was anything to do."""

_log = logs.get_logger("holmgang.worker")


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
