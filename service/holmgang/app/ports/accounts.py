"""What accounts need of the store: players, tokens, and answers that are kept for their keys."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from holmgang.app.records.players import (
    Block,
    FormerName,
    Kind,
    Meetings,
    Player,
    Principal,
    Token,
    TokenFault,
)
from holmgang.engine.turn import Seat


class Clock(Protocol):
    """The database's clock."""

    def now(self) -> datetime:
        """The time now. Statements that write one happening share one time: read it when the game's row is locked, so
        that it is not before what others have written."""
        ...


class PlayersTable(Protocol):
    """Players and their names."""

    def add_player(
        self, player: UUID, name: str, folded: str | None = None, kind: Kind = "person", owner: UUID | None = None
    ) -> datetime:
        """Without `folded` they are found by name once the worker has seen to it."""
        ...

    def first_lookalike(self, digest: bytes, name: str) -> str | None:
        """The first name with this digest of its skeleton. If there was none, this one is it from now on. None while
        nobody may have it."""
        ...

    def player(self, player: UUID) -> Player | None: ...

    def lock_player(self, player: UUID) -> bool:
        """Lock the player until the transaction ends: what is counted of theirs does not change. Whether their account
        is still there."""
        ...


class ProfilesTable(Protocol):
    """Who players are, how they are found, and what they have been called."""

    def players_called(self, folded: str, *, exact: bool, after: tuple[str, UUID] | None, limit: int) -> list[Player]:
        """Those whose folded name begins so, or is it; sorted by that, then the oldest first."""
        ...

    def former_names(self, player: UUID, days: int) -> list[FormerName]:
        """Those of the last so many days, the latest first."""
        ...

    def renamed(self, player: UUID, days: int) -> datetime | None:
        """Until when they may not be renamed again, if they were within so many days."""
        ...

    def rename(self, player: UUID, name: str, folded: str) -> None:
        """The name that they had is kept as a former one."""
        ...

    def set_kind(self, player: UUID, kind: Kind) -> None: ...

    def has_sat(self, player: UUID) -> bool:
        """Whether they have a seat in any game."""
        ...

    def unfolded(self, limit: int) -> list[tuple[UUID, str]]:
        """Players who are not found by name yet, and their names."""
        ...

    def fold(self, found: Mapping[UUID, str]) -> None:
        """Let players be found by these folded names."""
        ...

    def meetings(self, player: UUID, other: UUID, viewer: UUID | None, most: int) -> list[Meetings]:
        """Of the latest `most` finished games of both that the viewer may see."""
        ...


class TokensTable(Protocol):
    """Tokens, known by the hash of their secret."""

    def add_token(
        self,
        player: UUID,
        token: UUID,
        digest: bytes,
        label: str,
        scopes: Sequence[str],
        game: UUID | None,
        seat: Seat | None,
        expires_at: datetime | None,
    ) -> datetime: ...

    def principal(self, digest: bytes) -> Principal | TokenFault:
        """Who calls, by the hash of their token, or what is wrong with it."""
        ...

    def tokens(self, player: UUID, after: UUID | None, limit: int, *, used: UUID | None = None) -> list[Token]:
        """Oldest first, from the one after `after`. `used` is used right now, whatever is noted of it."""
        ...

    def note_use(self, seen: Mapping[tuple[UUID, UUID], float]) -> None:
        """Players called by their tokens so many seconds ago. It is noted by the hour."""
        ...

    def live_tokens(self, player: UUID) -> int:
        """How many of their tokens have not expired."""
        ...

    def forget_tokens(self, player: UUID, most: int) -> None:
        """Delete expired ones, except for the `most` that expired last."""
        ...

    def revoke_token(self, player: UUID, token: UUID) -> bool: ...


class BlocksTable(Protocol):
    """Who blocks whom."""

    def add_block(self, player: UUID, blocked: UUID) -> None: ...

    def block(self, player: UUID, blocked: UUID) -> Block | None: ...

    def blocks(self, player: UUID, after: UUID | None, limit: int) -> list[Block]:
        """By the ids of those whom the player blocks, from the one after `after`."""
        ...

    def count_blocks(self, player: UUID) -> int: ...

    def remove_block(self, player: UUID, blocked: UUID) -> bool: ...

    def blocking(self, players: Collection[UUID]) -> set[tuple[UUID, UUID]]:
        """Among these players who blocks, and whom."""
        ...

    def blocked_among(self, players: Collection[UUID]) -> set[tuple[UUID, UUID]]:
        """The pairs of these players of whom one blocks the other, each pair in both orders."""
        ...


class AnswersTable(Protocol):
    """Answers that are kept for an Idempotency-Key."""

    def claim_key(self, principal: UUID, key: str) -> bool:
        """Hold the key until the transaction ends; False when another request holds it now."""
        ...

    def kept_answer(self, principal: UUID, key: str) -> tuple[bytes, bytes, Any] | None:
        """The digest of the call, the digest of its body and the answer, if one was kept within 24 hours."""
        ...

    def keep_answer(self, principal: UUID, key: str, call: bytes, body: bytes, answer: Any) -> None: ...
