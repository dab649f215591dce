"""Who of those that seek a game plays whom: pure, on values.

All that wait in a pool want the same game on the same terms. A set of them is a bit mask of their places in the queue,
the longest waiting lowest; so whom one fits is found for thousands at once, and the lowest bit is who comes first.
Whoever looks the same (`_Look`) fits the same: what is found out for one holds for all of them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from random import Random
from typing import NamedTuple
from uuid import UUID

from holmgang.engine.teams import Side

Pair = tuple[UUID, UUID]
"""Two players who are never seated together; each pair is given in both orders."""
STEPS = 30_000
"""How many tries for a companion a pool is good for, about a tenth of a second. Only crowds of many different ranges
that nearly fit need so many."""
FEW_STEPS = 10
"""What each is good for even then, so that nobody is kept waiting by who comes before."""


class _Look(NamedTuple):
    """What others see of somebody, and whom they want."""

    bot: bool
    people: bool
    bots: bool
    rating: int
    lowest: float
    highest: float


@dataclass(frozen=True, slots=True)
class Seeker:
    """Somebody who waits. `tables`: what they would play, by the number of seats; only equals share a table. They want
    `people`, `bots` or both, of ratings from `lowest` to `highest`."""

    id: UUID
    player: UUID
    tables: Mapping[int, Hashable]
    rating: int
    bot: bool = False
    people: bool = True
    bots: bool = True
    lowest: float = -inf
    highest: float = inf


class Match(NamedTuple):
    """Seekers of one table, the longest waiting first."""

    seekers: tuple[Seeker, ...]

    @property
    def seats(self) -> int:
        return len(self.seekers)


def fit(one: Seeker, other: Seeker, blocked: Collection[Pair] = ()) -> bool:
    """Whether the two would sit at one table, whatever is played there."""
    return (
        one.player != other.player
        and (one.player, other.player) not in blocked
        and _wants(one, other)
        and _wants(other, one)
    )


def _wants(one: Seeker, other: Seeker) -> bool:
    return (one.bots if other.bot else one.people) and one.lowest <= other.rating <= one.highest


def matches(
    seekers: Sequence[Seeker], blocked: Iterable[Pair] = (), *, once: bool = False, steps: int = STEPS
) -> list[Match]:
    """The tables of a pool that can be filled now.

    `seekers` come in the order of their waiting. Each in turn gets the largest table that those who are left can fill,
    at which the longest waiting sit; so of those who are left over, no table can be filled. `once`: nobody is matched
    by two seeks. `steps` bounds the search; a table that is not found within it is found later or not at all.
    """
    return list(_Crowd(seekers, blocked, once=once).tables(steps))


def seated(players: Sequence[Seeker], sides: Sequence[Side], rng: Random) -> list[Seeker]:
    """The players by seat, drawn by lot. Sides of several are as strong as each other: the strongest player joins the
    weakest side that has room, and so on, which is the best there is for two sides of two."""
    drawn, free = (
        rng.sample(players, len(players)),
        {side: rng.sample(side, len(side)) for side in rng.sample(sides, len(sides))},
    )
    strength = dict.fromkeys(free, 0)
    by_seat = {}
    for player in sorted(drawn, key=lambda player: -player.rating):
        side = min(filter(free.get, free), key=lambda side: strength[side])
        by_seat[free[side].pop()] = player
        strength[side] += player.rating
    return [by_seat[seat] for seat in sorted(by_seat)]


class _Below:
    """Masks of those with at most, or less than, some value."""

    def __init__(self, values: Iterable[float]) -> None:
        at = defaultdict[float, int](int)
        for place, value in enumerate(values):
            at[value] |= 1 << place
        self._values = sorted(at)
        self._masks = [0]
        for value in self._values:
            self._masks.append(self._masks[-1] | at[value])

    def up_to(self, value: float) -> int:
        return self._masks[bisect_right(self._values, value)]

    def less_than(self, value: float) -> int:
        return self._masks[bisect_left(self._values, value)]


class _Crowd:
    def __init__(self, seekers: Sequence[Seeker], blocked: Iterable[Pair], *, once: bool) -> None:
        self._seekers, self._once = seekers, once
        self._looks = [
            _Look(seeker.bot, seeker.people, seeker.bots, seeker.rating, seeker.lowest, seeker.highest)
            for seeker in seekers
        ]
        self._ratings = _Below(look.rating for look in self._looks)
        self._lowest = _Below(look.lowest for look in self._looks)
        self._highest = _Below(look.highest for look in self._looks)
        self._kind = [_mask(look.bot is kind for look in self._looks) for kind in (False, True)]
        self._want = [_mask(look.bots if kind else look.people for look in self._looks) for kind in (False, True)]
        self._tables = _masks(
            (place, (seats, game)) for place, seeker in enumerate(seekers) for seats, game in seeker.tables.items()
        )
        self._of = _masks((place, seeker.player) for place, seeker in enumerate(seekers))
        self._apart = self._kept_apart(blocked)
        self._alike = _masks((place, look) for place, look in enumerate(self._looks) if place not in self._apart)
        """Of each look those who are kept apart from nobody."""
        self._fitting: dict[_Look, int] = {}
        self._steps = 0

    def _kept_apart(self, blocked: Iterable[Pair]) -> dict[int, int]:
        """With whom somebody is never seated, besides what their looks say: with themself, and with the blocked."""
        apart = defaultdict[int, int](int)
        for mask in self._of.values():
            if mask & (mask - 1):
                for place in _places(mask):
                    apart[place] |= mask & ~(1 << place)
        for one, other in blocked:
            if other in self._of:
                for place in _places(self._of.get(one, 0)):
                    apart[place] |= self._of[other]
        return dict(apart)

    def tables(self, steps: int) -> Iterator[Match]:
        left = (1 << len(self._seekers)) - 1
        hopeless = set[tuple[int, Hashable, _Look]]()
        for place, seeker in enumerate(self._seekers):
            here = 1 << place
            if not left & here:
                continue
            left &= ~here  # who finds no table now finds none later either, since only fewer are left
            look, alone = self._looks[place], place not in self._apart
            for seats in sorted(seeker.tables, reverse=True):
                game = seeker.tables[seats]
                if alone and (seats, game, look) in hopeless:
                    continue
                self._steps = allowed = max(steps, FEW_STEPS)
                found = self._companions(left & self._tables[seats, game] & self._fits(place), seats - 1)
                steps -= allowed - self._steps
                if found is not None:
                    for one in (place, *found):
                        left &= ~(self._of[self._seekers[one].player] if self._once else 1 << one)
                    yield Match(tuple(self._seekers[one] for one in (place, *found)))
                    break
                if alone and self._steps >= 0:
                    hopeless.add((seats, game, look))

    def _companions(self, among: int, wanted: int) -> list[int] | None:
        """The first so many of a mask who all fit each other, or None."""
        if not wanted:
            return []
        if wanted > 1 and not self._room_for(wanted, among):
            return None
        while among.bit_count() >= wanted:
            self._steps -= 1
            if self._steps < 0:
                return None
            here = among & -among
            place = here.bit_length() - 1
            among &= ~here
            rest = self._companions(among & self._fits(place), wanted - 1)
            if rest is not None:
                return [place, *rest]
            if place not in self._apart:
                among &= ~self._alike[self._looks[place]]
        return None

    def _room_for(self, wanted: int, among: int) -> bool:
        """False where so many of a mask surely do not fit each other: of those who want nobody of their own kind, one
        can sit at a table. Without this, people who seek bots that seek people alone cost a search each."""
        room = 0
        for kind, want in zip(self._kind, self._want, strict=True):
            alike = among & kind
            room += (alike & want).bit_count() + bool(alike & ~want)
        return room >= wanted

    def _fits(self, place: int) -> int:
        look = self._looks[place]
        fitting = self._fitting.get(look)
        if fitting is None:
            fitting = self._fitting[look] = self._fitting_to(look)
        return fitting & ~self._apart.get(place, 0) & ~(1 << place)

    def _fitting_to(self, look: _Look) -> int:
        wanted = (self._kind[False] if look.people else 0) | (self._kind[True] if look.bots else 0)
        in_range = self._ratings.up_to(look.highest) & ~self._ratings.less_than(look.lowest)
        accepting = self._lowest.up_to(look.rating) & ~self._highest.less_than(look.rating)
        return wanted & in_range & accepting & self._want[look.bot]


def _mask(members: Iterable[bool]) -> int:
    return sum(1 << place for place, member in enumerate(members) if member)


def _masks(members: Iterable[tuple[int, Hashable]]) -> dict[Hashable, int]:
    masks = defaultdict[Hashable, int](int)
    for place, key in members:
        masks[key] |= 1 << place
    return masks


def _places(mask: int) -> Iterator[int]:
    while mask:
        here = mask & -mask
        yield here.bit_length() - 1
        mask &= ~here
