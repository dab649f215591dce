"""Who meets whom where there are no rounds: an arena, where people come and go, and ladders of bots without end."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations

from msgspec import Struct

from .matching import best_pairs
from .meetings import Meeting, Pairing, Past, Player, Table, lot
from .seating import seated, sizes
from .strengths import Strengths

NEAR = 9
"""Gains are compared to so many digits."""
WINDOW = 12
"""So many free players on each side, by scores, are company that is looked at: the search grows with the players."""
REMEMBERED = 10
"""So many tables of each player are remembered: who was there, and where they sat."""
EXACT = 64
"""So many players are matched at once where no exchange keeps two from meeting again."""
WIN, STREAK = 2.0, 2
"""A win is worth so many points, and twice that after so many wins in a row."""


class Free(Struct, frozen=True, dict=True):
    """Somebody who is free: the score by which equals are found, and the last tables, at most `REMEMBERED`.

    `again` says that they have waited long enough to meet the company of their last table once more.
    """

    player: Player
    score: float = 0.0
    tables: tuple[Table, ...] = ()
    again: bool = False

    @cached_property
    def last(self) -> frozenset[Player]:
        return frozenset(self.tables[-1] if self.tables else ())

    @cached_property
    def met(self) -> Counter[Player]:
        return Counter(player for table in self.tables for player in table)


def arena_points(share: float, streak: int) -> tuple[float, int]:
    """What a table is worth in an arena, and the wins in a row after it, which were `streak` before: as lichess has it.

    `share` is that of the others whom one is ahead of (`Meeting.points`). A win, ahead of all, is worth 2, a draw of
    two 1, a defeat nothing; twice that after two wins in a row, until a table is not won.
    """
    return share * WIN * (2 if streak >= STREAK else 1), streak + 1 if share == 1 else 0


def paired(free: Sequence[Free], *, wanted: int = 2, allowed: Sequence[int] = (), seed: str = "") -> Pairing:
    """Tables for those who are free, who come in order of their waiting, the longest first; the others go on waiting.

    By these laws, the first before the others. (1) As few as can be meet somebody of their last table: no exchange of
    two would make it fewer, and between two at a table nothing would. A table at which it cannot be avoided is not
    played before somebody there wants it (`Free.again`). (2) As many play as table sizes allow, and whoever has waited
    longest does. (3) In that order each finds the company of the nearest scores among the `WINDOW` on each side, then
    the one they have met least, then who waits longest. (4) Seats even out over the last tables, as `seated` has it.
    """
    tables_of = sizes(len(free), wanted, allowed)
    groups = _gathered(free[: sum(tables_of)], tables_of)
    bench = list(free[sum(tables_of) :])
    bad = [group for group in groups if _repeats(group)]
    while any(_exchanged(group, groups, bench) for group in bad):  # one may make way for another
        bad = [group for group in groups if _repeats(group)]
    if wanted == 2 and any(map(_repeats, bad)):
        _matched(groups, bench)
    told: list[Table] = []
    waiting = {one.player for one in bench}
    for group in groups:
        if _repeats(group) and not any(one.again for one in group):
            waiting |= {one.player for one in group}
        else:
            had = {one.player: [table.index(one.player) for table in one.tables] for one in group}
            told.append(seated([one.player for one in group], had, seed))
    return Pairing(tuple(told), tuple(one.player for one in free if one.player in waiting))


def _repeats(group: Sequence[Free]) -> int:
    """How many pairs at a table would meet again at once, for one of them at least."""
    return sum(_again(one, other) for one, other in combinations(group, 2))


def _again(one: Free, other: Free) -> bool:
    return other.player in one.last or one.player in other.last


def _gathered(free: Sequence[Free], tables_of: Sequence[int]) -> list[list[Free]]:
    """Fill tables of these sizes with all who are free, from windows on a list that is ordered by scores."""
    ranked = sorted(range(len(free)), key=lambda n: (free[n].score, n))
    line = _Line(ranked)
    groups = []
    longest = iter(range(len(free)))
    for size in tables_of:
        first = next(n for n in longest if n in line)
        group = [free[first]]
        near = line.near(first)
        line.take(first)
        while len(group) < size:

            def company(n: int, group: Sequence[Free] = tuple(group)) -> tuple[int, float, int, int]:
                other = free[n]
                return (
                    sum(_again(one, other) for one in group),
                    sum(abs(one.score - other.score) for one in group),
                    sum(one.met.get(other.player, 0) for one in group),
                    n,
                )

            chosen = min(near, key=company)
            near.remove(chosen)
            line.take(chosen)
            group.append(free[chosen])
        groups.append(group)
    return groups


class _Line:
    """Numbers in an order, of which some are taken: those that stand next to one are found at once."""

    def __init__(self, order: Sequence[int]) -> None:
        self._after = dict(zip([-1, *order], [*order, -1], strict=True))
        self._before = {after: n for n, after in self._after.items()}

    def __contains__(self, n: int) -> bool:
        return n in self._after

    def take(self, n: int) -> None:
        before, after = self._before.pop(n), self._after.pop(n)
        self._after[before], self._before[after] = after, before

    def near(self, n: int) -> list[int]:
        """At most `WINDOW` on each side; where there are fewer on one, as many more on the other."""
        found: list[int] = []
        down, up = self._before[n], self._after[n]
        while len(found) < 2 * WINDOW and (down, up) != (-1, -1):
            if down != -1:
                found.append(down)
                down = self._before[down]
            if up != -1:
                found.append(up)
                up = self._after[up]
        return found


def _exchanged(group: list[Free], groups: Sequence[list[Free]], bench: list[Free]) -> bool:
    """Exchange members of a table with those of others, or who would wait, while fewer meet again by it. Whether any
    were."""
    any_ = False
    while before := _repeats(group):
        for other, k, n in _places(group, groups, bench):
            was = before + (_repeats(other) if other is not bench else 0)
            group[n], other[k] = other[k], group[n]
            if _repeats(group) + (_repeats(other) if other is not bench else 0) < was:
                any_ = True
                break
            group[n], other[k] = other[k], group[n]
        else:
            break
    return any_


def _places(
    group: list[Free], groups: Sequence[list[Free]], bench: list[Free]
) -> Iterator[tuple[list[Free], int, int]]:
    """What may be exchanged with a place of the group: first with whoever would wait, then with the nearest scores."""
    score = sum(one.score for one in group) / len(group)
    nearest = sorted(groups, key=lambda other: abs(sum(one.score for one in other) / len(other) - score))
    for other in (bench, *nearest):
        if other is not group:
            for k in range(len(other)):
                for n in reversed(range(len(group))):
                    yield other, k, n


def _matched(groups: list[list[Free]], bench: list[Free]) -> None:
    """Match those anew whom no exchange has helped, with others about them: by Edmonds, as few meet again as can be."""
    groups.sort(key=lambda group: -_repeats(group))
    of = groups[: EXACT // 2]
    players = [*(one for group in of for one in group), *bench[: EXACT // 2]]
    pairs = best_pairs((n, k, int(not _again(players[n], players[k]))) for n, k in combinations(range(len(players)), 2))
    found = [[players[n], players[k]] for n, k in pairs]
    found.sort(key=lambda group: players.index(group[0]))
    if sum(map(_repeats, found)) < sum(map(_repeats, of)):
        at_table = {one.player for group in found for one in group}
        groups[: EXACT // 2] = found
        bench[:] = [one for one in (*players, *bench[EXACT // 2 :]) if one.player not in at_table]


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
        found.append(seated(group, past.places, drawn))
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
