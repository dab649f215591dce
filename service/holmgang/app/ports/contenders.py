"""What arenas and ladders need of the store besides tournaments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from holmgang.app.records.contenders import Contender


class ContendersTable(Protocol):
    """How entries of arenas and ladders stand. Whoever changes it holds the tournament's row."""

    def free_contenders(self, tournament: UUID) -> list[Contender]:
        """Those who are free, the longest waiting first."""
        ...

    def contenders(self, tournament: UUID, entries: Sequence[UUID] | None = None) -> list[Contender]:
        """All of them, or these."""
        ...

    def set_free(self, tournament: UUID, entries: Sequence[UUID], mu: float, sigma: float) -> None:
        """Those of them who are neither out nor at a table wait from now on, unless they do already. Who is new stands
        at nothing, and has this strength."""
        ...

    def set_aside(self, tournament: UUID, entries: Sequence[UUID]) -> None:
        """They do not wait any more."""
        ...

    def set_playing(self, tournament: UUID, entries: Sequence[UUID]) -> None:
        """They are at a table, and do not wait."""
        ...

    def set_standing(self, tournament: UUID, contenders: Sequence[Contender]) -> None:
        """How these stand once their table is over."""
        ...
