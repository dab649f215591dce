"""What challenges need of the store."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, Protocol
from uuid import UUID

from holmgang.app.records.challenges import Challenge, ChallengeStatus, Reason
from holmgang.app.records.players import Player
from holmgang.app.records.terms import Terms
from holmgang.engine.turn import Seat


class ChallengesTable(Protocol):
    """Challenges. Whatever changes one holds its row first, and then touches it and the lists of those concerned."""

    def add_challenge(
        self,
        ident: UUID,
        challenger: UUID,
        seat: Seat | None,
        terms: Terms,
        seconds: int,
        players: Sequence[tuple[Player, bool]],
    ) -> None:
        """Ends after so many seconds. Each of the players comes with whether it is to be kept from them; built-in bots
        have accepted."""
        ...

    def challenge(self, ident: UUID, player: UUID, *, lock: bool = False) -> Challenge | None:
        """None if it does not concern the player, or is kept from them. With `lock` its row is held until the
        transaction ends."""
        ...

    def challenges(
        self,
        player: UUID,
        direction: Literal["incoming", "outgoing"] | None,
        status: ChallengeStatus | None,
        before: UUID | None,
        limit: int,
    ) -> list[Challenge]:
        """Those that concern the player and are not kept from them; newest first, from the one before `before`."""
        ...

    def pending_challenges(self, challenger: UUID) -> int: ...

    def answer_challenge(
        self, ident: UUID, player: UUID, answer: Literal["accepted", "declined"] | None, reason: Reason | None
    ) -> None: ...

    def end_challenge(self, ident: UUID, status: ChallengeStatus, game: UUID | None = None) -> None: ...

    def touch_challenges(self, idents: Sequence[UUID], also: Iterable[UUID] = ()) -> None:
        """They have changed: touch them, the lists of all who may know of them, and these besides."""
        ...

    def pending_between(self, one: UUID, other: UUID) -> tuple[list[UUID], list[UUID]]:
        """Pending challenges of the one to the other, and of the other to the one, but for those that are kept from
        them. Their rows are held until the transaction ends."""
        ...

    def pending_of(self, player: UUID) -> tuple[list[UUID], list[UUID]]:
        """Pending challenges by the player and to them, also such as are kept from them. Their rows are held until the
        transaction ends."""
        ...

    def keep_from(self, player: UUID, idents: Sequence[UUID]) -> list[UUID]:
        """Keep these from the player from now on, as if they had never answered. Returns those that they had
        accepted."""
        ...

    def expire_challenges(self, limit: int) -> list[UUID]:
        """End up to `limit` pending ones whose time is over, but for those that others hold."""
        ...

    def forget_challenges(self, days: int, limit: int) -> int:
        """Delete up to `limit` that ended so many days ago. Returns how many."""
        ...
