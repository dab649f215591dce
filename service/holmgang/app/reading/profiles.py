"""What players have to show: against each other, and how their ratings went."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

import msgspec

from holmgang import registry
from holmgang.app.accounts.players import there
from holmgang.app.ports import LeaderboardsTable, PlayersTable, ProfilesTable
from holmgang.app.records.players import Meetings, Principal, Score
from holmgang.app.records.ratings import RatingPoint
from holmgang.engine.teams import Side

MOST_MEETINGS = 10_000
"""So many of the latest games of two players are looked at."""


class ScoreTables(PlayersTable, ProfilesTable, Protocol): ...


class HistoryTables(PlayersTable, LeaderboardsTable, Protocol): ...


def viewer_of(principal: Principal | None) -> UUID | None:
    """Whose private games may be told of: nobody's without a token that reads all of them."""
    return principal.player if principal is not None and principal.game is None and "read" in principal.scopes else None


def against(tables: ScoreTables, principal: Principal | None, player: UUID, other: UUID) -> list[Score]:
    """What `player` has to show against `other`, by ruleset, in the finished games that the caller may see.

    Who came in on a better rank has won; games as partners do not count. A built-in bot with several seats counts once,
    by the best of them.
    """
    there(tables, player)
    there(tables, other)
    found: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for met in tables.meetings(player, other, viewer_of(principal), MOST_MEETINGS):
        if (outcome := _outcome(met)) is not None:
            found[met.ruleset][outcome] += met.games
    return [
        Score(ruleset=ruleset, games=sum(counts), wins=counts[0], shared=counts[1], losses=counts[2])
        for ruleset, counts in sorted(found.items())
    ]


def _outcome(met: Meetings) -> int | None:
    """0 won, 1 shared, 2 lost; None if they were not against each other."""
    sides = _sides(met)
    side_of = {seat: n for n, side in enumerate(sides) for seat in side}
    ranking: list[list[int]] = msgspec.json.decode(met.ranking)
    rank_of = {seat: rank for rank, group in enumerate(ranking) for seat in group}
    pairs = [(a, b) for a in met.mine for b in met.theirs if side_of[a] != side_of[b]]
    if not pairs:
        return None
    mine, theirs = min(rank_of[a] for a, _ in pairs), min(rank_of[b] for _, b in pairs)
    return 0 if mine < theirs else 1 if mine == theirs else 2


def _sides(met: Meetings) -> Sequence[Side]:
    try:
        return registry.latest(met.ruleset).teams(met.seat_count)
    except registry.UnknownRuleset:  # nobody here knows its partners: each seat stands alone
        return [(seat,) for seat in range(met.seat_count)]


def rating_history(
    tables: HistoryTables, principal: Principal | None, player: UUID, ruleset: str, *, before: int | None, limit: int
) -> list[RatingPoint]:
    """The latest first. Games that the caller may not see are no points: number and time would tell who met whom."""
    there(tables, player)
    return tables.rating_history(player, ruleset, viewer=viewer_of(principal), before=before, limit=limit)
