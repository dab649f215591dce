"""The course of a tournament: which round is next, what tables come to, what sitting out is worth."""

from __future__ import annotations

import hashlib
import json

import pytest

from holmgang.tournaments.checking import agreed, commitment
from holmgang.tournaments.course import EXTRA, Form, byes, games_left, next_round, rotated, seats_of, standing, total
from holmgang.tournaments.meetings import Meeting, Pairing, bye, meeting

ABCD = ("a", "b", "c", "d")
TWO = ("a", "b")


def won(number: int = 1, table: tuple[str, ...] = TWO, absent: tuple[str, ...] = ()) -> Meeting:
    return meeting(number, table, range(1, len(table) + 1), absent=absent)


def level(table: tuple[str, ...] = TWO) -> Meeting:
    return meeting(1, table, [1] * len(table))


@pytest.mark.parametrize(
    ("kind", "games", "played", "left"),
    [
        ("swiss", 1, [], 1),
        ("swiss", 2, [won()], 1),
        ("swiss", 1, [level()], 0),
        ("swiss", 3, [won(absent=("b",))], 0),
        ("knock-out", 1, [won()], 0),
        ("knock-out", 1, [level()], 2),
        ("knock-out", 1, [level(), won()], 1),
        ("knock-out", 1, [level(), won(), won(1, ("b", "a"))], 2),
        ("knock-out", 1, [level(), won(), won()], 0),
        ("knock-out", 1, [level()] * (1 + 2 * EXTRA), 0),
    ],
)
def test_how_many_games_a_table_still_plays(kind: str, games: int, played: list[Meeting], left: int) -> None:
    assert games_left(Form(kind, games=games), TWO, played, tables=2) == left


def test_places_go_round_and_again_from_the_first_where_a_table_is_played_again() -> None:
    form = Form("knock-out", wanted=4, games=3)
    assert [seats_of(form, ABCD, n)[0] for n in range(1, 9)] == ["a", "b", "c", "a", "b", "c", "d", "a"]
    assert list(rotated(ABCD, 4)) == [seats_of(Form("swiss", wanted=4, games=4), ABCD, n) for n in range(1, 5)]


def test_a_table_comes_to_the_sum_of_its_games() -> None:
    assert total(1, TWO, [won(), won(1, ("b", "a"))]).points == (0.5, 0.5)
    assert total(1, TWO, [won(), won(1, ("b", "a")), won()]).points == (1.0, 0.0)


def test_who_was_absent_has_nothing() -> None:
    first = total(1, TWO, [meeting(1, TWO, [1, 2], absent=("a",))])
    assert (first.points, first.absent, first.played) == ((0.0, 1.0), ("a",), False)
    later = total(1, TWO, [won(), won(absent=("a",))])
    assert (later.points, later.absent, later.played) == ((0.0, 1.0), (), True)
    nobody = total(1, TWO, [meeting(1, TWO, [1, 1], absent=TWO)])
    assert nobody.points == (0.0, 0.0)


def test_sitting_out_is_a_win_but_where_all_do_in_turn() -> None:
    out = Pairing((), ("a",))
    assert byes(Form("swiss"), ABCD, 1, out) == [bye(1, "a")]
    for number in range(1, 4):
        assert byes(Form("round-robin"), ABCD, number, out) == [bye(number, "a")], "the other one has left"
    three = [byes(Form("round-robin"), ABCD[:3], n, out)[0].points[0] for n in range(1, 4)]
    assert sorted(three) == [0.0, 1.0, 1.0], "once there is nobody to meet"
    assert byes(Form("round-robin", wanted=3), ABCD, 1, out) == [bye(1, "a", 0.0)]


def test_there_is_no_round_for_fewer_than_a_table_takes() -> None:
    for kind in ("swiss", "round-robin", "knock-out"):
        assert next_round(Form(kind), ABCD, ABCD[:1], [], 1) is None
        assert next_round(Form(kind, wanted=3), ABCD, ABCD[:2], [], 1) is None
        assert next_round(Form(kind, rounds=1), ABCD, ABCD, [], 2) is None
        assert next_round(Form(kind, wanted=3, allowed=(2,)), ABCD, ABCD[:2], [], 1) is not None


def test_a_swiss_one_has_as_many_rounds_as_tell_the_first() -> None:
    assert [Form("swiss").most_rounds(players) for players in (2, 3, 4, 5, 64)] == [1, 2, 2, 3, 6]
    assert Form("round-robin").most_rounds(64) is None


def test_a_knock_out_stands_by_how_long_one_lasted() -> None:
    met = [won(1, ("a", "b")), won(1, ("c", "d")), won(2, ("c", "a"))]
    lines = standing(Form("knock-out"), ABCD, met, 2)
    assert [(line.player, line.rank, line.points) for line in lines] == [
        ("c", 1, 2.0),
        ("a", 2, 1.0),
        ("b", 3, 0.0),
        ("d", 3, 0.0),
    ]
    assert {line.points for line in standing(Form("knock-out"), ABCD, met[:1], 0)} == {0.0}


def test_terms_that_a_later_release_adds_change_nothing_of_what_was_agreed() -> None:
    form = Form("swiss", seed="not part of it")
    told = agreed(form, {"ruleset": "claim", "rated": False})
    assert agreed(form, {"rated": False, "ruleset": "claim", "bank_seconds": None}) == told
    assert json.loads(told) == {
        "kind": "swiss",
        "seats": 2,
        "sizes": [],
        "rounds": None,
        "games": 1,
        "tie_breaks": list(form.tie_breaks),
        "terms": {"ruleset": "claim", "rated": False},
    }
    assert (
        commitment(bytes(16), told, bytes(32))
        == hashlib.sha256(
            b"holmgang-tournament-1" + bytes(16) + len(told).to_bytes(4, "big") + told + bytes(32)
        ).digest()
    )
