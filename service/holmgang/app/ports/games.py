"""What games need of the store before and after play: terms, seats, invitations, the archive."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

from holmgang.app.records.games import Game, Invitation, SeatHolder, Status
from holmgang.app.records.play import HouseEventType
from holmgang.engine.turn import Seat


class GamesTable(Protocol):
    """Games and their terms."""

    def new_game(self) -> UUID:
        """An id for a new game, which can be added where it belongs by that id as far as is known. Ids grow."""
        ...

    def add_game(self, game: Game, seed: bytes) -> None:
        """Insert an open game."""
        ...

    def game(self, game: UUID) -> Game | None:
        """With holders and awaited seats."""
        ...

    def games(
        self,
        *,
        status: Status | None,
        ruleset: str | None,
        player: UUID | None,
        open_seats: bool | None,
        before: UUID | None,
        limit: int,
        private: bool = False,
        rated: bool | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        tournament: UUID | None = None,
        other: UUID | None = None,
        won_by: UUID | None = None,
        lost_by: UUID | None = None,
    ) -> list[Game]:
        """Newest first, from the one before `before`; private ones too only if `private` says so. Those that were
        created at `since` or later, and before `until`; of one tournament only, if given. With a seat of `other`; over,
        and won by one player or not won by another."""
        ...

    def finished_games(
        self, player: UUID, *, after: UUID | None, since: datetime | None, until: datetime | None, limit: int
    ) -> list[Game]:
        """Games with a seat of the player that are over, in the order of their creation, from the one after `after`.
        Those that ended at `since` or later, and before `until`."""
        ...

    def games_under_way(self, creator: UUID) -> int:
        """How many of the games that they created are open or active."""
        ...

    def empty_games(self, creator: UUID, days: int) -> int:
        """How many of the games that they created ended in the last so many days without a choice of a person."""
        ...


class SeatsTable(Protocol):
    """Who holds which seat, and who owes a choice there."""

    def take_seat(
        self,
        game: UUID,
        seat: Seat,
        player: UUID,
        entropy: bytes | None,
        at: datetime,
        bot: str | None = None,
        invitation: UUID | None = None,
    ) -> None: ...

    def leave_seat(self, game: UUID, seat: Seat) -> None: ...

    def holders(self, game: UUID) -> list[SeatHolder]: ...

    def bot_player(self, bot: str, new: UUID) -> UUID:
        """The account of a built-in bot, made with the id `new` if there is none yet."""
        ...

    def awaits(self, game: UUID, seat: Seat | None) -> bool:
        """Whether the seat owes a choice; False for no seat."""
        ...

    def played_by(self, game: UUID, seat: Seat) -> str | None:
        """Who makes the choice that the seat owes, if the service does: a built-in bot, or `default`."""
        ...

    def end_absence(self, game: UUID, seat: Seat, at: datetime, *, anew: bool, stood: bool, chooses: bool) -> None:
        """The seat is no longer absent, and a choice that it owes is its own. Its webhooks learn so, unless it
        `chooses` at this moment. With `anew` the turn has its whole time again. Where seats have clocks, its bank holds
        an increment at least, or is full again if the game `stood` still; events say so."""
        ...

    def set_leave(self, game: UUID, seat: Seat, at: datetime, *, begins: bool) -> None:
        """The player of a seat goes on leave, or is back, in a game whose row is locked and in which seats have clocks;
        events say so."""
        ...


class InvitationsTable(Protocol):
    """Invitations to private games, known by the hash of their secret."""

    def add_invitation(
        self,
        game: UUID,
        ident: UUID,
        digest: bytes,
        seat: Seat | None,
        uses: int,
        expires_in: int | None,
        expires_at: datetime | None,
    ) -> None:
        """It ends after so many seconds, at that time, or never."""
        ...

    def invitation(self, game: UUID, ident: UUID) -> Invitation | None: ...

    def live_invitation(self, game: UUID, digest: bytes) -> Invitation | None:
        """By the hash of its secret, if it has not expired and is not used up."""
        ...

    def invitations(self, game: UUID, after: UUID | None, limit: int) -> list[Invitation]:
        """Oldest first, from the one after `after`."""
        ...

    def revoke_invitation(self, game: UUID, ident: UUID) -> bool: ...


class ArchiveTable(Protocol):
    """Games that nobody touches."""

    def archive(self, days: int, limit: int, told: HouseEventType) -> int:
        """Look at up to `limit` games, and archive those without a deadline whose last event is so many days old; an
        event of type `told` says so. Returns how many games were looked at. Skips games that others are writing to."""
        ...

    def revive(self, game: UUID, turn: int, kind: str | None, asked: Sequence[Seat], at: datetime) -> None:
        """Make a locked, archived game open or active again, at a turn in which `asked` owe a choice."""
        ...
