"""Who was there, as one process knows and writes down once a minute: nothing of that is on the way of a request."""

import time
from uuid import UUID

from holmgang import logs
from holmgang.app.ports import Connections
from holmgang.app.records.players import Principal

_log = logs.get_logger("holmgang.presence")


class Presence:
    """`seen`: when players last called (`time.monotonic`), for `write` to take out."""

    def __init__(self, store: Connections, seen: dict[UUID, float]) -> None:
        self._store = store
        self._seen = seen

    def note(self, principal: Principal | None) -> None:
        """Whoever waits is there, though their request ends later."""
        if principal is not None:
            self._seen[principal.player] = time.monotonic()

    def write(self) -> None:
        """Write down who was there since the last time, in one statement. What a fault keeps from it is tried again the
        next time."""
        taken = {player: self._seen.pop(player) for player in list(self._seen)}
        if not taken:
            return
        now = time.monotonic()
        try:
            with self._store.reading() as tables:
                tables.note_presence({player: now - at for player, at in taken.items()})
        except Exception as fault:  # of any kind: nobody else would go on with it
            for player, at in taken.items():
                self._seen.setdefault(player, at)
            _log.warning("who was there could not be written down, trying again", fault=str(fault))
