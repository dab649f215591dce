"""What ratings need of the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol
from uuid import UUID

from holmgang.app.records.ratings import Listed, Rating, RatingChange, RatingPoint, Standing


class RatingsTable(Protocol):
    """Ratings as results change them."""

    def unrated(self, rulesets: Sequence[str], but: Sequence[UUID]) -> list[tuple[str, UUID]]:
        """For each ruleset the first ended rated game that is not counted yet, without those in `but`."""
        ...

    def lock_leaderboard(self, ruleset: str) -> int | None:
        """Lock the ruleset's ratings and return the number of its next game; None if another worker holds them."""
        ...

    def mark_rated(self, game: UUID) -> bool:
        """Note that a game's result is counted; False if it must not be, or was already."""
        ...

    def ratings_in(self, ruleset: str, players: Sequence[UUID]) -> dict[UUID, Rating]:
        """Of those who have one."""
        ...

    def set_ratings(self, ruleset: str, number: int, ratings: Mapping[UUID, Rating]) -> None:
        """After the game of that number, which is counted today."""
        ...

    def add_rating_changes(self, game: UUID, ruleset: str, number: int, changes: Sequence[RatingChange]) -> None: ...


class LeaderboardsTable(Protocol):
    """Ratings as they are read."""

    def ratings_of(self, player: UUID) -> dict[str, Rating]:
        """By ruleset."""
        ...

    def games_counted(self, ruleset: str) -> int:
        """How many rated games have made the ruleset's ratings; grows with each change of them."""
        ...

    def rating_history(
        self, player: UUID, ruleset: str, *, viewer: UUID | None, before: int | None, limit: int
    ) -> list[RatingPoint]:
        """Of games that the viewer may see, the latest first, from the one before the number `before`."""
        ...

    def standings(self, listed: Listed, *, after: tuple[float, UUID] | None, limit: int) -> list[Standing]:
        """The highest ordinal first, of equal ones the latest player; from the one after `after`."""
        ...

    def standing(self, listed: Listed, player: UUID) -> Standing | None:
        """The line of one player; None for who is not listed."""
        ...

    def standing_of(self, listed: Listed, standing: Standing) -> tuple[int, int]:
        """How many lines are above a leaderboard's line, and its rank."""
        ...
