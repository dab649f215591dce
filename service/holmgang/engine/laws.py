"""What the laws need to know of a game that its rules do not say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class Laws:
    """Of a game that needs nothing else. A game's own, in its `laws.py`, says what differs."""

    options: Sequence[Mapping[str, Any]] = ({},)
    """Options worth trying: games are played with each of them."""
    reveals: frozenset[str] = frozenset()
    """The effects, by the names of their classes, that turn something over for all to see: after one of them views may
    differ that did not before."""

    board_at: str | None = None
    """The kind of turn that a round of the game begins with: there the board is shown in a game that is told as text
    (`holmgang check-game --goldens`). Without one, it is shown at every turn."""
    picture_at: float = 0.5
    """How far into a game its picture is kept, from 0 to 1."""

    def check(self, state: Any) -> None:
        """Raise BrokenInvariant for a state that no game can reach."""
