"""Where rate limits count: in memory, or in a store that all processes share.

The library's own store in memory looks through all its keys a hundred times a second, in a thread started anew each
time, which costs a process with many callers more than their requests. Ours forgets what is over once a window. A store
that is shared may be away, and nothing is counted then: a limit is no reason to be down.
"""

from __future__ import annotations

import math
import time
from threading import Lock

from limits.storage import Storage

from service import logs

TIMEOUT_S = 0.25
"""How long a shared store may take to be reached, and to answer."""
PAUSE_S = 5.0
"""How long one that failed is left alone, so that no more than one request in that time waits for it."""
WARNING_S = 60.0

_log = logs.get_logger("holmgang.limits")


class Windows(Storage):
    """Counts by key, each in a window that begins with its first. Good for fixed windows only."""

    STORAGE_SCHEME = None

    def __init__(self) -> None:
        super().__init__()
        self._windows: dict[str, tuple[float, int]] = {}
        self._lock = Lock()
        self._swept = time.time()
        self._longest = 0

    def count(self, key: str, window: int, amount: int = 1) -> tuple[int, float]:
        """How many there are of the key in its window, with these, and when that ends, in seconds since 1970."""
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

    @property
    def base_exceptions(self) -> type[Exception]:
        return ValueError  # nothing here fails

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        return self.count(key, expiry, amount)[0]

    def get(self, key: str) -> int:
        ends, count = self._windows.get(key, (0.0, 0))
        return count if ends > time.time() else 0

    def get_expiry(self, key: str) -> float:
        """When the key's window ends, in seconds since 1970; now for one that has none."""
        now = time.time()
        ends, _ = self._windows.get(key, (0.0, 0))
        return max(ends, now)

    def check(self) -> bool:
        return True

    def reset(self) -> int:
        forgotten = len(self._windows)
        self._windows = {}
        return forgotten

    def clear(self, key: str) -> None:
        self._windows.pop(key, None)


class Shared:
    """Counts in a store outside this process."""

    def __init__(self, store: Storage) -> None:
        self._store = store
        self._away = False
        self._again = self._warn = -math.inf
        """Until when it is left alone, and not warned of again."""

    def count(self, key: str, window: int, amount: int = 1) -> tuple[int, float] | None:
        """The same as of `Windows`; None where the store cannot tell."""
        if self._away:
            if time.monotonic() < self._again:
                return None
            self._again = time.monotonic() + PAUSE_S  # others do not wait beside this one
        try:
            counted = self._store.incr(key, window, amount), self._store.get_expiry(key)
        except Exception as fault:  # the network's, the driver's or the store's
            self._failed(fault)
            return None
        self._away = False
        return counted

    def _failed(self, fault: Exception) -> None:
        now = time.monotonic()
        self._away, self._again = True, now + PAUSE_S
        if now >= self._warn:
            self._warn = now + WARNING_S
            # By its name alone: what an old Redis says of a login that it does not know has the password in it.
            _log.warning("requests are not counted, since their store fails", fault=type(fault).__name__)
