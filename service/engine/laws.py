"""What the laws need to know of a game that its rules do not say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class Laws:
    """Of a game that needs nothing else. A game's own, in its `laws.py`, says what differs."""

    options: Sequence[Mapping[str, Any]] = ({},)
    """Options worth trying: games are played with each of them."""
    reveals: frozenset[str] = frozenset()
    """The names of effect types that turn something over for all to see: after one of them views may differ that did
    not before."""

    def check(self, state: Any) -> None:
        """Raise BrokenInvariant for a state that no game can reach."""
