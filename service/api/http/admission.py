"""The line before a process's work: no more requests are worked on than there are database connections.

When hundreds that wait are woken at the same time, each would otherwise be as slow as all of them together. A request
takes a place before it is worked on and gives it back while it waits for news.

Callers take turns: the networks one after the other, and in each its callers, whatever number of requests they have in
line. No caller has all the places, so that whoever comes seldom finds one free or is next. Whoever was woken by news
goes before the rest, but the rest has its share. Where the work does not get on, as with a database that is slow,
nobody stands there for ever: he is told to try again.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from service.app.errors import Busy
from service.engine.messages import say

PATIENCE_SECONDS = 10.0
"""How long one stands in line, each time. What a slow database takes after it is limited by statement alone, so that
all of a request may take longer than its client waits."""
HURRIED = 3
"""So many who hurry go in, one after the other, before one of the rest does: news may be without end."""

Key = tuple[str, str]
"""Whose turn it is: a network, and one of its callers."""
ANYBODY: Key = ("", "")
"""Who is not bounded."""


class Turns:
    """Who stands in line, each by a lock that is released when it is his turn: first by network, then by caller, then
    as they came."""

    def __init__(self) -> None:
        self._networks: OrderedDict[str, OrderedDict[str, deque[threading.Lock]]] = OrderedDict()
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def add(self, caller: Key, turn: threading.Lock) -> None:
        network, who = caller
        self._networks.setdefault(network, OrderedDict()).setdefault(who, deque()).append(turn)
        self._length += 1

    def next(self, may: Callable[[Key], bool]) -> tuple[Key, threading.Lock] | None:
        """Take out whose turn it is among the callers who may go in. The next time it is another's."""
        for network, callers in self._networks.items():
            for who, waiting in callers.items():
                if may((network, who)):
                    turn = waiting.popleft()
                    self._length -= 1
                    callers.move_to_end(who)
                    self._networks.move_to_end(network)
                    self._tidy(network, who)
                    return (network, who), turn
        return None

    def remove(self, caller: Key, turn: threading.Lock) -> bool:
        """Take out somebody who no longer waits; whether he still stood there."""
        network, who = caller
        waiting = self._networks[network].get(who) if network in self._networks else None
        if waiting is None or turn not in waiting:
            return False
        waiting.remove(turn)
        self._length -= 1
        self._tidy(network, who)
        return True

    def _tidy(self, network: str, who: str) -> None:
        callers = self._networks[network]
        if not callers[who]:
            del callers[who]
            if not callers:
                del self._networks[network]


class Place:
    """A place that somebody has, and whose it counts as."""

    __slots__ = ("caller",)

    def __init__(self, caller: Key) -> None:
        self.caller = caller


class Line:
    """`places` requests are at work at the same time, of one caller all but one at most; the others stand in line.

    Who has stood there for `patience` seconds is refused as Busy.
    """

    def __init__(self, places: int, patience: float = PATIENCE_SECONDS) -> None:
        self._free = places
        self._each = max(1, places - 1)
        self._patience = patience
        self._lock = threading.Lock()
        self._held: dict[Key, int] = {}
        self._hurried, self._others = Turns(), Turns()
        self._row = 0
        """How many who hurried went in, one after the other, while others stood in line."""

    @contextmanager
    def place(self, caller: Key = ANYBODY, *, hurry: bool = False) -> Iterator[Place]:
        """A place, as long as the block lasts."""
        place = Place(caller)
        self._enter(caller, hurry)
        try:
            yield place
        finally:
            self._leave(place.caller)

    @contextmanager
    def outside(self, place: Place | None = None, caller: Key | None = None) -> Iterator[None]:
        """Give one's place back as long as the block lasts, and hurry for another after it; as `caller`, if that is
        found out by now."""
        place = Place(ANYBODY) if place is None else place
        self._leave(place.caller)
        try:
            yield
        finally:
            place.caller = caller or place.caller
            try:
                self._enter(place.caller, hurry=True)
            except Busy:
                with self._lock:
                    self._take(place.caller)  # one too many for a moment: the block around this one gives a place back
                raise

    def length(self) -> int:
        """How many stand in line."""
        with self._lock:
            return len(self._hurried) + len(self._others)

    def _may(self, caller: Key) -> bool:
        return self._held.get(caller, 0) < self._each or caller == ANYBODY

    def _take(self, caller: Key) -> None:
        self._free -= 1
        self._held[caller] = self._held.get(caller, 0) + 1

    def _enter(self, caller: Key, hurry: bool) -> None:
        line = self._hurried if hurry else self._others
        with self._lock:
            if self._free > 0 and self._may(caller):  # those who stand in line while a place is free have theirs
                self._take(caller)
                return
            turn = threading.Lock()
            turn.acquire()
            line.add(caller, turn)
        if turn.acquire(timeout=self._patience):  # released by whoever hands his place over
            return
        with self._lock:
            if line.remove(caller, turn):
                raise Busy(
                    say("Too many requests wait for the database at this moment. Nothing has changed; try again.")
                )
        # It was handed over at the last moment.

    def _leave(self, caller: Key) -> None:
        with self._lock:
            self._free += 1
            if (held := self._held.pop(caller) - 1) > 0:
                self._held[caller] = held
            if self._free > 0 and (found := self._next()) is not None:
                self._take(found[0])
                found[1].release()

    def _next(self) -> tuple[Key, threading.Lock] | None:
        if self._row < HURRIED and (found := self._hurried.next(self._may)) is not None:
            self._row = self._row + 1 if self._others else 0
            return found
        self._row = 0
        return self._others.next(self._may) or self._hurried.next(self._may)
