"""Who was there, and by which tokens, as one process knows and writes down once a minute: nothing of that is on the way
of a request."""

import time
from uuid import UUID

from holmgang import logs
from holmgang.app.ports import Connections
from holmgang.app.records.players import Principal

_log = logs.get_logger("holmgang.presence")


class Presence:
    """`seen`: when players last called by each token (`time.monotonic`), for `write` to take out."""

    def __init__(self, store: Connections, seen: dict[tuple[UUID, UUID], float]) -> None:
        self._store = store
        self._seen = seen

    def note(self, principal: Principal | None) -> None:
        """Whoever waits is there, though their request ends later."""
        if principal is not None:
            self._seen[principal.player, principal.token] = time.monotonic()

    def write(self) -> None:
        """Write down who was there since the last time in one statement, and by which tokens in another, which writes
        once an hour for each. What a fault keeps from it is tried again the next time."""
        taken = {used: self._seen.pop(used) for used in list(self._seen)}
        if not taken:
            return
        now = time.monotonic()
        ago = {used: now - at for used, at in taken.items()}
        latest: dict[UUID, float] = {}
        for (player, _), seconds in ago.items():
            latest[player] = min(seconds, latest.get(player, seconds))
        try:
            with self._store.reading() as tables:
                tables.note_presence(latest)
                tables.note_use(ago)
        except Exception as fault:  # of any kind: nobody else would go on with it
            for used, at in taken.items():
                self._seen.setdefault(used, at)
            _log.warning("who was there could not be written down, trying again", fault=str(fault))
