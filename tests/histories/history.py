"""What racing clients asked and what they were told, with the times of both: what the laws of `checking` judge."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

GONE = 0
"""The status of a call whose answer never came."""


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """One call of a client and its answer, in seconds of one clock.

    `who` holds the token, `address` is the path without its query, `known` the tag that the call named, `key` its
    Idempotency-Key, `waits` for how many seconds it was ready to wait. Of the answer `facts` keeps what a law looks at:
    of a turn `turn`, `status`, `yours`; of a feed `version`; of the inbox `turns`; of a receipt `id`, `turn`,
    `revision`, `state`; of a refusal `code`, `current_turn`.
    """

    who: str
    what: str
    address: str
    began: float
    ended: float
    status: int
    game: str | None = None
    seat: int | None = None
    known: str | None = None
    tag: str | None = None
    key: str | None = None
    waits: int = 0
    sent: Any = None
    facts: dict[str, Any] = {}

    @property
    def taken(self) -> bool:
        return self.status in (200, 201)


class History:
    """Calls of many threads, in the order in which their answers came; and when faults were made."""

    def __init__(self, calls: Iterable[Call] = (), faults: Iterable[tuple[float, float]] = ()) -> None:
        self.calls = list(calls)
        self.faults = list(faults)
        """From when to when the service was disturbed on purpose."""
        self._lock = threading.Lock()

    def add(self, call: Call) -> None:
        with self._lock:
            self.calls.append(call)

    def of(self, *whats: str) -> list[Call]:
        return [call for call in self.calls if call.what in whats]

    def disturbed(self, begins: float, ends: float) -> bool:
        """Whether there was a fault in that time."""
        return any(begins < end and start < ends for start, end in self.faults)

    def write(self, path: Path) -> None:
        """As JSON lines, for whoever has to find out what happened."""
        path.write_bytes(b"\n".join(map(msgspec.json.encode, self.calls)))
