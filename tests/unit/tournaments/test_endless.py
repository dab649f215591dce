"""What holds where there are no rounds, whoever comes and goes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holmgang.tournaments.checking import Game, PlayedRound, PlayedTable, faults
from holmgang.tournaments.course import Form
from holmgang.tournaments.endless import EXACT, WINDOW, Free, arena_points, paired
from holmgang.tournaments.meetings import Player, Table, lot
from holmgang.tournaments.seating import sizes

SIZES = st.sampled_from([(2, ()), (3, ()), (3, (2,)), (4, (2, 3)), (4, (2,)), (6, (3, 4, 5))])


def again(one: Free, other: Free) -> bool:
    return any({one.player, other.player} <= {*table} for either in (one, other) for table in either.tables[-1:])


def repeats(table: Sequence[Free]) -> int:
    return sum(again(one, other) for one, other in combinations(table, 2))


@st.composite
def companies(draw: st.DrawFn, wanted: int, allowed: Sequence[int], patient: bool = False) -> list[Free]:
    """Who is free after tables with others, some of whom are not there any more or have played more tables."""
    names = [f"p{n}" for n in range(1, draw(st.integers(1, 14)) + 1)]
    had: dict[Player, list[Table]] = {name: [] for name in names}
    for _ in range(draw(st.integers(0, 8))):
        table = tuple(draw(st.permutations(names))[: draw(st.sampled_from([wanted, *allowed]))])
        for player in table:
            had[player].append(table)
    return [
        Free(name, float(draw(st.integers(0, 4))), tuple(had[name]), patient and draw(st.booleans()))
        for name in draw(st.permutations(names))
    ]


@settings(max_examples=150, deadline=None)
@given(SIZES, st.data())
def test_everybody_is_at_one_table_or_waits_for_other_company(
    table_sizes: tuple[int, tuple[int, ...]], data: st.DataObject
) -> None:
    wanted, allowed = table_sizes
    free = data.draw(companies(wanted, allowed, patient=True))
    of = {one.player: one for one in free}
    found = paired(free, wanted=wanted, allowed=allowed, seed="s")
    assert sorted([*(p for table in found.tables for p in table), *found.byes]) == sorted(of)
    assert {len(table) for table in found.tables} <= {wanted, *allowed}
    assert [p for p in of if p in found.byes] == list(found.byes), "who waits keeps their place"
    for table in found.tables:
        assert not repeats([of[p] for p in table]) or any(of[p].again for p in table)
    if all(one.again for one in free):
        assert sum(map(len, found.tables)) == sum(sizes(len(free), wanted, allowed))


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_of_two_as_many_tables_are_new_as_can_be(data: st.DataObject) -> None:
    free = data.draw(companies(2, ()))
    graph = networkx.Graph([(a.player, b.player) for a, b in combinations(free, 2) if not again(a, b)])
    most = len(networkx.max_weight_matching(graph, maxcardinality=True))
    assert len(paired(free).tables) == most


@settings(max_examples=100, deadline=None)
@given(SIZES, st.data())
def test_no_exchange_keeps_more_from_meeting_again(
    table_sizes: tuple[int, tuple[int, ...]], data: st.DataObject
) -> None:
    wanted, allowed = table_sizes
    free = data.draw(companies(wanted, allowed))
    of = {one.player: Free(one.player, one.score, one.tables, again=True) for one in free}
    found = paired(list(of.values()), wanted=wanted, allowed=allowed)
    tables = [[of[p] for p in table] for table in found.tables]
    for one in tables:
        for other in (*tables, [of[p] for p in found.byes]):
            if other is one or not repeats(one):
                continue
            at_bench = other not in tables
            before = repeats(one) + (0 if at_bench else repeats(other))
            for i in range(len(one)):
                for k in range(len(other)):
                    first, second = list(one), list(other)
                    first[i], second[k] = second[k], first[i]
                    assert repeats(first) + (0 if at_bench else repeats(second)) >= before


@settings(max_examples=50, deadline=None)
@given(SIZES, st.integers(1, 120), st.integers(1, 30))
def test_newcomers_meet_equals_and_whoever_has_waited_longest_plays(
    table_sizes: tuple[int, tuple[int, ...]], count: int, scores: int
) -> None:
    wanted, allowed = table_sizes
    free = [Free(f"p{n}", float(lot("score", n) % scores)) for n in range(count)]
    found = paired(free, wanted=wanted, allowed=allowed)
    playing = sum(sizes(count, wanted, allowed))
    assert found.byes == tuple(one.player for one in free[playing:])
    if wanted == 2 and found.tables:
        of = {one.player: one.score for one in free}
        assert free[0].player in found.tables[0]
        nearest = min(abs(free[0].score - one.score) for one in free[1:playing])
        assert abs(of[found.tables[0][0]] - of[found.tables[0][1]]) == nearest


def test_who_was_met_once_is_met_less_gladly_than_others() -> None:
    free = [Free("a", 0.0, (("a", "b"), ("a", "x"))), Free("b", 0.0, (("a", "b"), ("b", "y"))), Free("c"), Free("d")]
    assert {frozenset(table) for table in paired(free).tables} == {frozenset("ac"), frozenset("bd")}


def test_two_who_have_just_met_wait_for_others_until_one_has_waited_enough() -> None:
    last = (("a", "b"),)
    assert paired([Free("a", 0.0, last), Free("b", 0.0, last)]).byes == ("a", "b")
    third = paired([Free("a", 0.0, last), Free("b", 0.0, last), Free("c", 9.0)])
    assert (set(third.tables[0]), third.byes) == ({"a", "c"}, ("b",)), "a has waited longer"
    assert paired([Free("a", 0.0, last, again=True), Free("b", 0.0, last)]).byes == ()


def test_places_change() -> None:
    last = (("a", "x"),)
    assert paired([Free("a", 0.0, last), Free("b", 0.0, (("y", "b"),))]).tables == (("b", "a"),)


@pytest.mark.parametrize("others", [EXACT, 4 * EXACT])
def test_whom_half_have_just_met_still_finds_somebody(others: int) -> None:
    """No exchange of two helps where each other table has both of one and none of the other, but one matching does."""
    free = []
    for n in range(0, others, 2):
        whom = "ab"[n // 2 % 2]
        free += [Free(f"p{k}", 100.0 * n, ((whom, f"p{k}"),)) for k in (n, n + 1)]
    free += [Free("a"), Free("b", 0.0, (("a", "b"),))]
    found = paired(free)
    assert found.byes == ()
    assert len(found.tables) == others // 2 + 1


def test_a_crowd_whose_neighbours_have_all_just_met() -> None:
    """As wide as the window: whoever is near has been met, whoever is not is found by exchange."""
    count = 4 * WINDOW
    everybody = tuple(f"p{n}" for n in range(count))
    crowd = [Free(player, 0.0, (everybody,)) for player in everybody]
    others = [Free(f"q{n}", 100.0) for n in range(count)]
    found = paired([*crowd, *others])
    assert found.byes == ()
    assert all(len({player[0] for player in table}) == 2 for table in found.tables)


@pytest.mark.parametrize(
    ("shares", "told"),
    [
        ([1, 1, 0.5], 6.0),  # as lichess' questions and answers have it
        ([1, 1, 1, 1], 12.0),
        ([1, 1, 0, 1, 1, 1], 12.0),
        ([0.5, 0.5, 0], 2.0),
        ([1, 2 / 3, 1, 1, 2 / 3], 10.0),
    ],
)
def test_points_of_an_arena(shares: Sequence[float], told: float) -> None:
    total, streak = 0.0, 0
    for share in shares:
        more, streak = arena_points(share, streak)
        total += more
    assert total == pytest.approx(told)


def beats(
    *,
    present: tuple[Player, ...] = ("a", "b", "c"),
    known: int = 1,
    table: Table = ("c", "a"),
    points: tuple[float, ...] = (1.0, 0.0),
) -> list[PlayedRound]:
    """Two beats of an arena: a wins against b, then loses to c."""
    first = PlayedTable(("a", "b"), (Game(("a", "b"), (1, 2), ()),), (1.0, 0.0), 1)
    second = PlayedTable(table, (Game(table, tuple(range(1, len(table) + 1)), ()),), points, 2)
    waiting = tuple(player for player in present if player not in table)
    return [PlayedRound(("a", "b"), (), 0, (first,)), PlayedRound(present, waiting, known, (second,))]


@pytest.mark.parametrize(
    ("bent", "told"),
    [
        ({}, ""),
        ({"known": 0}, "a was still at another table"),
        ({"present": ("a", "b")}, "at one table or wait"),
        ({"table": ("c", "a", "b"), "points": (1.0, 0.5, 0.0)}, "no size that is played"),
        ({"points": (0.5, 0.5)}, "the points are not those of its games"),
    ],
)
def test_what_is_bent_without_rounds_is_told(bent: dict[str, Any], told: str) -> None:
    found = list(faults(Form("arena"), {}, [], beats(**bent)))
    assert bool(found) == bool(told)
    assert not told or any(told in each for each in found), found
