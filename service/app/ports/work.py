"""What workers need of the store: what is due, and what is to be forgotten."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

from service.app.records.play import Beat, HouseEventType, Task


class TasksTable(Protocol):
    """Deadlines, and choices that the service makes."""

    def overdue(self, limit: int, but: Sequence[UUID] = ()) -> list[UUID]:
        """Active games whose turn's deadline has passed, the longest ago first, leaving out some."""
        ...

    def claim_tasks(
        self,
        limit: int,
        seconds: float,
        by: Sequence[str],
        served: Sequence[UUID] = (),
        but: Sequence[UUID] = (),
        able: Mapping[str, Sequence[str]] | None = None,
        patience: float = 0.0,
    ) -> list[Task]:
        """Choices for the service to make by these, held for so long; none in games that do not go on, nor in those
        that are left out. Whoever asks for those of `default` gets those of bots that nobody has heard of, too. Games
        of the `served` creators come after all others', those of the last one last; then the oldest come first.

        `able` are those that can play here, by ruleset. There are no choices in other rulesets, and those of others
        only when so many seconds of `patience` have passed, in which somebody else may have made them."""
        ...

    def beat(self, most_seconds: float, told: HouseEventType, limit: int, below: datetime | None = None) -> Beat:
        """Note that deadlines are looked at. After an outage of more than `most_seconds` all deadlines of that time
        are put off by it, at most to a whole turn from now, and the event `told` says so: here of at most `limit`
        games, whose deadlines are not after `below`. Only when none is left is anything noted, and deadlines hold.
        A clock that jumped forward looks the same; after one that was set back no turn ends later than in the whole of
        its time."""
        ...


class ClearingTable(Protocol):
    """What nobody needs any more."""

    def forget_deliveries(self, days: int, limit: int) -> int:
        """Forget up to so many messages that are delivered or dead and older than that; how many there were."""
        ...

    def forget_answers(self, limit: int) -> int:
        """Forget up to so many answers that were kept for their time; how many there were."""
        ...

    def forget_empty_games(self, days: int, limit: int) -> int:
        """Delete up to so many games, with all that is theirs, that ended so many days ago without a choice of a
        person, and are not rated; how many there were. In a transaction. Those that others hold are passed
        over."""
        ...
