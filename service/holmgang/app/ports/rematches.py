"""What rematches need of the store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from holmgang.app.records.rematches import Agreement


class RematchesTable(Protocol):
    """Who wants to play a finished game again."""

    def hold_rematch(self, game: UUID, players: Sequence[UUID]) -> UUID | None:
        """Hold the rematch of a game with these players by seat until the transaction ends, and give the game that was
        made of it."""
        ...

    def rematch(self, game: UUID) -> tuple[UUID | None, list[Agreement]]:
        """The game that was made of it, or who agrees to it."""
        ...

    def agree(self, game: UUID, player: UUID, seconds: int) -> None:
        """From now on for so many seconds. The rematch is held."""
        ...

    def disagree(self, game: UUID, player: UUID) -> bool:
        """Whether they had agreed. The rematch is held."""
        ...

    def set_rematch(self, game: UUID, following: UUID) -> None:
        """It has been made. The rematch is held."""
        ...

    def disagree_with(self, player: UUID, other: UUID | None = None) -> list[UUID]:
        """End what the player agrees to, of all games or of those with the other, and give these games."""
        ...

    def expire_agreements(self, limit: int) -> list[UUID]:
        """End up to `limit` agreements whose time is over, but for those that others hold, and give their games."""
        ...
