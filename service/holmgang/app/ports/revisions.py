"""What one may wait for besides games: a seek, a challenge, a tournament, or a player's own lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

NAMES = UUID(int=2**128 - 1)
"""Stands for the names of all players: much that one may wait for shows them, and there is no telling where they
stand. It comes after all other ids."""


MEETING = UUID(int=1)
"""Stands for all that lets players meet: it is announced when anything is touched and when a game has ended, and has no
revision of its own."""


class RevisionsTable(Protocol):
    """How often things have changed. A player's id stands for all lists that are theirs alone."""

    def touch(self, ident: UUID) -> None:
        """It has changed: raise its revision, and wake those who wait for it, and the worker, after the commit. Whoever
        touches several in one transaction does so in the order of their ids, or two could wait for each other."""
        ...

    def revision(self, ident: UUID) -> int:
        """Its revision. What did not change for long has one that becomes another now and then. Read it before what it
        is the revision of: a change in between then makes the next question find news, and never hides any."""
        ...

    def revisions(self, idents: Sequence[UUID]) -> list[int]:
        """What `revision` gives for each."""
        ...
