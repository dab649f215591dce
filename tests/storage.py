"""A store of rate limits as the library `limits` has them, which fails when it is told to."""

from __future__ import annotations

from holmgang.api.http.counting import MemoryCounter


class FakeStorage:
    """Counts, or raises its `fault` if it has one."""

    def __init__(self, fault: Exception | None = None) -> None:
        self.fault = fault
        self.asked = 0
        self._counter = MemoryCounter()
        self._ends: dict[str, float] = {}

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        self.asked += 1
        if self.fault is not None:
            raise self.fault
        count, self._ends[key] = self._counter.count(key, expiry, amount)
        return count

    def get_expiry(self, key: str) -> float:
        return self._ends[key]
