"""What has been played, what each player has had of it, and lots that anybody can draw again."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from hashlib import sha256
from itertools import combinations
from typing import TypeAlias

from msgspec import Struct

Player: TypeAlias = str
Table: TypeAlias = tuple[Player, ...]
"""Who sits where: the place is the index."""


class Pairing(Struct, frozen=True):
    """A round: its tables, the first one first, and who sits out."""

    tables: tuple[Table, ...]
    byes: tuple[Player, ...] = ()


class Meeting(Struct, frozen=True):
    """What came of a table in a round, counted from 1. `points` are by place, `absent` who did not turn up.

    A bye is a table of one, with the points that it is worth.
    """

    round: int
    table: Table
    points: tuple[float, ...]
    absent: tuple[Player, ...] = ()

    @property
    def present(self) -> Table:
        return tuple(player for player in self.table if player not in self.absent)

    @property
    def played(self) -> bool:
        """Whether at least two were there: only then have players met, and sat where they sat."""
        return len(self.table) - len(self.absent) > 1

    def of(self, player: Player) -> float:
        return self.points[self.table.index(player)]


def points(ranks: Sequence[int], lost: Collection[int] = ()) -> tuple[float, ...]:
    """The share of the others that each place is ahead of, by ranks from 1; half for those of the same rank.

    For two that is 1, ½ and 0. The places of `lost` have nothing, and all others are ahead of them: they did not turn
    up, or failed.
    """
    others = len(ranks) - 1
    if not others:
        return (0.0 if lost else 1.0,)
    found = []
    for place, rank in enumerate(ranks):
        ahead = 0.0
        if place not in lost:
            for other, its in enumerate(ranks):
                if other != place:
                    ahead += 1.0 if other in lost or rank < its else 0.5 if rank == its else 0.0
        found.append(ahead / others)
    return tuple(found)


def meeting(
    number: int, table: Table, ranks: Sequence[int], *, absent: Iterable[Player] = (), failed: Iterable[Player] = ()
) -> Meeting:
    """A table of round `number` that ended with these ranks by place. Who was absent or failed has nothing."""
    away = tuple(absent)
    lost = {table.index(player) for player in (*away, *failed)}
    return Meeting(number, table, points(ranks, lost), away)


def bye(number: int, player: Player, worth: float = 1.0) -> Meeting:
    """A round without opponents. By FIDE C.04.1 one that the pairing allots is worth a win."""
    return Meeting(number, (player,), (worth,))


def lot(seed: str, *about: object) -> int:
    """A number drawn for something: the first 64 bits of SHA-256 of the seed and it, parted by slashes."""
    text = "/".join((seed, *map(str, about)))
    return int.from_bytes(sha256(text.encode()).digest()[:8])


class Past:
    """What each player has had: `scores`, opponents `met` and how often, `places`, `byes`, and meetings by player."""

    def __init__(self, meetings: Iterable[Meeting]) -> None:
        self.scores: defaultdict[Player, float] = defaultdict(float)
        self.met: Counter[frozenset[Player]] = Counter()
        self.places: defaultdict[Player, list[int]] = defaultdict(list)
        self.byes: Counter[Player] = Counter()
        self.meetings: defaultdict[Player, list[Meeting]] = defaultdict(list)
        self.against: dict[Player, list[tuple[float, float]]] = {}
        """What `standings` has found out of opponents."""
        for one in sorted(meetings, key=lambda one: one.round):
            for place, player in enumerate(one.table):
                self.scores[player] += one.points[place]
                self.meetings[player].append(one)
                if one.played and player not in one.absent:
                    self.places[player].append(place)
            if one.played:
                self.met.update(map(frozenset, combinations(one.present, 2)))
            elif one.present and one.of(one.present[0]) >= 1:
                self.byes[one.present[0]] += 1  # an opponent who stays away is as good as a bye (C.04.1)

    def times(self, player: Player, other: Player) -> int:
        """How often the two have met."""
        return self.met[frozenset((player, other))]

    def score_before(self, player: Player, number: int) -> float:
        """The points of the rounds before that one."""
        return sum(one.of(player) for one in self.meetings[player] if one.round < number)
