"""How many requests may wait at the same time."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .callers import Client


class Room:
    """How many may wait at the same time: in this process, from one network seven eighths of that, and with one token
    (or, without one, from one network) `each`.

    The rest of a process's connections is kept for requests that do not wait.
    """

    def __init__(self, seats: int, each: int) -> None:
        self._seats, self._of_network, self._each = seats, seats - seats // 8, each
        self._taken, self._networks = Counter[str | bytes](), Counter[str]()
        self._lock = threading.Lock()

    def taken(self) -> int:
        """How many wait now."""
        with self._lock:
            return self._networks.total()

    @contextmanager
    def seat(self, client: Client) -> Iterator[bool]:
        """Whether there is room for one more, as long as the block lasts."""
        network, who = client.network, client.token or client.network
        with self._lock:
            room = (
                self._networks.total() < self._seats
                and self._networks[network] < self._of_network
                and self._taken[who] < self._each
            )
            if room:
                self._networks[network] += 1
                self._taken[who] += 1
        try:
            yield room
        finally:
            if room:
                with self._lock:
                    _give_back(self._networks, network)
                    _give_back(self._taken, who)


def _give_back(taken: Counter[Any], key: str | bytes) -> None:
    taken[key] -= 1
    if not taken[key]:
        del taken[key]
