"""Counters of rate limits: in memory, or in a store that all processes share.

The store in memory of the library `limits` looks through all its keys a hundred times a second, each time in a new
thread, which costs a process with many callers more than their requests. Ours forgets what is over once a window. A
shared store may be away; then nothing is counted: a limit is no reason to be down.
"""

import math
import time
from threading import Lock
from typing import cast

from limits.storage import Storage, storage_from_string

from holmgang import logs

TIMEOUT_S = 0.25
"""How long a shared store may take to be reached, and to answer."""
PAUSE_S = 5.0
"""How long a store that failed is left alone, so that no more than one request in that time waits for it."""
WARNING_S = 60.0

_log = logs.get_logger("holmgang.limits")


class MemoryCounter:
    """Counts by key, each in a fixed window that begins with its first count."""

    def __init__(self) -> None:
        self._windows: dict[str, tuple[float, int]] = {}
        self._lock = Lock()
        self._swept = time.time()
        self._longest = 0

    def __len__(self) -> int:
        """How many keys are remembered."""
        return len(self._windows)

    def count(self, key: str, window: int, amount: int = 1) -> tuple[int, float]:
        """Add to the key's count. Returns the count in its window, and when that ends, in seconds since 1970."""
        now = time.time()
        with self._lock:
            ends, count = self._windows.get(key, (0.0, 0))
            if not now < ends <= now + window:  # later than a whole window: the clock was set back
                ends, count = now + window, 0
            count += amount
            self._windows[key] = ends, count
            if window > self._longest:
                self._longest = window
            if not self._swept <= now < self._swept + window:  # before it: the clock was set back
                self._swept, last = now, now + self._longest
                self._windows = {key: kept for key, kept in self._windows.items() if now < kept[0] <= last}
        return count, ends


class SharedCounter:
    """Counts in a store outside this process."""

    def __init__(self, store: Storage) -> None:
        self._store = store
        self._away = False
        self._retry_at = self._warn_at = -math.inf

    def count(self, key: str, window: int, amount: int = 1) -> tuple[int, float] | None:
        """Like `MemoryCounter.count`; None while the store fails."""
        if self._away:
            if time.monotonic() < self._retry_at:
                return None
            self._retry_at = time.monotonic() + PAUSE_S  # other requests do not wait beside this one
        try:
            counted = self._store.incr(key, window, amount), self._store.get_expiry(key)
        except Exception as fault:  # the network's, the driver's or the store's
            self._failed(fault)
            return None
        self._away = False
        return counted

    def _failed(self, fault: Exception) -> None:
        now = time.monotonic()
        self._away, self._retry_at = True, now + PAUSE_S
        if now >= self._warn_at:
            self._warn_at = now + WARNING_S
            # Its type alone: when an old Redis refuses a login, the message has the password in it.
            _log.warning("requests are not counted, since their store fails", fault=type(fault).__name__)


def counter(url: str) -> MemoryCounter | SharedCounter:
    """The counter of a setting: `memory://`, or the address of a store as `limits` reads it."""
    if url.startswith("memory:"):
        return MemoryCounter()
    store = storage_from_string(url, socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S)
    return SharedCounter(cast("Storage", store))
