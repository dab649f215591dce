"""K1: the island. Points in board order, territories, neighbours; layouts read, checked and put in one form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from holmgang.engine.errors import InvalidOption
from holmgang.engine.messages import Said, say
from holmgang.engine.misfits import found_there

COLUMNS = "abcdefghijklmnopqrstuvwxyz"
SEATS = (2, 3, 4)
PIECES = 18
CASTLES = 3
SIZE = {"double": (6, 4), "single": (3, 4)}
PARTS = {2: (2, 1), 3: (3, 1), 4: (4, 1)}
"""K1.1: how many doubles and singles the island of so many players has."""
FARTHEST = 1000
"""Of the coordinates in a layout option, either way from 0."""
NOWHERE = -1
"""In place of a point: off the island."""


class Part(NamedTuple):
    """A part of the island with its upper left point; `turn` 1 is a quarter turn."""

    part: str
    x: int
    y: int
    turn: int

    def territories(self) -> Iterator[list[tuple[int, int]]]:
        """The points of its territories: the left or upper half first (K1.3)."""
        wide, high = SIZE[self.part]
        if self.turn:
            wide, high = high, wide
        halves = [(self.x, self.y, wide, high)]
        if self.part == "double" and not self.turn:
            halves = [(self.x, self.y, wide // 2, high), (self.x + wide // 2, self.y, wide // 2, high)]
        elif self.part == "double":
            halves = [(self.x, self.y, wide, high // 2), (self.x, self.y + high // 2, wide, high // 2)]
        for x, y, width, height in halves:
            yield [(x + dx, y + dy) for dy in range(height) for dx in range(width)]


PRESETS: Mapping[int, tuple[Part, ...]] = {
    2: (Part("double", 0, 0, 0), Part("double", 0, 4, 0), Part("single", 6, 2, 0)),
    3: (Part("double", 0, 0, 0), Part("double", 6, 0, 0), Part("double", 0, 4, 0), Part("single", 6, 4, 0)),
    4: (
        Part("double", 0, 0, 0),
        Part("double", 6, 0, 0),
        Part("double", 0, 4, 0),
        Part("double", 6, 4, 0),
        Part("single", 12, 2, 0),
    ),
}
"""K1.2, reconstructed: the outlines are not published."""


class Island(NamedTuple):
    """Points by number, in board order: rows from the top, each from the left.

    `around[p]` are the four neighbours of a point, opposite directions at n and n ^ 1, NOWHERE beyond the edge.
    `land[t]` are the points of a territory as bits.
    """

    names: tuple[str, ...]
    numbers: Mapping[str, int]
    territory: tuple[int, ...]
    around: tuple[tuple[int, int, int, int], ...]
    land: tuple[int, ...]
    whole: int

    def named(self, points: Iterable[int]) -> tuple[str, ...]:
        return tuple(map(self.names.__getitem__, points))


@lru_cache(maxsize=256)
def names_of(layout: tuple[Part, ...]) -> tuple[tuple[str, ...], ...]:
    """The names of the points of each territory."""
    land = island(layout)
    return tuple(land.named(points_of(ground)) for ground in land.land)


@lru_cache(maxsize=256)
def island(layout: tuple[Part, ...]) -> Island:
    """The island of a checked layout."""
    owner = {point: n for n, points in enumerate(_territories(layout)) for point in points}
    places = sorted(owner, key=lambda point: (point[1], point[0]))
    numbers = {point: n for n, point in enumerate(places)}
    around = tuple(
        (
            numbers.get((x - 1, y), NOWHERE),
            numbers.get((x + 1, y), NOWHERE),
            numbers.get((x, y - 1), NOWHERE),
            numbers.get((x, y + 1), NOWHERE),
        )
        for x, y in places
    )
    names = tuple(f"{COLUMNS[x]}{y + 1}" for x, y in places)
    territory = tuple(owner[place] for place in places)
    land = [0] * (max(territory) + 1)
    for n, t in enumerate(territory):
        land[t] |= 1 << n
    return Island(
        names, {name: n for n, name in enumerate(names)}, territory, around, tuple(land), (1 << len(names)) - 1
    )


def _territories(layout: Sequence[Part]) -> list[list[tuple[int, int]]]:
    return [points for part in layout for points in part.territories()]


def check_layout(value: Any, players: int, new: bool) -> tuple[Part, ...]:
    """A layout option (K1.3), shifted so that the least x and y are 0; InvalidOption otherwise."""
    if not isinstance(value, (list, tuple)):
        raise _wrong("", "K1.3", say("'layout' must be a list of parts, not {found}.", found=found_there(value)))
    parts = [_part(n, one) for n, one in enumerate(value)]
    doubles = sum(part.part == "double" for part in parts)
    if (doubles, len(parts) - doubles) != PARTS[players]:
        wants = PARTS[players]
        raise _wrong(
            "",
            "K1.1",
            say(
                "With {players} players the island has {wanted_doubles} doubles and {wanted_singles} single, not "
                "{doubles} and {singles}.",
                players=players,
                wanted_doubles=wants[0],
                wanted_singles=wants[1],
                doubles=doubles,
                singles=len(parts) - doubles,
            ),
        )
    left, top = min(part.x for part in parts), min(part.y for part in parts)
    layout = tuple(part._replace(x=part.x - left, y=part.y - top) for part in parts)
    points: set[tuple[int, int]] = set()
    for n, part in enumerate(layout):
        mine = {point for points_ in part.territories() for point in points_}
        if mine & points:
            raise _wrong(f"/{n}", "K1.3", say("Part {n} overlaps another.", n=n))
        points |= mine
    if max(x for x, _ in points) >= len(COLUMNS):
        raise _wrong("", "K1.3", say("The island is more than {count} columns wide.", count=len(COLUMNS)))
    if _reach(points) != points:
        raise _wrong("", "K1.1", say("The island is not one connected whole."))
    wide, high = max(x for x, _ in points), max(y for _, y in points)
    sea = {(x, y) for x in range(-1, wide + 2) for y in range(-1, high + 2)} - points
    # A hole is sea that cannot be reached from outside; a diagonal gap between points lets nothing through.
    if _reach(sea) != sea:
        raise _wrong("", "K1.1", say("The island has a hole."))
    return layout


def _part(n: int, value: Any) -> Part:
    if not isinstance(value, dict) or set(value) != {"part", "x", "y", "turn"}:
        raise _wrong(f"/{n}", "K1.3", say("A part has exactly the keys 'part', 'x', 'y' and 'turn'."))
    if not isinstance(value["part"], str) or value["part"] not in SIZE:
        raise _wrong(
            f"/{n}/part",
            "K1.3",
            say("'part' must be 'double' or 'single', not {found}.", found=found_there(value["part"])),
        )
    for name in ("x", "y"):
        if type(value[name]) is not int or not -FARTHEST <= value[name] <= FARTHEST:
            raise _wrong(
                f"/{n}/{name}",
                "K1.3",
                say(
                    "'{name}' must be a whole number from {least} to {most}, not {found}.",
                    name=name,
                    least=-FARTHEST,
                    most=FARTHEST,
                    found=found_there(value[name]),
                ),
            )
    if type(value["turn"]) is not int or value["turn"] not in (0, 1):
        raise _wrong(f"/{n}/turn", "K1.3", say("'turn' must be 0 or 1, not {found}.", found=found_there(value["turn"])))
    return Part(value["part"], value["x"], value["y"], value["turn"])


def _reach(points: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """What is connected with the first of the points."""
    start = min(points)
    found, edge = {start}, [start]
    while edge:
        x, y = edge.pop()
        for near in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
            if near in points and near not in found:
                found.add(near)
                edge.append(near)
    return found


def _wrong(pointer: str, rule: str, detail: Said) -> InvalidOption:
    return InvalidOption(f"/layout{pointer}", rule, detail)


def layout_option(layout: Sequence[Part]) -> list[dict[str, Any]]:
    """A layout as the option is written."""
    return [part._asdict() for part in layout]


POINT = re.compile(r"[a-z][1-9][0-9]?[0-9]?")


def points_of(bits: int) -> Iterator[int]:
    """The numbers of the set bits, ascending."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low
