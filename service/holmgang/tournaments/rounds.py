"""The next round of each kind of tournament that goes by rounds.

All take the same: `players` are all who ever took part, by their numbers, the strongest first; `present` are those who
play this round. `number` is the round's, from 1.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations

from .dutch import dutch
from .meetings import Meeting, Pairing, Past, Player, Table, lot
from .seating import gathered, round_of, sizes

FINE = 60
"""Differences of scores are counted in sixtieths: up to a table of 7, points are whole ones of them."""


def berger(count: int, number: int) -> list[tuple[int, int]]:
    """Round `number` of the Berger table (FIDE C.05, annex 1) for an even `count` of players, by numbers from 1."""
    last = count - 1
    turn = (number - 1) * (count // 2) % last
    pairs = []
    for n in range(count // 2):
        one, two = (turn + n) % last + 1, (turn - n) % last + 1
        pairs.append((one, two))
    own = pairs[0][0]
    pairs[0] = (own, count) if number % 2 else (count, own)
    return pairs


def round_robin(
    players: Sequence[Player],
    present: Sequence[Player],
    meetings: Sequence[Meeting],
    number: int,
    *,
    wanted: int = 2,
    allowed: Sequence[int] = (),
    seed: str = "",
) -> Pairing | None:
    """A round in which everybody meets somebody they have not met; None when all have met all.

    Two at a table: Berger's table; whoever would meet the one too many, or somebody who is not there, has a bye. A
    second time through it, first and second change. More at a table: as few meet again as can be, until all have met,
    and byes go round.
    """
    past = Past(meetings)
    if wanted == 2:
        count = len(players) + len(players) % 2
        if number > count - 1:
            return None
        names = dict(enumerate(players, start=1))
        here = set(present)
        tables: list[Table] = []
        byes: list[Player] = []
        for pair in berger(count, number):
            met = tuple(names[n] for n in pair if n in names and names[n] in here)
            if len(met) == 2:
                tables.append(met)
            else:
                byes += met
        return Pairing(tuple(tables), tuple(byes))
    if all(past.times(*pair) for pair in combinations(present, 2)):
        return None
    tables_of = sizes(len(present), wanted, allowed)
    out_before = {player: sum(not one.played for one in past.meetings[player]) for player in present}
    drawn = sorted(present, key=lambda player: (out_before[player], lot(seed, number, "bye", player)))
    out = set(drawn[: len(present) - sum(tables_of)])
    playing = [player for player in present if player not in out]
    groups = gathered(playing, tables_of, past, f"{seed}/{number}")
    return round_of(groups, [player for player in present if player in out], past, f"{seed}/{number}")


def swiss(
    players: Sequence[Player],
    present: Sequence[Player],
    meetings: Sequence[Meeting],
    number: int,
    *,
    rounds: int,
    wanted: int = 2,
    allowed: Sequence[int] = (),
    seed: str = "",
) -> Pairing:
    """A round of equals, by their scores so far.

    Two at a table: FIDE's Dutch system, the first colour drawn by the seed. More: by these laws, the first before the
    others. (1) As few sit out as table sizes allow: who has had the fewest byes, then the lowest score, then the
    highest number. (2) As few as can be meet again, as `gathered` has it. (3) Scores at a table are near each other.
    (4) Each has had each place equally often, as `seated` has it. The table with the highest scores is the first.
    """
    if wanted == 2:
        return dutch(players, present, meetings, number, rounds, lot(seed, "first colour") % 2)
    past = Past(meetings)
    order = {player: n for n, player in enumerate(players)}
    tables_of = sizes(len(present), wanted, allowed)
    lowest = sorted(present, key=lambda player: (past.byes[player], past.scores[player], -order[player]))
    byes = lowest[: len(present) - sum(tables_of)]
    ranked = sorted(set(present) - set(byes), key=lambda player: (-past.scores[player], order[player]))
    at = {player: round(FINE * past.scores[player]) for player in ranked}
    groups = gathered(ranked, tables_of, past, f"{seed}/{number}", lambda one, two: at[one] - at[two])
    groups.sort(key=lambda group: sorted((-at[player], order[player]) for player in group))
    return round_of(groups, byes, past, f"{seed}/{number}")


def knock_out(
    players: Sequence[Player],
    present: Collection[Player],
    meetings: Sequence[Meeting],
    number: int,
    *,
    wanted: int = 2,
    allowed: Sequence[int] = (),
    seed: str = "",
) -> Pairing | None:
    """A round of those who are still in it; None when one is left, or too few for a table.

    The strongest meets the weakest: tables are filled from the first to the last and back again. Of each the better
    half goes on, of the last one the best. Two at a table: in the first round the strongest have byes, so many that
    there are none afterwards.
    """
    left = [player for player in survivors(players, meetings) if player in present]
    if len(left) < 2:
        return None
    if wanted == 2:
        full = 1 << (len(left) - 1).bit_length()
        tables_of: tuple[int, ...] = (2,) * (len(left) - full // 2)
    else:
        tables_of = sizes(len(left), wanted, allowed)
    if not tables_of:
        return None
    out = len(left) - sum(tables_of)
    groups: list[list[Player]] = [[] for _ in tables_of]
    turn = [*range(len(tables_of)), *reversed(range(len(tables_of)))]
    rest, at = left[out:], 0
    while rest:
        table = turn[at % len(turn)]
        if len(groups[table]) < tables_of[table]:
            groups[table].append(rest.pop(0))
        at += 1
    return round_of(groups, left[:out], Past(meetings), f"{seed}/{number}")


def survivors(players: Sequence[Player], meetings: Sequence[Meeting]) -> list[Player]:
    """Who is still in a knock-out, the strongest first."""
    left = list(players)
    for number in sorted({one.round for one in meetings}):
        those = [one for one in meetings if one.round == number]
        on = {player for one in those for player in through(one, places(one, those), players)}
        left = [player for player in left if player in on]
    return left


def places(one: Meeting, those: Sequence[Meeting]) -> int:
    """How many of a table of a knock-out go on. `those` are all of its round: of the only one, the best does."""
    return 1 if len(those) == 1 else (len(one.table) + 1) // 2


def through(one: Meeting, count: int, players: Sequence[Player]) -> tuple[Player, ...]:
    """Those of a table who go on: by points; by their numbers where these are the same. Nobody who was absent does."""
    order = {player: n for n, player in enumerate(players)}
    return tuple(sorted(one.present, key=lambda player: (-one.of(player), order[player]))[:count])


def undecided(one: Meeting, count: int) -> bool:
    """Whether only numbers would tell who goes on."""
    there = sorted((one.of(player) for player in one.present), reverse=True)
    return 0 < count < len(there) and there[count - 1] == there[count]
