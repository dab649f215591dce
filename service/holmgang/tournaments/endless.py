"""Who meets whom where there are no rounds: an arena, where people come and go, and a ladder of bots without end."""

from __future__ import annotations

from collections.abc import Sequence

from .meetings import Meeting, Pairing, Past, Player, lot
from .seating import round_of, seated, sizes
from .strengths import Strengths


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
    groups = []
    for size in tables_of:
        group = [waiting.pop(0)]
        while len(group) < size:

            def company(other: Player, group: Sequence[Player] = tuple(group)) -> tuple[int, float, int, int]:
                again = sum(other in last[player] or player in last[other] for player in group)
                apart = sum(abs(past.scores[player] - past.scores[other]) for player in group)
                return again, apart, sum(past.times(player, other) for player in group), waiting.index(other)

            group.append(min(waiting, key=company))
            waiting.remove(group[-1])
        groups.append(group)
    return round_of(groups, free[sum(tables_of) :], past, f"{seed}/{len(meetings)}")


def ladder(
    players: Sequence[Player],
    meetings: Sequence[Meeting],
    strengths: Strengths,
    *,
    wanted: int = 2,
    allowed: Sequence[int] = (),
    seed: str = "",
) -> Pairing:
    """A beat of a ladder: nearly everybody plays, in the company that makes strengths most certain.

    Whoever's strength is least certain begins, and is joined by those whose games with the table tell most
    (`Strengths.gain`). Those who are left over are the surest.
    """
    past = Past(meetings)
    beat = f"{seed}/{len(meetings)}"
    tables_of = sizes(len(players), wanted, allowed)
    waiting = sorted(players, key=lambda player: (-strengths.deviation(player), lot(beat, player)))
    out = waiting[sum(tables_of) :]
    del waiting[sum(tables_of) :]
    tables = []
    for size in tables_of:
        group = [waiting.pop(0)]
        while len(group) < size:
            best = max(waiting, key=lambda other: sum(strengths.gain(player, other) for player in group))
            group.append(best)
            waiting.remove(best)
        tables.append(seated(group, past, beat))
    return Pairing(tuple(tables), tuple(out))
