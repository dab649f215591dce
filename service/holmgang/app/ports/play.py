"""What play needs of the store: who calls, the row of a game and its change, what has happened, what waits."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol
from uuid import UUID

from holmgang.app.records.changes import Change, NewEvent
from holmgang.app.records.contexts import GameCaller, GameRow, MoveContext, TurnContext, Unread, ViewContext
from holmgang.app.records.play import Combat, Event, LogRow, Receipt, Waiting
from holmgang.app.records.players import Principal, TokenFault
from holmgang.engine.turn import Seat


class AccessTable(Protocol):
    """Who calls, and what of a game they may see: each in one statement, since every poll and move asks it."""

    def caller(
        self, digest: bytes | None, game: UUID, invitation: bytes | None = None
    ) -> GameCaller | TokenFault | None:
        """Who calls and how the game stands, in one statement. None without such a game, or if it is not theirs to see.
        `invitation` is the hash of one's secret."""
        ...

    def callers(
        self, asked: Sequence[tuple[bytes | None, UUID, bytes | None]], *, again: bool = False
    ) -> Sequence[GameCaller | TokenFault | Unread | None]:
        """What `caller` gives for each of these arguments, read together. To somebody who looks `again`, what a killed
        process has changed may be told a second or two later."""
        ...

    def view_context(
        self, digest: bytes | None, game: UUID, invitation: bytes | None = None
    ) -> ViewContext | TokenFault | None:
        """What a caller sees of a game in one statement; the caller as `caller` gives it."""
        ...

    def turn_context(
        self, digest: bytes | None, game: UUID, as_seat: Seat | None, invitation: bytes | None = None
    ) -> TurnContext | TokenFault | None:
        """Like `view_context`, with all that a turn's answer is made of; `own` is that of `as_seat` if it is given."""
        ...

    def move_context(self, digest: bytes | None, game: UUID, *, lock: bool) -> MoveContext | TokenFault | None:
        """Caller and row in one statement, or with `lock` in two, as `caller` and `game_row` give them."""
        ...

    def may_see(self, player: UUID, game: UUID, invitation: bytes | None = None) -> bool:
        """Whether there is such a game that the player may see: public, their own, with a seat of theirs, or by an
        invitation (the hash of its secret) that is still good."""
        ...


class ChangesTable(Protocol):
    """The row of a game, and the one statement that changes it."""

    def game_row(self, game: UUID, *, lock: bool) -> GameRow | None:
        """The game's row; with `lock` it is held until the transaction ends (Busy when that takes too long)."""
        ...

    def write(self, change: Change) -> datetime | None:
        """Carry out a change in one statement and give its time; None, and nothing written, if the game moved on."""
        ...

    def begin(self, game: UUID, entropy: bytes, head: bytes) -> None:
        """Mark an open game, whose row is locked, as started; `write` then records the first step."""
        ...

    def append_events(self, game: UUID, version: int, events: Sequence[NewEvent], at: datetime) -> None:
        """Append events of one turn to a game, whose row is locked; `version` is the number of the last one."""
        ...

    def notify_start(self, game: UUID, at: datetime) -> None:
        """Have the webhooks of a game's players told that it has started; `write` tells of turns and the end."""
        ...

    def atomic(self, lock: bool) -> AbstractContextManager[None]:
        """With `lock`, what is called inside stands or falls together; without, this does nothing."""
        ...


class HistoryTable(Protocol):
    """What has happened in a game."""

    def submission(self, game: UUID, submission: UUID) -> Receipt | None: ...

    def submission_at(self, game: UUID, turn: int, seat: Seat) -> Receipt | None: ...

    def events(self, game: UUID, seat: Seat | None, after: int, limit: int) -> list[Event]: ...

    def combats(self, game: UUID, after: int, limit: int) -> list[Combat]: ...

    def combat(self, game: UUID, number: int) -> Combat | None: ...

    def log(self, game: UUID, after: int = -1, limit: int | None = None) -> list[LogRow]: ...


class TurnsTable(Protocol):
    """The turns that wait for players."""

    def waiting(self, player: UUID, game: UUID | None) -> list[Waiting]: ...

    def turns_by_tokens(self, digests: Sequence[bytes]) -> list[tuple[Principal, list[Waiting]] | TokenFault]:
        """For each of these tokens what is wrong with it, or whose it is and which turns it lets them play."""
        ...

    def players_of(self, games: Sequence[UUID]) -> list[UUID]:
        """Those in any of these games to whose turns a change of it may matter."""
        ...
