"""What is told of a tournament to those who wait for it."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from holmgang.app.ports import RevisionsTable

Happening = Literal["created", "entered", "left", "started", "paired", "counted", "round_over", "over", "cancelled"]
"""`left` also of who did not turn up."""


def tell(
    tables: RevisionsTable,
    tournament: UUID,
    what: Happening,
    *,
    entry: UUID | None = None,
    in_round: int | None = None,
    at: int | None = None,
) -> None:
    """Tell that something has happened, in the transaction that does it: of an entry, a round or one of its tables."""
    tables.touch(tournament)
