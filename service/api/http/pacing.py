"""A pace for what would come too thick: dear requests of one caller, and answers that take no place in the line.

However little of a process's time is one caller's, all of it at once is felt by others. Hence dear requests beyond a
few are spread over time. Refusals, preflights and health cost little, but who asks again at once, on hundreds of
connections, would keep a process busy with nothing else. What waits until it is due costs nothing.
"""

from __future__ import annotations

import random
import time
from threading import Lock

A_SECOND, AT_ONCE = 50, 20
"""Answers that take no place, of a process to one network: in a second, and without a wait."""
LEAST_SECONDS = 1e-3
"""What is due so soon is due."""
_KEPT = 10_000


class Pace:
    """When each caller's next request is due: `a_second` of them, with `at_once` ahead."""

    def __init__(self, a_second: float = A_SECOND, at_once: float = AT_ONCE) -> None:
        self._gap = 1 / a_second
        self._ahead = at_once / a_second
        self._due: dict[str, float] = {}
        """By when all that each has asked would have been done, in even steps."""
        self._lock = Lock()

    def ask(self, who: str, amount: int, longest: float) -> float:
        """In how many seconds a request of `amount` is due. It counts unless that is more than `longest`."""
        now = time.monotonic()
        with self._lock:
            due = max(self._due.get(who, 0.0), now) + amount * self._gap
            seconds = max(due - now - self._ahead, 0.0)
            if seconds <= longest:
                self._due[who] = due
            if len(self._due) > _KEPT:
                self._due = {each: when for each, when in self._due.items() if when > now}
        return seconds

    def late(self, who: str) -> float:
        """In how many seconds one who asks for nothing more would be due."""
        due = self._due.get(who)
        return 0.0 if due is None else max(due - time.monotonic() - self._ahead, 0.0)

    def give_back(self, who: str, amount: int) -> None:
        """So much of what was asked was not needed."""
        with self._lock:
            if who in self._due:
                self._due[who] -= amount * self._gap

    def keep(self, who: str, longest: float) -> None:
        """Wait until the next answer is due, but not much longer than `longest`."""
        seconds = self.ask(who, 1, longest)
        if seconds > longest:  # where all are late, they are not to come all together
            seconds = longest * random.uniform(0.5, 1.0)  # nosec B311 # no secret
        if seconds > LEAST_SECONDS:
            time.sleep(seconds)
