"""Legal moves and captures are exactly those of an independent brute-force search, on 2,000 random positions."""

from __future__ import annotations

import random

import pytest

from holmgang.games.claim.rules.island import NOWHERE, PRESETS, island
from holmgang.games.claim.rules.moving import Nets, is_way, moves_of
from holmgang.games.claim.rules.rules import ClaimRules
from holmgang.games.claim.rules.setup import initial
from holmgang.games.claim.rules.work import occupied
from tests.unit.claim.boards import board
from tests.unit.claim.brute import Point, Position, captures, ends

RULES = ClaimRules()
POSITIONS = 2000


def place_of(name: str) -> Point:
    return ord(name[0]) - ord("a"), int(name[1:]) - 1


def random_position(rng: random.Random) -> Position:
    """Between one and eighteen pieces of each colour, and some castles, on a preset or a turned layout."""
    players = rng.choice((2, 3, 4))
    land = island(PRESETS[players])
    points = [place_of(name) for name in land.names]
    position = Position(players, set(points))
    free = rng.sample(points, len(points))
    for seat in range(players):
        for _ in range(rng.randrange(1, 19)):
            position.pieces[free.pop()] = seat
    by_territory: dict[int, list[Point]] = {}
    for point in free:
        by_territory.setdefault(land.territory[land.numbers[name_of(point)]], []).append(point)
    for seat in range(players):
        for _ in range(rng.randrange(4)):
            if by_territory:
                territory = rng.choice(sorted(by_territory))
                position.castles[rng.choice(by_territory.pop(territory))] = seat
    return position


def name_of(point: Point) -> str:
    return f"{chr(ord('a') + point[0])}{point[1] + 1}"


@pytest.mark.parametrize("part", range(8))
def test_k3_k4_moves_and_captures_are_those_of_brute_force(part: int) -> None:
    rng = random.Random(part)
    caught = 0
    for _ in range(POSITIONS // 8):
        position = random_position(rng)
        land = island(PRESETS[position.players])
        seat = rng.randrange(position.players)
        state = board(
            position.players,
            pieces={
                s: [name_of(p) for p, owner in position.pieces.items() if owner == s] for s in range(position.players)
            },
            castles={name_of(p): owner for p, owner in position.castles.items()},
            active=seat,
        )
        found = moves_of(land, state, seat)
        expected = {
            (start, end) for start, owner in position.pieces.items() if owner == seat for end in ends(position, start)
        }
        assert {(place_of(land.names[a]), place_of(land.names[b])) for a, b in found} == expected
        nets = Nets(land, state, seat)
        for (start, end), path in found.items():
            assert path[0] == start
            assert path[-1] == end
            assert is_way(land, occupied(state), path)
            theirs = captures(position, place_of(land.names[start]), place_of(land.names[end]))
            mine = {
                (place_of(land.names[point]), "castle" if castle else "piece")
                for _, point, castle, _ in nets.catches(start, end)
            }
            assert mine == theirs
            caught += len(mine)
    assert caught > 100, "enough captures were compared"


def test_a_way_off_the_island_is_none() -> None:
    land = island(PRESETS[2])
    assert all(NOWHERE in around or len(around) == 4 for around in land.around)
    assert initial(RULES.configure(2, {})).pieces == (0, 0)
