"""Games that are left alone for a while after a fault."""

from __future__ import annotations

import time
from typing import NamedTuple
from uuid import UUID

LEFT_ALONE = 10_000
"""How many games are left alone at most: more than fail within a pause."""
LONGEST_SECONDS = 16.0
"""How long a game is left alone at most that comes off worse each time. Longer pauses would keep it waiting after its
node is back, shorter ones would keep the worker busy with the games of a node that is not."""


class _Pause(NamedTuple):
    until: float
    seconds: float


class Pauses:
    """The games that one task of the worker leaves alone, the one put aside first first."""

    def __init__(self) -> None:
        self._pauses: dict[UUID, _Pause] = {}

    def begin(self, game: UUID, seconds: float, *, doubling: bool = False) -> None:
        """Leave a game alone for so long; with `doubling` for twice as long as the last time, if that is not long
        ago."""
        last = self._pauses.pop(game, None)
        if doubling and last is not None:
            seconds = min(max(seconds, 2 * last.seconds), LONGEST_SECONDS)
        self._pauses[game] = _Pause(time.monotonic() + seconds, seconds)
        if len(self._pauses) > LEFT_ALONE:
            del self._pauses[next(iter(self._pauses))]

    def games(self) -> list[UUID]:
        """The games whose pause is not over."""
        now = time.monotonic()
        self._pauses = {
            game: pause for game, pause in self._pauses.items() if pause.until + max(pause.seconds, 1.0) > now
        }
        return [game for game, pause in self._pauses.items() if pause.until > now]
