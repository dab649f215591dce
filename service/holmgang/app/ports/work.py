"""What workers need of the store: what is due, and what is to be forgotten."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

from holmgang.app.records.play import Beat, HouseEventType, Task


class TasksTable(Protocol):
    """Deadlines, and choices that the service makes."""

    def overdue(self, limit: int, but: Sequence[UUID] = ()) -> list[UUID]:
        """Active games whose deadline has passed, the longest ago first, without those in `but`."""
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
        """Choices that the service makes, `by` these bots or `default`, claimed for so many seconds. Games that stand
        still and those in `but` are left out. `default` includes bots that no release here knows. Games of `served`
        creators come last, the last one served at the very end; otherwise the oldest choices come first.

        `able` says by ruleset who can play here. Other rulesets are left out, and choices of other bots come only
        after so many seconds of `patience`, so that another worker may make them."""
        ...

    def beat(self, most_seconds: float, told: HouseEventType, limit: int, below: datetime | None = None) -> Beat:
        """Note that a worker keeps deadlines. After an outage of more than `most_seconds` deadlines are put off by as
        long, at most to a whole turn from now, and an event of type `told` says so. One call does so for at most
        `limit` games, whose deadlines are not after `below`; once none is left, the beat is noted and deadlines hold
        again. A clock that jumped forward counts as an outage; after one that was set back no turn has more than its
        whole time left."""
        ...

    def sweep(self, empty_days: int) -> int:
        """See to it that what is due is known of games that a process has changed that was killed before it could tell.
        Returns of how many. Games without a choice of a person are counted for so many days. Not in a transaction."""
        ...


class ClearingTable(Protocol):
    """What nobody needs any more."""

    def forget_deliveries(self, days: int, limit: int) -> int:
        """Delete up to `limit` delivered or dead messages older than so many days. Returns how many."""
        ...

    def forget_answers(self, limit: int) -> int:
        """Delete up to `limit` answers whose time is over. Returns how many."""
        ...

    def forget_revisions(self, limit: int) -> int:
        """Delete up to `limit` revisions of what has not changed for long. Returns how many."""
        ...

    def forget_empty_games(self, days: int, limit: int) -> int:
        """Delete up to `limit` unrated games, with all that belongs to them, that ended so many days ago without any
        person's choice. Returns how many. Skips games that others have locked. In a transaction."""
        ...
