"""Who meets whom where there are no rounds: an arena, where people come and go, and a ladder of bots without end."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations

from .meetings import Meeting, Pairing, Past, Player, Table, lot
from .seating import round_of, seated, sizes
from .strengths import Strengths

NEAR = 9
"""Gains are compared to so many digits."""


def arena(
    free: Sequence[Player],
    meetings: Sequence[Meeting],
    *,
    wanted: int = 2,
    allowed: Sequence[int] = (),
    seed: str = "",
) -> Pairing:
    """Tables for those who are free, who come in order of their waiting, the longest first; the others go on waiting.

    As many play as table sizes allow, and whoever has waited longest does. In that order each finds the company they
    have not had last time, then of the nearest scores, then the one they have met least, then who waits longest.
    """
    past = Past(meetings)
    tables_of = sizes(len(free), wanted, allowed)
    waiting = list(free[: sum(tables_of)])
    last = {player: set(past.meetings[player][-1].table) if past.meetings[player] else set() for player in waiting}
    place = {player: n for n, player in enumerate(waiting)}
    groups = []
    for size in tables_of:
        group = [waiting.pop(0)]
        while len(group) < size:

            def company(other: Player, group: Sequence[Player] = tuple(group)) -> tuple[int, float, int, int]:
                again = sum(other in last[player] or player in last[other] for player in group)
                apart = sum(abs(past.scores[player] - past.scores[other]) for player in group)
                return again, apart, sum(past.times(player, other) for player in group), place[other]

            group.append(min(waiting, key=company))
            waiting.remove(group[-1])
        groups.append(group)
    return round_of(groups, free[sum(tables_of) :], past, f"{seed}/{len(meetings)}")


def ladder(
    meetings: Sequence[Meeting],
    strengths: Strengths,
    *,
    tables: int = 1,
    wanted: int = 2,
    seed: str = "",
) -> tuple[Table, ...]:
    """The tables that should be played next to make strengths certain: each tells most once those before it have been
    played (`Strengths.gains`). Somebody may be at several of them.

    Two begin a table, and are joined by whoever's games with it tell most. Where that is the same, those who have met
    least play, and then by lot.
    """
    past = Past(meetings)
    found: list[Table] = []
    for at in range(tables):
        gains = strengths.gains()
        drawn = f"{seed}/{len(meetings)}/{at}"
        group: list[Player] = []
        for _ in range(wanted - 1):
            more = [pair for pair in gains if not group or len(set(group) & set(pair)) == 1]
            group = _joined(group, more, gains, past, drawn)
        found.append(seated(group, past, drawn))
        strengths = strengths.expecting(group)
        past.met.update(map(frozenset, combinations(group, 2)))
    return tuple(found)


def _joined(
    group: list[Player],
    pairs: Sequence[tuple[Player, Player]],
    gains: Mapping[tuple[Player, Player], float],
    past: Past,
    drawn: str,
) -> list[Player]:
    """The group and whoever's games with it tell most, of these pairs; two where there is none yet."""
    told: defaultdict[frozenset[Player], float] = defaultdict(float)
    met: Counter[frozenset[Player]] = Counter()
    for pair in pairs:
        new = frozenset(pair) - set(group)
        told[new] += gains[pair]
        met[new] += past.times(*pair)
    best = max(told, key=lambda new: (round(told[new], NEAR), -met[new], lot(drawn, *sorted(new))))
    return [*group, *sorted(best)]
