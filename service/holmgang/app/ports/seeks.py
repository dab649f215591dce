"""What seeks need of the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol
from uuid import UUID

from holmgang.app.records.seeks import EndedSeek, NewSeek, Seek, Seeking, SeekStatus, SoughtGame
from holmgang.engine.turn import Seat


class SeeksTable(Protocol):
    """Seeks. A player's are changed by who has locked the player (`lock_player`, `claim_players`), but for those whose
    time is up."""

    def add_seek(self, seek: NewSeek) -> bool:
        """False if the token that it is made with is there no more."""
        ...

    def seek(self, player: UUID, ident: UUID) -> Seek | None: ...

    def seeks(self, player: UUID, status: SeekStatus | None, before: UUID | None, limit: int) -> list[Seek]:
        """The player's own, newest first."""
        ...

    def seeks_waiting(self, player: UUID) -> int: ...

    def sought(self, ruleset: str | None, after: UUID | None, limit: int) -> list[SoughtGame]:
        """All that wait, the longest waiting first."""
        ...

    def withdraw_seek(self, player: UUID, ident: UUID) -> bool:
        """False where it does not wait."""
        ...

    def pools(self, *, again: bool) -> list[str]:
        """Pools with a seek that was not tried; with `again` all in which several wait."""
        ...

    def seeking(self, pool: str, but: Sequence[UUID]) -> list[Seeking]:
        """Who waits in a pool, leaving out some seeks, the longest waiting first."""
        ...

    def mark_tried(self, seeks: Sequence[UUID]) -> None:
        """They fit nobody who waits now. Those that others change at this moment are left out."""
        ...

    def claim_players(self, players: Sequence[UUID]) -> bool:
        """Lock all of them without waiting, until the transaction ends; False if any is locked or gone."""
        ...

    def claim_seeks(self, seeks: Sequence[UUID]) -> list[Seek]:
        """Lock those that still wait, without waiting, until the transaction ends."""
        ...

    def match_seeks(self, game: UUID, seats: Mapping[UUID, Seat]) -> None:
        """They have led to a game; `seats` by seek."""
        ...

    def withdraw_live_seeks(self, players: Sequence[UUID]) -> list[EndedSeek]:
        """What waits of theirs and is live. Returns what was withdrawn."""
        ...

    def expire_seeks(self, limit: int) -> list[EndedSeek]:
        """End up to `limit` whose time is up; those that others change at this moment are left out."""
        ...

    def forget_seeks(self, hours: int, limit: int) -> int:
        """Delete up to `limit` that ended so many hours ago. Returns how many."""
        ...
