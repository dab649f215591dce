"""What Claim's heuristics know: castles held and within reach, pieces, and what could be caught next."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from math import exp
from typing import Any

from holmgang.engine.moves import Rng
from holmgang.engine.rules import AnyRules
from holmgang.engine.teams import Side, partners_across, side
from holmgang.engine.turn import Seat
from holmgang.games.claim.rules import battle, claims, setup
from holmgang.games.claim.rules.ending import TEAM_CASTLES
from holmgang.games.claim.rules.island import CASTLES, COLUMNS, NOWHERE, Island, Part, island, points_of
from holmgang.games.claim.rules.model import Castle, Claim, Move, Place, Remove, Stake, State, Stop
from holmgang.games.claim.rules.moving import Nets, further_catches, moves_of
from holmgang.games.claim.rules.work import NOBODY

CASTLE = 6.0
"""The worth of a castle; a caught piece is worth 1."""
NEARER = 1.5
"""More for each castle after the first: the last one wins."""
WON = 60.0
SCALE = 0.11
"""How steeply the value follows what the position is worth."""
JITTER = 1e-3
"""By so much chance decides between what looks alike."""


class Ground:
    """An island as bits of a grid with a rim of sea, so that neighbours of whole sets are found by shifting."""

    __slots__ = ("at", "land", "sea", "tables", "whole", "wide")

    def __init__(self, place: Island) -> None:
        spots = [(COLUMNS.index(name[0]) + 1, int(name[1:])) for name in place.names]
        self.wide = max(x for x, _ in spots) + 1
        high = max(y for _, y in spots)
        self.at = [y * self.wide + x for x, y in spots]
        self.whole = sum(1 << n for n in self.at)
        self.sea = ((1 << (high + 2) * self.wide + 1) - 1) & ~self.whole
        self.tables = [
            [
                sum(1 << self.at[low + n] for n in range(8) if bits >> n & 1 and low + n < len(spots))
                for bits in range(256)
            ]
            for low in range(0, len(spots), 8)
        ]
        self.land = [self.grid(bits) for bits in place.land]

    def grid(self, bits: int) -> int:
        """A set of the island's points as bits of the grid."""
        found = 0
        for table in self.tables:
            found |= table[bits & 255]
            bits >>= 8
        return found

    def reach(self, pieces: int, taken: int) -> int:
        """Where any of the pieces could end (K3.1)."""
        wide = self.wide
        free = self.whole & ~taken
        found = (pieces << 1 | pieces >> 1 | pieces << wide | pieces >> wide) & free
        edge, landed = pieces, 0
        while edge:
            edge = (
                ((edge << 1 & taken) << 1)
                | ((edge >> 1 & taken) >> 1)
                | ((edge << wide & taken) << wide)
                | ((edge >> wide & taken) >> wide)
            ) & (free & ~landed)
            landed |= edge
        return found | landed

    def between(self, closers: int, ends: int) -> int:
        """The points with one of `closers` on one side and one of `ends` on the other."""
        wide = self.wide
        return (
            (closers << 1 & ends >> 1)
            | (closers >> 1 & ends << 1)
            | (closers << wide & ends >> wide)
            | (closers >> wide & ends << wide)
        )


@lru_cache(maxsize=64)
def ground_of(layout: tuple[Part, ...]) -> Ground:
    return Ground(island(layout))


class Table:
    """A position in sets of the grid: a seat's pieces, castles by territory with their points, and who moves next."""

    __slots__ = ("castles", "gone", "ground", "next", "pieces", "players", "points")

    def __init__(self, state: State) -> None:
        self.ground = ground_of(state.layout)
        self.players = state.players
        self.gone = state.resigned
        self.pieces = [self.ground.grid(bits) for bits in state.pieces]
        self.castles = list(state.castles)
        self.points = [0 if p == NOWHERE else 1 << self.ground.at[p] for p in state.castle_points]
        self.next = max(state.active, 0)

    def worth(self, seat: Seat) -> float:
        """How much better the seat's side stands than the best other that has not resigned, in pieces."""
        teams = partners_across(self.players)
        worths = self._worths(teams)
        mine = next(n for n, team in enumerate(teams) if seat in team)
        return worths[mine] - max(
            worth for n, worth in enumerate(worths) if n != mine and not self.gone >> teams[n][0] & 1
        )

    def _worths(self, teams: tuple[Side, ...]) -> list[float]:
        """Each side by itself."""
        own = [0] * len(teams)
        forts = [0] * len(teams)
        side_of = [0] * self.players
        for n, team in enumerate(teams):
            for seat in team:
                own[n] |= self.pieces[seat]
                side_of[seat] = n
        for holder, point in zip(self.castles, self.points, strict=True):
            if holder != NOBODY:
                forts[side_of[holder]] |= point
        every = taken = 0
        for pieces, castles in zip(own, forts, strict=True):
            every |= pieces
            taken |= pieces | castles
        reaches = [self.ground.reach(pieces, taken) for pieces in own]
        worths: list[float] = []
        for n, team in enumerate(teams):
            others = 0
            for m, reach in enumerate(reaches):
                if m != n:
                    others |= reach
            moving = side_of[self.next] == n
            held = forts[n].bit_count()
            worths.append(
                self._safety(own[n], forts[n], taken, others, moving)
                + CASTLE * held
                + NEARER * held * (held - 1) / 2
                + (WON if held >= _wanted(team) else 0)
                + self._promise(team, own[n], every, others, held, moving)
            )
        return worths

    def _safety(self, mine: int, forts: int, taken: int, others: int, moving: bool) -> float:
        """Pieces, less those that stand where others, who can reach `others`, may catch them next or later.

        Who moves next may still save one; who does not will lose one, and more in a chase.
        """
        ground = self.ground
        closers = taken & ~mine & ~forts
        free = ground.whole & ~taken
        caught = ground.between(closers | ground.sea, others)
        bare = ground.between(closers | ground.sea | free, closers | free)
        worth = mine.bit_count() - 0.06 * (mine & bare).bit_count()
        if lost := (mine & caught).bit_count():
            worth -= 0.2 * lost if moving else 0.6 + 0.3 * lost
        if lost := (forts & caught).bit_count():
            worth -= (2.0 if moving else CASTLE) * lost
        return worth

    def _promise(self, team: Side, mine: int, every: int, others: int, held: int, moving: bool) -> float:
        """What territories promise that the side has pieces on but does not hold: those without enemies a castle at
        the next turn, unless somebody steps in before."""
        castle = CASTLE + NEARER * held + (WON / 2 if held + 1 >= _wanted(team) else 0)
        foes = every & ~mine
        worth = 0.0
        for land, holder in zip(self.ground.land, self.castles, strict=True):
            if holder in team or not (here := mine & land):
                continue
            if against := (foes & land).bit_count():
                worth += castle * 0.22 / (against + 0.5) + 0.05 * min(here.bit_count(), 4)
            elif moving:
                worth += castle * 0.9
            else:
                worth += castle * (0.35 if others & land else 0.85)
        return worth


def _wanted(team: Side) -> int:
    """K6.1: so many castles win."""
    return CASTLES if len(team) == 1 else TEAM_CASTLES


class ClaimJudge:
    """Looks one action ahead. All choices of a seat are compared by what the table is then worth."""

    def value(self, state: State, seat: Seat) -> float:
        if state.phase == "over":
            mine = side(state.players, seat)
            if mine[0] not in state.winners:
                return 0.0
            return len(mine) / len(state.winners)
        return _share(Table(state).worth(seat))

    def choose(self, rules: AnyRules, state: State, seat: Seat, rng: Rng) -> Any:
        return _best(self.scored(state, seat), rng)

    def ranked(self, rules: AnyRules, state: State, seat: Seat, rng: Rng) -> list[tuple[float, Any]]:
        """The choices worth a thought, the best first, with the values of the tables that they lead to."""
        found = [(_share(worth), action) for worth, action in self.scored(state, seat)]
        return sorted(found, key=lambda each: -each[0])

    def scored(self, state: State, seat: Seat) -> list[tuple[float, Any]]:
        """Choices with what the table is worth after them."""
        return _SCORED[state.phase](state, seat)


def _share(worth: float) -> float:
    return 1 / (1 + exp(-SCALE * worth))


def _best(scored: Sequence[tuple[float, Any]], rng: Rng) -> Any:
    most, found = -1e9, None
    for worth, action in scored:
        worth += JITTER * rng.random()
        if worth > most:
            most, found = worth, action
    return found


def _placements(state: State, seat: Seat) -> list[tuple[float, Any]]:
    """K2.1: even numbers in all territories, so that few can be cleared (K2.2), in the middle and side by side."""
    land = island(state.layout)
    table = Table(state)
    ground = table.ground
    taken = 0
    for bits in table.pieces:
        taken |= bits
    mine = 0
    for mate in side(state.players, seat):
        mine |= table.pieces[mate]
    single: list[tuple[float, int]] = []
    for p in range(len(land.names)):
        bit = 1 << ground.at[p]
        if bit & taken:
            continue
        here = (mine & ground.land[land.territory[p]]).bit_count()
        worth = -float(here)
        wide = ground.wide
        for step in (bit << 1, bit >> 1, bit << wide, bit >> wide):
            if step & ground.sea:
                worth -= 0.25
            elif step & mine:
                worth += 0.3
            elif step & taken:
                worth -= 0.1
        single.append((worth, p))
    single.sort(key=lambda each: (-each[0], each[1]))
    base = table.worth(seat)
    found = []
    for (one, p), (other, q) in combinations(single[:12], 2):
        same = 1.0 if land.territory[p] == land.territory[q] else 0.0
        found.append((base + one + other - same, Place(points=tuple(land.names[n] for n in sorted((p, q))))))
    return found


def _removals(state: State, seat: Seat) -> list[tuple[float, Any]]:
    """K2.2: clear whole territories, then take what stands best."""
    land = island(state.layout)
    quotas = setup.quotas(state, seat)
    must = setup.to_remove(state, seat)
    options: list[tuple[int, ...]] = []
    whose = {p: foe for foe in quotas for p in points_of(state.pieces[foe])}
    within = [[p for p in points_of(bits) if p in whose] for bits in land.land]
    for size in range(4):
        for chosen in combinations(range(len(within)), size):
            cleared = [p for t in chosen for p in within[t]]
            rest = sorted((p for p in whose if p not in cleared), key=lambda p: (len(within[land.territory[p]]), p))
            picked = _within_quotas([*cleared, *rest], whose, quotas, must)
            if set(cleared) <= set(picked):
                options.append(tuple(sorted(picked)))
    found = []
    for points in dict.fromkeys(options):
        table = Table(state)
        for p in points:
            table.pieces[whose[p]] &= ~(1 << table.ground.at[p])
        # Nobody moves before the claims, so what stands alone is claimed.
        table.next = seat
        found.append((table.worth(seat), Remove(points=tuple(land.names[p] for p in points))))
    return found


def _within_quotas(points: list[int], whose: dict[int, Seat], quotas: dict[Seat, int], must: int) -> list[int]:
    left = dict(quotas)
    found: list[int] = []
    for p in points:
        if len(found) < must and left[whose[p]]:
            left[whose[p]] -= 1
            found.append(p)
    return found


def _claims(state: State, seat: Seat) -> list[tuple[float, Any]]:
    """K5: on every territory, each on its best point; without those that stand worse than nothing."""
    land = island(state.layout)
    ground = claims.claimable(land, state, seat)
    table = Table(state)
    table.next = (seat + 1) % state.players
    stakes: list[tuple[float, Stake]] = []
    for territory, free in ground.items():
        best = max((_with_castle(table, seat, territory, p), -p) for p in free)
        stakes.append((best[0], Stake(territory=territory, point=land.names[-best[1]])))
    stakes.sort(key=lambda each: (-each[0], each[1].territory))
    hand = CASTLES - state.castles.count(seat)
    found = []
    for size in range(min(hand, len(stakes)) + 1):
        for chosen in combinations(stakes, size):
            after = _copy(table)
            for _, stake in chosen:
                after.castles[stake.territory] = seat
                after.points[stake.territory] = 1 << after.ground.at[land.numbers[stake.point]]
            claim = Claim(castles=tuple(sorted((stake for _, stake in chosen), key=lambda s: s.territory)))
            found.append((after.worth(seat), claim))
    return found


def _copy(table: Table) -> Table:
    found: Table = Table.__new__(Table)
    found.ground, found.players, found.gone, found.next = table.ground, table.players, table.gone, table.next
    found.pieces, found.castles, found.points = table.pieces[:], table.castles[:], table.points[:]
    return found


def _with_castle(table: Table, seat: Seat, territory: int, point: int) -> float:
    holder, before = table.castles[territory], table.points[territory]
    table.castles[territory], table.points[territory] = seat, 1 << table.ground.at[point]
    worth = table.worth(seat)
    table.castles[territory], table.points[territory] = holder, before
    return worth


def _ends(
    state: State, seat: Seat, ways: dict[tuple[int, int], tuple[int, ...]], land: Island
) -> Iterator[tuple[float, Any]]:
    """Movements, with what is worth what they catch and leave."""
    nets = Nets(land, state, seat)
    table = Table(state)
    at = table.ground.at
    following = (seat + 1) % state.players
    for (start, end), path in ways.items():
        catches = nets.catches(start, end)
        after = _copy(table)
        after.pieces[seat] ^= 1 << at[start] | 1 << at[end]
        hand = CASTLES - state.castles.count(seat)
        for victim, point, castle, _ in catches:
            if castle:
                territory = land.territory[point]
                after.castles[territory], after.points[territory] = NOBODY, 0
                if hand:
                    # Any point will do until it is asked for: there the own piece stands.
                    hand -= 1
                    after.castles[territory], after.points[territory] = seat, 1 << at[point]
            else:
                after.pieces[victim] &= ~(1 << at[point])
        after.next = following
        yield after.worth(seat), Move(path=tuple(land.names[p] for p in path))


def _moves(state: State, seat: Seat) -> list[tuple[float, Any]]:
    land = island(state.layout)
    return list(_ends(state, seat, moves_of(land, state, seat), land))


def _chases(state: State, seat: Seat) -> list[tuple[float, Any]]:
    land = island(state.layout)
    found = list(_ends(state, seat, further_catches(land, state, seat, state.chaser), land))
    table = Table(state)
    table.next = (seat + 1) % state.players
    return [*found, (table.worth(seat), Stop())]


def _castles(state: State, seat: Seat) -> list[tuple[float, Any]]:
    land = island(state.layout)
    table = Table(state)
    table.next = (seat + 1) % state.players
    return [
        (_with_castle(table, seat, territory, p), Castle(point=land.names[p]))
        for p, territory in battle.castle_points(land, state).items()
    ]


_SCORED: dict[str, Callable[[State, Seat], list[tuple[float, Any]]]] = {
    "placement": _placements,
    "removal": _removals,
    "claim": _claims,
    "move": _moves,
    "chase": _chases,
    "castle": _castles,
}
