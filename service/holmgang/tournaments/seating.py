"""Tables of any size: how many there are, who shares one, and who sits where."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import combinations

from .meetings import Pairing, Past, Player, Table, lot

STARTS = 12
"""How many times tables are filled from another start while somebody meets somebody again."""


def sizes(players: int, wanted: int, allowed: Sequence[int] = ()) -> tuple[int, ...]:
    """The sizes of tables for so many players, largest first: as few sit out as can be, then as many tables as can be
    have the `wanted` size, and the others are near it. `allowed` are smaller sizes that the game takes as well."""
    usable = {wanted, *(size for size in allowed if 2 <= size < wanted)}
    # Of any `wanted` smaller tables some have as many seats as tables of the wanted size, which would be better. So
    # fewer than wanted² players do not sit at such.
    full = max(0, players // wanted - wanted)
    best: list[tuple[tuple[int, int], tuple[int, ...]]] = [((0, 0), ())]
    for count in range(1, players - full * wanted + 1):
        (out, off), found = best[count - 1]
        options = [((out + 1, off), found)]
        for size in usable:
            if size <= count:
                (out, off), found = best[count - size]
                options.append(((out, off + (wanted - size) ** 2), tuple(sorted((*found, size), reverse=True))))
        best.append(min(options, key=lambda option: (option[0], len(option[1]))))
    return (wanted,) * full + best[-1][1]


def gathered(
    players: Sequence[Player],
    tables: Sequence[int],
    past: Past,
    seed: str,
    distance: Callable[[Player, Player], int] = lambda _one, _two: 0,
) -> list[list[Player]]:
    """Fill tables of these sizes with all players, who come in order of strength.

    No exchange of two players makes fewer meetings happen again (a third one weighs more than a second), nor brings
    those at a table nearer to each other, by the sum of `distance` squared, without more of them.
    """

    def again(table: Sequence[Player]) -> int:
        return sum(past.times(a, b) ** 2 + past.times(a, b) for a, b in combinations(table, 2))

    def cost(table: Sequence[Player]) -> tuple[int, int]:
        return again(table), sum(distance(a, b) ** 2 for a, b in combinations(table, 2))

    best: tuple[tuple[int, int], list[list[Player]]] | None = None
    for start in range(STARTS):
        order = list(players) if not start else sorted(players, key=lambda player: lot(seed, start, player))
        filled, at = [], 0
        for size in tables:
            filled.append(order[at : at + size])
            at += size
        total = _improved(filled, cost)
        if best is None or total < best[0]:
            best = total, filled
        if not best[0][0]:
            break
    assert best is not None
    return best[1]


def _improved(tables: list[list[Player]], cost: Callable[[Sequence[Player]], tuple[int, int]]) -> tuple[int, int]:
    """Exchange players between tables for as long as that costs less. What all of it costs then."""
    costs = [cost(table) for table in tables]
    changed = True
    while changed:
        changed = False
        for one, two in combinations(range(len(tables)), 2):
            first, second = tables[one], tables[two]
            for i in range(len(first)):
                for k in range(len(second)):
                    before = _sum(costs[one], costs[two])
                    first[i], second[k] = second[k], first[i]
                    now = cost(first), cost(second)
                    if _sum(*now) < before:
                        costs[one], costs[two] = now
                        changed = True
                    else:
                        first[i], second[k] = second[k], first[i]
    return sum(c[0] for c in costs), sum(c[1] for c in costs)


def _sum(one: tuple[int, int], two: tuple[int, int]) -> tuple[int, int]:
    return one[0] + two[0], one[1] + two[1]


def seated(players: Sequence[Player], had: Mapping[Player, Sequence[int]], seed: str) -> Table:
    """Who of a table sits where, by the places that each has `had`, the last one last: each has had its place as seldom
    as can be, all together; then nobody the one of last time; then by lot."""
    drawn = sorted(players, key=lambda player: lot(seed, "place", player))
    costs = [
        [(2 * had[player].count(place) + 1, int(had[player][-1:] == [place])) for place in range(len(drawn))]
        for player in drawn
    ]

    @cache
    def rest(left: frozenset[int]) -> tuple[tuple[int, int], tuple[int, ...]]:
        """The cost of the last places with those who are left, and who sits there: of the same cost, who was drawn
        first comes first."""
        place = len(drawn) - len(left)
        found = []
        for n in sorted(left):
            (often, again), others = rest(left - {n})
            found.append(((often + costs[n][place][0], again + costs[n][place][1]), (n, *others)))
        return min(found, default=((0, 0), ()))

    return tuple(drawn[n] for n in rest(frozenset(range(len(drawn))))[1])


def round_of(groups: Sequence[Sequence[Player]], byes: Sequence[Player], past: Past, seed: str) -> Pairing:
    """A round of these groups, each at its table."""
    return Pairing(tuple(seated(group, past.places, seed) for group in groups), tuple(byes))
