"""Where rate limits count when they count in memory.

The library's own store in memory looks through all its keys a hundred times a second, in a thread started anew each
time, which costs a process with many callers more than their requests. This one forgets what is over once a window.
"""

from __future__ import annotations

import time
from threading import Lock

from limits.storage import Storage


class Windows(Storage):
    """Counts by key, each in a window that begins with its first. Good for fixed windows only."""

    STORAGE_SCHEME = None

    def __init__(self) -> None:
        super().__init__()
        self._windows: dict[str, tuple[float, int]] = {}
        self._lock = Lock()
        self._swept = time.time()
        self._longest = 0

    @property
    def base_exceptions(self) -> type[Exception]:
        return ValueError  # nothing here fails

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        now = time.time()
        with self._lock:
            ends, count = self._windows.get(key, (0.0, 0))
            if not now < ends <= now + expiry:  # later than a whole window: the clock was set back
                ends, count = now + expiry, 0
            self._windows[key] = ends, count + amount
            self._longest = max(self._longest, expiry)
            if not self._swept <= now < self._swept + expiry:  # before it: the clock was set back
                self._swept, last = now, now + self._longest
                self._windows = {key: window for key, window in self._windows.items() if now < window[0] <= last}
        return count + amount

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
