"""Who calls, asked of the database once for all who were woken together.

A change wakes everybody who waits for it. Each has to be looked up anew, as for any request; who asks while others are
being looked up is looked up together with all who came meanwhile, in one statement that begins after they have asked.
"""

import threading
from types import TracebackType
from uuid import UUID

from holmgang.app.errors import DatabaseUnavailable
from holmgang.app.ports import Connections
from holmgang.app.records.contexts import GameCaller, Unread
from holmgang.app.records.players import TokenFault
from holmgang.engine.messages import say

from .admission import Admission

MOST = 200
"""How many are looked up together."""
Asked = tuple[bytes | None, UUID, bytes | None]
"""The hash of a token, a game, and the hash of an invitation."""
Found = GameCaller | TokenFault | None


class _Together:
    """Those who are looked up together. Who asks the same is looked up once."""

    def __init__(self) -> None:
        self.asked: dict[Asked, None] = {}
        self.found: dict[Asked, Found | Unread] | None = None
        self.fault: Exception | None = None
        self.trace: TracebackType | None = None
        """Of the fault, without how it is raised in each of them: that would grow with their number."""
        self.done = threading.Event()


class Looks:
    """The looks of one process: one statement at a time, for which whoever came first takes a slot."""

    def __init__(self, store: Connections, admission: Admission) -> None:
        self._store = store
        self._admission = admission
        # Not `from threading`: a server may patch what that would have taken already, and greenlets wait on these.
        self._lock, self._turn = threading.Lock(), threading.Lock()
        self._next: _Together | None = None

    def caller(self, asked: Asked) -> Found:
        """What `AccessTable.caller` gives. Raises what it raises, and Busy without a slot in time."""
        while True:
            first = False
            with self._lock:
                together = self._next
                if together is None or len(together.asked) >= MOST:
                    together = self._next = _Together()
                    first = True
                together.asked[asked] = None
            if first:
                self._look(together)
            else:
                together.done.wait()
            if together.fault is not None:
                raise together.fault.with_traceback(together.trace)
            if together.found is not None:  # or the one who asked for all was broken off
                found = together.found[asked]
                if isinstance(found, Unread):
                    raise DatabaseUnavailable(say("The database does not answer at this moment. Try again."))
                return found

    def _look(self, together: _Together) -> None:
        try:
            with self._turn, self._admission.slot(urgent=True), self._store.reading() as tables:
                with self._lock:
                    if self._next is together:
                        self._next = None  # who comes from now on may have heard of what this does not read
                every = list(together.asked)
                together.found = dict(zip(every, tables.callers(every), strict=True))
        except Exception as fault:
            together.fault, together.trace = fault, fault.__traceback__
        finally:
            with self._lock:
                if self._next is together:
                    self._next = None
            together.done.set()
