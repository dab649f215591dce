"""What holds of every round, whoever plays and wins, stays away and comes back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, permutations

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holmgang.tournaments.endless import ladder
from holmgang.tournaments.meetings import Meeting, Pairing, Past, Player, bye, lot, meeting, points
from holmgang.tournaments.rounds import knock_out, round_robin, survivors, swiss, through
from holmgang.tournaments.seating import sizes
from holmgang.tournaments.strengths import Strengths

SIZES = st.sampled_from([(2, ()), (3, ()), (3, (2,)), (4, (2, 3)), (4, (2,)), (6, (3, 4, 5))])


def named(count: int) -> list[Player]:
    return [f"p{n}" for n in range(1, count + 1)]


def everybody_once(pairing: Pairing, present: Sequence[Player], wanted: int, allowed: Sequence[int]) -> None:
    assert sorted([*(p for table in pairing.tables for p in table), *pairing.byes]) == sorted(present)
    assert {len(table) for table in pairing.tables} <= {wanted, *allowed}
    assert len(pairing.byes) == len(present) - sum(sizes(len(present), wanted, allowed))


def results(draw: st.DataObject, pairing: Pairing, number: int, *, absences: bool = False) -> list[Meeting]:
    found = [bye(number, player) for player in pairing.byes]
    for table in pairing.tables:
        ranks = draw.draw(st.lists(st.integers(1, len(table)), min_size=len(table), max_size=len(table)))
        absent = [p for p in table if absences and draw.draw(st.integers(0, 9)) == 0]
        found.append(meeting(number, table, ranks, absent=absent))
    return found


def could_be_new(present: Sequence[Player], past: Past) -> bool:
    """Whether there is a round of pairs without any that have met."""
    graph = networkx.Graph([pair for pair in combinations(present, 2) if not past.times(*pair)])
    if len(present) % 2:
        fewest = min(past.byes[player] for player in present)
        graph.add_edges_from((player, "bye") for player in present if past.byes[player] == fewest)
    return 2 * len(networkx.max_weight_matching(graph, maxcardinality=True)) == len(present) + len(present) % 2


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 13), st.integers(1, 7), st.data())
def test_swiss_of_two(count: int, rounds: int, data: st.DataObject) -> None:
    players = named(count)
    played: list[Meeting] = []
    for number in range(1, rounds + 1):
        present = [p for p in players if data.draw(st.integers(0, 11)) > 0]
        past = Past(played)
        pairing = swiss(players, present, played, number, rounds=rounds, seed="s")
        everybody_once(pairing, present, 2, ())
        if could_be_new(present, past):
            assert not any(past.times(*table) for table in pairing.tables)
        for player in pairing.byes:
            assert past.byes[player] == min(past.byes[other] for other in present)
        played += results(data, pairing, number, absences=True)


@settings(max_examples=10, deadline=None)
@given(st.integers(10, 24), st.data())
def test_colours_of_swiss_even_out(count: int, data: st.DataObject) -> None:
    """With more players than rounds: nobody has one colour three times in a row, or two times more than the other, but
    for the best in the last round (C.04.1, 2.1.3)."""
    players, played = named(count), list[Meeting]()
    for number in range(1, 5):
        pairing = swiss(players, players, played, number, rounds=5, seed="s")
        played += results(data, pairing, number)
    for had in Past(played).places.values():
        assert abs(had.count(0) - had.count(1)) <= 2
        assert "000" not in (row := "".join(map(str, had)))
        assert "111" not in row


@settings(max_examples=40, deadline=None)
@given(st.integers(3, 14), st.sampled_from([(3, ()), (3, (2,)), (4, (2, 3)), (6, (3, 4, 5))]), st.data())
def test_swiss_of_more(count: int, table_sizes: tuple[int, tuple[int, ...]], data: st.DataObject) -> None:
    wanted, allowed = table_sizes
    players, played = named(count), list[Meeting]()
    for number in range(1, 5):
        past = Past(played)
        pairing = swiss(players, players, played, number, rounds=4, wanted=wanted, allowed=allowed, seed="s")
        everybody_once(pairing, players, wanted, allowed)
        at_table = [p for p in players if p not in pairing.byes]
        for player in pairing.byes:
            assert all(
                (past.byes[player], past.scores[player]) <= (past.byes[other], past.scores[other]) for other in at_table
            )
        no_exchange_is_better(pairing, past)
        played += results(data, pairing, number)


def again(table: Sequence[Player], past: Past) -> int:
    return sum(past.times(*pair) ** 2 + past.times(*pair) for pair in combinations(table, 2))


def no_exchange_is_better(pairing: Pairing, past: Past) -> None:
    for one, two in combinations(pairing.tables, 2):
        before = again(one, past) + again(two, past)
        for i in range(len(one)):
            for k in range(len(two)):
                first, second = list(one), list(two)
                first[i], second[k] = second[k], first[i]
                assert again(first, past) + again(second, past) >= before


@pytest.mark.parametrize("count", [9, 12, 15, 16, 24])
def test_at_tables_of_three_nobody_meets_anybody_twice_in_four_rounds(count: int) -> None:
    players, played = named(count), list[Meeting]()
    for number in range(1, 5 if count > 9 else 4):
        pairing = swiss(players, players, played, number, rounds=4, wanted=3, seed="s")
        played += [meeting(number, table, [1, 2, 3]) for table in pairing.tables]
    assert max(Past(played).met.values()) == 1


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 11), st.sampled_from([(2, ()), (3, (2,)), (4, (2, 3)), (3, ())]))
def test_a_round_robin_ends_when_all_have_met(count: int, table_sizes: tuple[int, tuple[int, ...]]) -> None:
    wanted, allowed = table_sizes
    players, played = named(max(count, wanted)), list[Meeting]()
    number = 0
    while pairing := round_robin(players, players, played, number + 1, wanted=wanted, allowed=allowed, seed="s"):
        number += 1
        assert number < 40
        everybody_once(pairing, players, wanted, allowed)
        for table in pairing.tables:
            played.append(meeting(number, table, list(range(1, len(table) + 1))))
        played += [bye(number, player) for player in pairing.byes]
    past = Past(played)
    assert all(past.times(*pair) for pair in combinations(players, 2))
    if wanted == 2:
        assert set(past.met.values()) == {1}
        assert {past.byes[player] for player in players} == {count % 2}
        for had in past.places.values():
            assert abs(had.count(0) - had.count(1)) <= 1
    else:
        byes = [past.byes[player] for player in players]
        assert max(byes) - min(byes) <= 1


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 20), SIZES, st.data())
def test_a_knock_out_leaves_one(count: int, table_sizes: tuple[int, tuple[int, ...]], data: st.DataObject) -> None:
    wanted, allowed = table_sizes
    players, played = named(max(count, wanted)), list[Meeting]()
    number = 0
    while pairing := knock_out(players, players, played, number + 1, wanted=wanted, allowed=allowed, seed="s"):
        number += 1
        left = survivors(players, played)
        everybody = sorted([*(p for table in pairing.tables for p in table), *pairing.byes])
        assert everybody == sorted(left)
        if wanted == 2 and number > 1:
            assert pairing.byes == ()
        assert pairing.byes == tuple(left[: len(pairing.byes)])
        played += results(data, pairing, number)
        assert len(survivors(players, played)) < len(left)
    assert len(survivors(players, played)) == 1
    if wanted == 2:
        assert number == (len(players) - 1).bit_length()


def test_in_a_knock_out_the_strongest_meet_last() -> None:
    players, played = named(8), list[Meeting]()
    tables = []
    for number in range(1, 4):
        pairing = knock_out(players, players, played, number)
        assert pairing is not None
        tables.append({frozenset(table) for table in pairing.tables})
        for table in pairing.tables:
            played.append(meeting(number, table, [int(player[1:]) for player in table]))
    assert tables == [
        set(map(frozenset, (("p1", "p8"), ("p2", "p7"), ("p3", "p6"), ("p4", "p5")))),
        set(map(frozenset, (("p1", "p4"), ("p2", "p3")))),
        {frozenset(("p1", "p2"))},
    ]


def test_who_stays_away_is_knocked_out() -> None:
    one = meeting(1, ("a", "b"), [1, 1], absent=["a", "b"])
    assert through(one, 1, ["a", "b"]) == ()
    assert one.points == (0.0, 0.0)
    assert through(meeting(1, ("a", "b"), [1, 2], absent=["a"]), 1, ["a", "b"]) == ("b",)


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 9), st.sampled_from([2, 3, 4]), st.data())
def test_a_ladder_plays_what_tells_most(count: int, wanted: int, data: st.DataObject) -> None:
    players, played = named(max(count, wanted)), list[Meeting]()
    for number in range(1, 5):
        strengths = Strengths(players, played)
        tables = ladder(played, strengths, tables=3, wanted=wanted, seed="s")
        gains = strengths.gains()
        best = max(gains.values())
        assert any(gains.get(pair, 0.0) > best - 1e-8 for pair in permutations(tables[0], 2))
        assert all(len(set(table)) == wanted for table in tables)
        played += results(data, Pairing(tables), number)
    after = Strengths(players, played)
    for player in players:
        assert after.expecting(tables[0]).deviation(player) <= after.deviation(player) + 1e-9


@settings(max_examples=50)
@given(st.integers(0, 40), SIZES)
def test_table_sizes(count: int, table_sizes: tuple[int, tuple[int, ...]]) -> None:
    wanted, allowed = table_sizes
    found = sizes(count, wanted, allowed)
    assert set(found) <= {wanted, *allowed}
    assert 0 <= count - sum(found) < wanted
    if {2, 3} <= {wanted, *allowed} and count > 1:
        assert sum(found) == count


@given(st.lists(st.integers(1, 6), min_size=2, max_size=6), st.sets(st.integers(0, 5)))
def test_points_of_a_table(ranks: list[int], lost: set[int]) -> None:
    lost = {place for place in lost if place < len(ranks)}
    found = points(ranks, lost)
    assert all(0 <= each <= 1 for each in found)
    assert all(found[place] == 0 for place in lost)
    if not lost:
        assert sum(found) == pytest.approx(len(ranks) / 2)
    for one, two in combinations(set(range(len(ranks))) - lost, 2):
        assert (found[one] > found[two]) == (ranks[one] < ranks[two])


def test_the_order_of_what_was_played_changes_nothing() -> None:
    players, played = named(9), list[Meeting]()
    kinds: list[Callable[[Sequence[Meeting]], object]] = [
        lambda told: swiss(players, players, told, 4, rounds=5, seed="s"),
        lambda told: swiss(players, players, told, 4, rounds=5, wanted=3, seed="s"),
        lambda told: round_robin(players, players, told, 4, wanted=3, seed="s"),
        lambda told: [round(Strengths(players, told).elo(player), 6) for player in players],
    ]
    for number in range(1, 4):
        pairing = swiss(players, players, played, number, rounds=5, seed="s")
        played += [meeting(number, table, [1, 2]) for table in pairing.tables]
        played += [bye(number, player) for player in pairing.byes]
    mixed = sorted(played, key=lambda one: lot("mixed", one))
    assert mixed != played
    for kind in kinds:
        assert kind(mixed) == kind(played)
