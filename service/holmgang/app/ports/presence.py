"""What is needed of the store to tell who is there."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol
from uuid import UUID

from holmgang.app.records.presence import Sight


class PresenceTable(Protocol):
    """The minutes in which players were last there, and who hides that."""

    def note_presence(self, seen: Mapping[UUID, float]) -> None:
        """Players were there so many seconds ago. Nothing is noted of those who hide it."""
        ...

    def presence(self, players: Collection[UUID]) -> list[Sight]: ...

    def hides_presence(self, player: UUID) -> bool: ...

    def hide_presence(self, player: UUID, hides: bool) -> None:
        """In a transaction. What was noted of who hides is forgotten."""
        ...
