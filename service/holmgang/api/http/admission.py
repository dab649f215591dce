"""Admission control: how many requests a process works on at once, and how many it lets wait for news.

No more requests are worked on than there are database connections: if hundreds that wait are woken together, each would
otherwise be as slow as all of them. A request takes a slot before it is worked on, and gives it back while it waits for
news.

Slots are given out in a round robin: networks take turns, then the callers of each network, however many requests they
have. No caller gets all the slots, so those who come seldom find one free or are next. Requests that were woken by news
are urgent and go first, but the others have their share. If the database is slow, requests do not wait without end:
after a while they are refused and may be sent again.
"""

import threading
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from holmgang.app.errors import Busy
from holmgang.engine.messages import say

from .callers import Client

TIMEOUT_SECONDS = 10.0
"""How long a request waits for a slot, each time. Work that has begun is limited by the timeout of statements alone, so
that a whole request may take longer than its client waits."""
URGENT_IN_A_ROW = 3
"""So many urgent requests are admitted before another one is: news may come without end."""

SLOT = "holmgang.slot"
"""The key of a request's environment that holds its slot."""
Key = tuple[str, str]
"""What takes turns: a network, and one of its callers."""
UNBOUNDED: Key = ("", "")
"""The key without a limit of its own."""


class RoundRobin:
    """Requests that wait for a slot, each by a lock that is released once it has one.

    Networks take turns, then the callers of each network, then their requests as they came.
    """

    def __init__(self) -> None:
        self._networks: OrderedDict[str, OrderedDict[str, deque[threading.Lock]]] = OrderedDict()
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def add(self, key: Key, lock: threading.Lock) -> None:
        network, caller = key
        self._networks.setdefault(network, OrderedDict()).setdefault(caller, deque()).append(lock)
        self._length += 1

    def next(self, may: Callable[[Key], bool]) -> tuple[Key, threading.Lock] | None:
        """Take out the next request of those whose key `may` have a slot. The turn passes on to others."""
        for network, callers in self._networks.items():
            for caller, locks in callers.items():
                if may((network, caller)):
                    lock = locks[0]
                    callers.move_to_end(caller)
                    self._networks.move_to_end(network)
                    self.remove((network, caller), lock)
                    return (network, caller), lock
        return None

    def remove(self, key: Key, lock: threading.Lock) -> bool:
        """Take out a request that no longer waits. False if it was taken out before."""
        network, caller = key
        callers = self._networks.get(network)
        if callers is None or lock not in callers.get(caller, ()):
            return False
        callers[caller].remove(lock)
        self._length -= 1
        if not callers[caller]:
            del callers[caller]
            if not callers:
                del self._networks[network]
        return True


@dataclass(slots=True)
class Slot:
    """A slot that a request holds, and the key that it counts for."""

    key: Key
    held: bool = True
    answered: bool = False
    """Its request needs the slot no more: what is left to do is to send the answer."""


class Admission:
    """Works on `slots` requests at once, of one caller on all but one at most.

    A request that has waited for `timeout` seconds is refused as Busy.
    """

    def __init__(self, slots: int, timeout: float = TIMEOUT_SECONDS) -> None:
        self._free = slots
        self._most = max(1, slots - 1)
        self._timeout = timeout
        self._lock = threading.Lock()
        self._held = Counter[Key]()
        self._urgent, self._others = RoundRobin(), RoundRobin()
        self._in_a_row = 0
        """How many urgent requests were admitted, one after the other, while others waited."""

    @contextmanager
    def slot(self, key: Key = UNBOUNDED, *, urgent: bool = False) -> Iterator[Slot]:
        """Hold a slot as long as the block lasts."""
        slot = Slot(key)
        self._acquire(key, urgent)
        try:
            yield slot
        finally:
            if slot.held:
                self._release(slot.key)

    @contextmanager
    def released(self, slot: Slot, key: Key | None = None) -> Iterator[None]:
        """Give a slot back as long as the block lasts; for good if the request is `answered` by then. Another one is
        urgent after it, and counts for `key` if given: the caller may have become known meanwhile."""
        self._release(slot.key)
        slot.held = False
        try:
            yield
        finally:
            if not slot.answered:
                self._acquire(key or slot.key, urgent=True)
                slot.key, slot.held = key or slot.key, True

    def waiting(self) -> int:
        """How many requests wait for a slot."""
        with self._lock:
            return len(self._urgent) + len(self._others)

    def _may(self, key: Key) -> bool:
        return self._held[key] < self._most or key == UNBOUNDED

    def _take(self, key: Key) -> None:
        self._free -= 1
        self._held[key] += 1

    def _acquire(self, key: Key, urgent: bool) -> None:
        queue = self._urgent if urgent else self._others
        with self._lock:
            if self._free > 0 and self._may(key):  # whoever waits while a slot is free has as many as they may
                self._take(key)
                return
            lock = threading.Lock()
            lock.acquire()
            queue.add(key, lock)
        if lock.acquire(timeout=self._timeout):  # released by a request that hands its slot over
            return
        with self._lock:
            if queue.remove(key, lock):
                raise Busy(
                    say("Too many requests wait for the database at this moment. Nothing has changed; try again.")
                )
        # The slot was handed over at the last moment.

    def _release(self, key: Key) -> None:
        with self._lock:
            self._free += 1
            _count_down(self._held, key)
            if self._free > 0 and (found := self._next()) is not None:
                self._take(found[0])
                found[1].release()

    def _next(self) -> tuple[Key, threading.Lock] | None:
        if self._in_a_row < URGENT_IN_A_ROW and (found := self._urgent.next(self._may)) is not None:
            self._in_a_row = self._in_a_row + 1 if self._others else 0
            return found
        self._in_a_row = 0
        return self._others.next(self._may) or self._urgent.next(self._may)


class WaitingRoom:
    """Lets `capacity` requests wait for news at once: of one network seven eighths of that, and with one token (without
    a token: of one network) `each`. The other connections of a process are for requests that do not wait."""

    def __init__(self, capacity: int, each: int) -> None:
        self._capacity, self._of_network, self._each = capacity, capacity - capacity // 8, each
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
                self._networks.total() < self._capacity
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
                    _count_down(self._networks, network)
                    _count_down(self._taken, who)


def _count_down(counter: Counter[Any], key: Hashable) -> None:
    """One fewer of a key; keys that have none are forgotten."""
    counter[key] -= 1
    if not counter[key]:
        del counter[key]
