"""Matching: nobody waits while a table could be filled, and who has waited longest comes first."""

from __future__ import annotations

from itertools import combinations
from math import inf
from random import Random
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holmgang.app.meeting.matching import FEW_STEPS, Match, Pair, Seeker, fit, matches, seated
from holmgang.engine.teams import partners_across

RATINGS = st.integers(1, 4)
LIMITS = st.none() | st.integers(0, 2)


@st.composite
def seekers(draw: st.DrawFn) -> Seeker:
    rating, below, above = draw(RATINGS), draw(LIMITS), draw(LIMITS)
    wanted = draw(st.sampled_from([(True, True), (True, False), (False, True)]))
    return Seeker(
        id=draw(st.uuids()),
        player=UUID(int=draw(st.integers(0, 9))),
        tables=draw(st.dictionaries(st.integers(2, 4), st.sampled_from("ab"), min_size=1)),
        rating=rating,
        bot=draw(st.booleans()),
        people=wanted[0],
        bots=wanted[1],
        lowest=-inf if below is None else rating - below,
        highest=inf if above is None else rating + above,
    )


crowds = st.lists(seekers(), max_size=12, unique_by=lambda seeker: seeker.id)
blocks = st.sets(st.permutations(range(10)).map(lambda ten: (UUID(int=ten[0]), UUID(int=ten[1]))), max_size=4).map(
    lambda pairs: pairs | {(other, one) for one, other in pairs}
)


def may_share(group: tuple[Seeker, ...], blocked: set[Pair]) -> bool:
    seats = len(group)
    same = len({one.tables.get(seats) for one in group}) == 1 and seats in group[0].tables
    return same and all(fit(*pair, blocked) for pair in combinations(group, 2))


def fillable(among: list[Seeker], blocked: set[Pair]) -> list[tuple[Seeker, ...]]:
    return [g for seats in (4, 3, 2) for g in combinations(among, seats) if may_share(g, blocked)]


@given(crowds, blocks, st.booleans())
def test_after_a_beat_no_table_can_be_filled_and_none_is_matched_twice(
    crowd: list[Seeker], blocked: set[Pair], once: bool
) -> None:
    found = matches(crowd, blocked, once=once)
    matched = [one.id for match in found for one in match.seekers]
    players = [one.player for match in found for one in match.seekers]
    assert len(matched) == len(set(matched))
    assert all(may_share(match.seekers, blocked) for match in found)
    assert not once or len(players) == len(set(players))
    left = [one for one in crowd if one.id not in matched and not (once and one.player in players)]
    assert fillable(left, blocked) == []


@given(crowds, blocks)
def test_who_has_waited_longest_comes_first_and_gets_the_largest_table(crowd: list[Seeker], blocked: set[Pair]) -> None:
    left, expected = list(crowd), []
    for seeker in crowd:
        if seeker in left:
            mine = [group for group in fillable(left, blocked) if group[0] is seeker]
            if mine:  # the largest come first, and of equals those who have waited longest
                expected.append(Match(mine[0]))
                left = [one for one in left if one not in mine[0]]
    assert matches(crowd, blocked) == expected


def crowd_of(*ratings: int, seats: int = 2, reach: float = inf) -> list[Seeker]:
    return [
        Seeker(UUID(int=n), UUID(int=n), {seats: ""}, rating, lowest=rating - reach, highest=rating + reach)
        for n, rating in enumerate(ratings)
    ]


def test_a_crowd_that_needs_too_many_steps_keeps_nobody_from_those_who_fit_at_once() -> None:
    """None of the first wants another of them; each of the last takes the next."""
    strangers = [
        Seeker(UUID(int=n), UUID(int=n), {3: ""}, n, lowest=-inf if n % 2 else n, highest=n if n % 2 else inf)
        for n in range(1, 300)
    ]
    friends = [Seeker(UUID(int=n), UUID(int=n), {3: ""}, 500, lowest=500, highest=500) for n in range(500, 506)]
    found = matches([*strangers, *friends], steps=FEW_STEPS)
    assert [one.id.int for match in found for one in match.seekers] == [500, 501, 502, 503, 504, 505]


@given(st.permutations([1400, 1500, 1600, 1900]), st.randoms())
def test_two_against_two_are_as_strong_as_can_be(ratings: list[int], rng: Random) -> None:
    table = [one.rating for one in seated(crowd_of(*ratings), partners_across(4), rng)]
    assert abs((table[0] + table[2]) - (table[1] + table[3])) == 200


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_everybody_sits_everywhere(seats: int) -> None:
    players = crowd_of(*range(1500, 1500 + 100 * seats, 100), seats=seats)
    rng = Random(3)
    tables = [seated(players, partners_across(seats), rng) for _ in range(200)]
    assert all(sorted(table, key=lambda one: one.id) == players for table in tables)
    assert all({table[seat].id for table in tables} == {one.id for one in players} for seat in range(seats))
