"""Where everybody sits in a rematch."""

from __future__ import annotations

import pytest

from holmgang.app.meeting.rematches import moved_on
from holmgang.engine.teams import Side, partners_across

ALONE = tuple((seat,) for seat in range(3))


@pytest.mark.parametrize(
    ("players", "sides", "found"),
    [
        ("ab", ((0,), (1,)), "ba"),
        ("abc", ALONE, "cab"),
        ("abcd", partners_across(4), "dabc"),
        ("abcd", ((0, 1), (2, 3)), "cdab"),
        ("abc", ((0,), (1, 2)), "cab"),
        ("a", ((0,),), "a"),
    ],
    ids=["two change places", "one on", "partners across", "partners beside each other", "one against two", "alone"],
)
def test_everybody_moves_on_and_partners_stay(players: str, sides: tuple[Side, ...], found: str) -> None:
    assert "".join(moved_on(players, sides)) == found


@pytest.mark.parametrize("seats", range(2, 9))
def test_after_as_many_rematches_everybody_has_had_every_seat(seats: int) -> None:
    players, had = list(range(seats)), [set[int]() for _ in range(seats)]
    for _ in range(seats):
        for seat, player in enumerate(players):
            had[player].add(seat)
        players = moved_on(players, [(seat,) for seat in range(seats)])
    assert had == [set(range(seats))] * seats
