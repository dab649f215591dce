"""What a seat may do at each kind of turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from math import comb
from typing import Any

from holmgang.engine.errors import Fault
from holmgang.engine.messages import counted, say, template, way
from holmgang.engine.moves import Rng
from holmgang.engine.turn import Seat

from . import battle, claims, setup
from .island import Island, island, points_of
from .model import Board, Castle, Claim, Move, Place, Remove, Stake, Stop
from .moving import Nets, further_catches, is_way, moves_of, ways
from .work import in_hand, occupied


class Space:
    """The common part: a seat's choices on a board."""

    def __init__(self, board: Board, seat: Seat) -> None:
        self.board, self.seat = board, seat
        self.land: Island = island(board.layout)

    def __contains__(self, action: Any) -> bool:
        return self.why_not(action) is None

    def why_not(self, action: Any) -> Fault | None:
        raise AssertionError("each kind of turn explains itself")

    def grammar(self) -> Mapping[str, Any]:
        return {}

    def unknown(self, names: tuple[str, ...]) -> Fault | None:
        """Points that the island does not have."""
        for name in names:
            if name not in self.land.numbers:
                return Fault("K1.1", say("The island has no point {name}.", name=name))
        return None

    def named(self, points: Any) -> tuple[str, ...]:
        return self.land.named(points)


class Placements(Space):
    """K2.1."""

    def __init__(self, board: Board, seat: Seat) -> None:
        super().__init__(board, seat)
        self.free = list(points_of(self.land.whole & ~occupied(board)))

    def __iter__(self) -> Iterator[Place]:
        return (Place(points=self.named(pair)) for pair in combinations(self.free, 2))

    def count(self) -> int:
        return comb(len(self.free), 2)

    def sample(self, rng: Rng) -> Place:
        return Place(points=self.named(sorted(_draw(rng, list(self.free), 2))))

    def why_not(self, action: Place) -> Fault | None:
        if (fault := self.unknown(action.points)) is not None:
            return fault
        if len(set(action.points)) < 2:
            return Fault("K2.1", say("Two pieces go to two different points."))
        for name in action.points:
            if self.land.numbers[name] not in self.free:
                return Fault("K2.1", say("{name} is not free.", name=name))
        return None

    def grammar(self) -> Mapping[str, Any]:
        return {"points": 2, "free": list(self.named(self.free))}


class Removals(Space):
    """K2.2."""

    def __init__(self, board: Board, seat: Seat) -> None:
        super().__init__(board, seat)
        self.quotas = setup.quotas(board, seat)
        self.must = setup.to_remove(board, seat)
        self.foes = {foe: list(points_of(board.pieces[foe])) for foe in self.quotas}

    def __iter__(self) -> Iterator[Remove]:
        return (Remove(points=self.named(points)) for points in setup.removals(self.board, self.seat))

    def _shares(self) -> Iterator[tuple[tuple[int, ...], int]]:
        """How many of each enemy may be taken, with the number of sets that take so many."""

        def split(foes: list[Seat], left: int) -> Iterator[tuple[tuple[int, ...], int]]:
            if not foes:
                if not left:
                    yield (), 1
                return
            there = self.foes[foes[0]]
            for n in range(min(left, self.quotas[foes[0]], len(there)) + 1):
                for rest, sets in split(foes[1:], left - n):
                    yield (n, *rest), comb(len(there), n) * sets

        return split(list(self.foes), self.must)

    def count(self) -> int:
        return sum(sets for _, sets in self._shares())

    def sample(self, rng: Rng) -> Remove:
        """Uniform: first how many of whom, by the number of sets, then any of them."""
        at = int(rng.random() * self.count())
        splits = iter(self._shares())
        shares, sets = next(splits)
        while at >= sets:
            at -= sets
            shares, sets = next(splits)
        points: list[int] = []
        for there, n in zip(self.foes.values(), shares, strict=True):
            points += _draw(rng, list(there), n)
        return Remove(points=self.named(sorted(points)))

    def why_not(self, action: Remove) -> Fault | None:
        if (fault := self.unknown(action.points)) is not None:
            return fault
        if len(set(action.points)) < len(action.points):
            return Fault("K2.2", say("A piece is taken off once."))
        taken = dict.fromkeys(self.foes, 0)
        for name in action.points:
            point = self.land.numbers[name]
            foe = next((f for f, there in self.foes.items() if point in there), None)
            if foe is None:
                return Fault("K2.2", say("There is no enemy piece on {name}.", name=name))
            taken[foe] += 1
        if len(action.points) != self.must:
            one, several = template("Take off {count} piece, not {n}."), template("Take off {count} pieces, not {n}.")
            return Fault("K2.2", counted(self.must, one, several, n=len(action.points)))
        for foe, n in taken.items():
            if n > self.quotas[foe]:
                return Fault(
                    "K2.2",
                    counted(
                        self.quotas[foe],
                        template("You may take off at most {count} piece of seat {foe}."),
                        template("You may take off at most {count} pieces of seat {foe}."),
                        foe=foe,
                    ),
                )
        return None

    def grammar(self) -> Mapping[str, Any]:
        return {
            "points": self.must,
            "most": {str(foe): n for foe, n in self.quotas.items()},
            "pieces": {str(foe): list(self.named(there)) for foe, there in self.foes.items()},
        }


class Claims(Space):
    """K5."""

    def __init__(self, board: Board, seat: Seat) -> None:
        super().__init__(board, seat)
        self.ground = claims.claimable(self.land, board, seat)
        self.most = min(in_hand(board, seat), len(self.ground))

    def __iter__(self) -> Iterator[Claim]:
        return claims.every_claim(self.land, self.board, self.seat)

    def _by_size(self) -> list[int]:
        """How many claims there are of each number of castles."""
        sums = [1] + [0] * self.most
        for free in self.ground.values():
            for size in range(self.most, 0, -1):
                sums[size] += sums[size - 1] * len(free)
        return sums

    def count(self) -> int:
        return sum(self._by_size())

    def sample(self, rng: Rng) -> Claim:
        """Any number of castles alike, on any territories, on any points."""
        size = int(rng.random() * (self.most + 1))
        chosen = sorted(_draw(rng, list(self.ground), size))
        stakes = []
        for territory in chosen:
            free = self.ground[territory]
            point = free[int(rng.random() * len(free))]
            stakes.append(Stake(territory=territory, point=self.land.names[point]))
        return Claim(castles=tuple(stakes))

    def why_not(self, action: Claim) -> Fault | None:
        if (fault := self.unknown(tuple(stake.point for stake in action.castles))) is not None:
            return fault
        if len({stake.territory for stake in action.castles}) < len(action.castles):
            return Fault("K5", say("A territory gets one castle."))
        hand = in_hand(self.board, self.seat)
        if len(action.castles) > hand:
            return Fault(
                "K5",
                counted(
                    hand,
                    template("You have {count} castle in hand, not {n}."),
                    template("You have {count} castles in hand, not {n}."),
                    n=len(action.castles),
                ),
            )
        for stake in action.castles:
            if stake.territory not in self.ground:
                return Fault("K5", say("You may not claim territory {territory} now.", territory=stake.territory))
            if self.land.numbers[stake.point] not in self.ground[stake.territory]:
                return Fault(
                    "K5",
                    say(
                        "{point} is not a free point of territory {territory}.",
                        point=stake.point,
                        territory=stake.territory,
                    ),
                )
        return None

    def grammar(self) -> Mapping[str, Any]:
        return {"most": self.most, "free": {str(t): list(self.named(free)) for t, free in self.ground.items()}}


class Moves(Space):
    """K3."""

    @property
    def found(self) -> dict[tuple[int, int], tuple[int, ...]]:
        """A path for each start and end."""
        return moves_of(self.land, self.board, self.seat)

    def __iter__(self) -> Iterator[Move]:
        found = self.found
        return (Move(path=self.named(found[ends])) for ends in sorted(found))

    def count(self) -> int:
        return len(self.found)

    def sample(self, rng: Rng) -> Move:
        """A piece that can move, each alike, and any of its ends."""
        taken = occupied(self.board)
        pieces = list(points_of(self.board.pieces[self.seat]))
        paths: list[tuple[int, ...]] = []
        while not paths:  # whoever is asked can move
            paths = list(ways(self.land, taken, pieces[int(rng.random() * len(pieces))]).values())
        return Move(path=self.named(paths[int(rng.random() * len(paths))]))

    def why_not(self, action: Move) -> Fault | None:
        if (fault := self.unknown(action.path)) is not None:
            return fault
        path = tuple(self.land.numbers[name] for name in action.path)
        if not self.board.pieces[self.seat] >> path[0] & 1:
            return Fault("K3.1", say("You have no piece on {point}.", point=action.path[0]))
        if not is_way(self.land, occupied(self.board), path):
            return Fault(
                "K3.1",
                say(
                    "{path} is neither a step to a free neighbour nor a chain of jumps over one piece or "
                    "castle each, onto free points, none met twice.",
                    path=way(action.path),
                ),
            )
        return None

    def grammar(self) -> Mapping[str, Any]:
        return {"pieces": list(self.named(points_of(self.board.pieces[self.seat])))}


class Chase(Space):
    """K4.3."""

    def __init__(self, board: Board, seat: Seat) -> None:
        super().__init__(board, seat)
        self.found = further_catches(self.land, board, seat, board.chaser)

    def __iter__(self) -> Iterator[Move | Stop]:
        yield from (Move(path=self.named(self.found[ends])) for ends in sorted(self.found))
        yield Stop()

    def count(self) -> int:
        return len(self.found) + 1

    def sample(self, rng: Rng) -> Move | Stop:
        options = list(self)
        return options[int(rng.random() * len(options))]

    def why_not(self, action: Move | Stop) -> Fault | None:
        if type(action) is Stop:
            return None
        assert type(action) is Move
        if (fault := self.unknown(action.path)) is not None:
            return fault
        path = tuple(self.land.numbers[name] for name in action.path)
        if path[0] != self.board.chaser:
            return Fault("K4.3", say("Only the piece on {point} may go on.", point=self.land.names[self.board.chaser]))
        if not is_way(self.land, occupied(self.board), path):
            return Fault("K3.1", say("{path} is no legal movement.", path=way(action.path)))
        if not Nets(self.land, self.board, self.seat).catches(path[0], path[-1]):
            return Fault(
                "K4.3",
                say("A movement to {point} catches nothing, and only a catch may follow.", point=action.path[-1]),
            )
        return None


class Castles(Space):
    """K4.4."""

    def __init__(self, board: Board, seat: Seat) -> None:
        super().__init__(board, seat)
        self.points = sorted(battle.castle_points(self.land, board))

    def __iter__(self) -> Iterator[Castle]:
        return (Castle(point=name) for name in self.named(self.points))

    def count(self) -> int:
        return len(self.points)

    def sample(self, rng: Rng) -> Castle:
        return Castle(point=self.land.names[self.points[int(rng.random() * len(self.points))]])

    def why_not(self, action: Castle) -> Fault | None:
        if (fault := self.unknown((action.point,))) is not None:
            return fault
        if self.land.numbers[action.point] not in self.points:
            return Fault(
                "K4.4", say("{point} is not a free point of a territory whose castle was caught.", point=action.point)
            )
        return None


def _draw(rng: Rng, pool: list[int], n: int) -> list[int]:
    """Any `n` of the pool, each set alike; the pool is used up."""
    for at in range(n):
        other = at + int(rng.random() * (len(pool) - at))
        pool[at], pool[other] = pool[other], pool[at]
    return pool[:n]


SPACES: Mapping[str, type[Any]] = {
    "placement": Placements,
    "removal": Removals,
    "claim": Claims,
    "move": Moves,
    "chase": Chase,
    "castle": Castles,
}
