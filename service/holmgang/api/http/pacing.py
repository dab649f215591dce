"""Token buckets: they spread over time what would otherwise come all at once.

Even a small share of a process's time is felt by others if one caller takes it all at once. Hence expensive requests
beyond a few are delayed. Refusals, preflights and health checks cost little, but a client that repeats them on hundreds
of connections would keep a process busy with nothing else. A request that is delayed costs nothing meanwhile.
"""

import random
import time
from threading import Lock

RATE, BURST = 50, 20
"""Answers without a slot, of a process to one network: in a second, and at once."""
LEAST_SECONDS = 1e-3
"""Shorter delays are none."""
_KEPT = 10_000


class TokenBuckets:
    """A bucket for each key, which holds `burst` tokens and gets `rate` in a second. Each is kept as the time when it
    will be full again (the generic cell rate algorithm)."""

    def __init__(self, rate: float = RATE, burst: float = BURST) -> None:
        self._gap = 1 / rate
        self._ahead = burst / rate
        self._full_at: dict[str, float] = {}
        self._lock = Lock()

    def reserve(self, key: str, tokens: int, longest: float) -> float:
        """Take tokens: in how many seconds they will be there. If that is more than `longest`, none are taken."""
        now = time.monotonic()
        with self._lock:
            full_at = max(self._full_at.get(key, 0.0), now) + tokens * self._gap
            seconds = max(full_at - now - self._ahead, 0.0)
            if seconds <= longest:
                self._full_at[key] = full_at
            if len(self._full_at) > _KEPT:
                self._full_at = {each: when for each, when in self._full_at.items() if when > now}
        return seconds

    def debt(self, key: str) -> float:
        """In how many seconds the tokens that were taken will be there."""
        full_at = self._full_at.get(key)
        return 0.0 if full_at is None else max(full_at - time.monotonic() - self._ahead, 0.0)

    def refund(self, key: str, tokens: int) -> None:
        """Put back tokens that were not needed."""
        with self._lock:
            if key in self._full_at:
                self._full_at[key] -= tokens * self._gap

    def delay(self, key: str, longest: float) -> None:
        """Wait for a token, but not much longer than `longest` seconds."""
        seconds = self.reserve(key, 1, longest)
        if seconds > longest:  # not all at the same moment
            seconds = longest * random.uniform(0.5, 1.0)  # noqa: S311 # no secret
        if seconds > LEAST_SECONDS:
            time.sleep(seconds)
