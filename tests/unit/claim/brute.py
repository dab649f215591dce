"""Claim by brute force: legal moves and captures from the rule text, with sets of coordinates and no care for speed."""

from __future__ import annotations

from dataclasses import dataclass, field

Point = tuple[int, int]
DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1))


@dataclass
class Position:
    """`points` of the island, the pieces and castles on it by seat, and how many play."""

    players: int
    points: set[Point]
    pieces: dict[Point, int] = field(default_factory=dict)
    castles: dict[Point, int] = field(default_factory=dict)

    def taken(self, point: Point) -> bool:
        return point in self.pieces or point in self.castles

    def allied(self, one: int, other: int) -> bool:
        return one == other or (self.players == 4 and (one - other) % 2 == 0)


def ends(position: Position, start: Point) -> set[Point]:
    """Where the piece at `start` may end: every path is tried, step or jumps, that meets no point twice."""
    lifted = Position(
        position.players, position.points, {p: s for p, s in position.pieces.items() if p != start}, position.castles
    )
    found = set()
    for dx, dy in DIRECTIONS:
        near = (start[0] + dx, start[1] + dy)
        if near in lifted.points and not lifted.taken(near):
            found.add(near)
    _jump(lifted, start, [start], found)
    return found


def _jump(position: Position, here: Point, path: list[Point], found: set[Point]) -> None:
    for dx, dy in DIRECTIONS:
        over, there = (here[0] + dx, here[1] + dy), (here[0] + 2 * dx, here[1] + 2 * dy)
        if over not in position.points or there not in position.points:
            continue
        if position.taken(over) and not position.taken(there) and there not in path:
            found.add(there)
            _jump(position, there, [*path, there], found)


def captures(position: Position, start: Point, end: Point) -> set[tuple[Point, str]]:
    """What is caught when the piece at `start` ends at `end` (K4.1)."""
    mover = position.pieces[start]
    after = Position(position.players, position.points, dict(position.pieces), position.castles)
    del after.pieces[start]
    after.pieces[end] = mover
    found = set()
    for dx, dy in DIRECTIONS:
        victim, behind = (end[0] + dx, end[1] + dy), (end[0] + 2 * dx, end[1] + 2 * dy)
        for standing, kind in ((after.pieces, "piece"), (after.castles, "castle")):
            if victim not in standing or after.allied(standing[victim], mover):
                continue
            if behind not in after.points:
                found.add((victim, kind))
                continue
            closer = after.pieces.get(behind, after.castles.get(behind))
            if closer is not None and not after.allied(closer, standing[victim]):
                found.add((victim, kind))
    return found
