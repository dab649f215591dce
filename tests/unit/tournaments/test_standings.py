"""How tournaments stand: by hand, and as published."""

from __future__ import annotations

import pytest

from holmgang.tournaments.meetings import bye, meeting
from holmgang.tournaments.standings import TIE_BREAKS, crosstable, standings

from .played import ELEVEN, TWENTY, meetings

POINTS = {
    ELEVEN: [4, 3.5, 4, 3, 2.5, 3, 2, 2.5, 2, 2, 1.5],
    TWENTY: [5.5, 4, 5, 4.5, 4.5, 3.5, 4, 4.5, 3, 3, 3.5, 2.5, 2, 3.5, 4.5, 2.5, 3, 2.5, 2, 2.5],
}


@pytest.mark.parametrize("text", POINTS, ids=["11", "20"])
def test_the_points_of_published_tournaments(text: str) -> None:
    players = [str(n) for n in range(1, len(POINTS[text]) + 1)]
    lines = standings(players, meetings(text))
    assert {line.player: line.points for line in lines} == dict(zip(players, POINTS[text], strict=True))
    assert [line.points for line in lines] == sorted(POINTS[text], reverse=True)


def test_tie_breaks_by_hand() -> None:
    """The first met those with 3, 3, 4, 2½ and 3½ points, and had 1, 1, ½, 1 and ½ of them. The sixth met those with 4,
    2, 2 and 3½, had 0, 1, 1 and 0, and then a bye with 3 points of its own."""
    lines = {
        line.player: line for line in standings([str(n) for n in range(1, 12)], meetings(ELEVEN), list(TIE_BREAKS))
    }
    assert lines["1"].rank == 1
    assert lines["1"].tie_breaks == {
        "buchholz-cut-1": 13.5,
        "buchholz": 16,
        "sonneborn-berger": 12.25,
        "direct-encounter": 0,
        "wins": 3,
        "progress": 1 + 2 + 2.5 + 3.5 + 4,
    }
    assert lines["3"].rank == 2
    assert lines["6"].tie_breaks["buchholz"] == 14.5
    assert lines["6"].tie_breaks["sonneborn-berger"] == 2 + 2 + 3


def test_those_who_cannot_be_told_apart_share_a_rank() -> None:
    played = [meeting(1, ("a", "b"), [1, 1]), meeting(1, ("c", "d"), [1, 2])]
    assert [(line.rank, line.player) for line in standings("abcd", played, ["buchholz"])] == [
        (1, "c"),
        (2, "a"),
        (2, "b"),
        (4, "d"),
    ]


def test_direct_encounter_counts_where_all_who_are_level_have_met() -> None:
    played = [
        meeting(1, ("a", "b"), [2, 1]),
        meeting(1, ("c", "d"), [1, 2]),
        meeting(2, ("a", "d"), [1, 2]),
        meeting(2, ("c", "b"), [1, 2]),
    ]
    assert [line.player for line in standings("abcd", played, ["direct-encounter"])] == ["c", "b", "a", "d"]
    level = standings("abc", [bye(1, "c"), meeting(1, ("a", "b"), [2, 1]), bye(2, "a")], ["direct-encounter"])
    assert [line.rank for line in level] == [1, 1, 1]


def test_a_table_of_three_shares_its_points_out() -> None:
    played = [meeting(1, ("a", "b", "c"), [1, 2, 2]), meeting(2, ("a", "b", "c"), [1, 1, 2], failed=["a"])]
    lines = {line.player: line.points for line in standings("abc", played)}
    assert lines == {"a": 1, "b": 0.25 + 1, "c": 0.25 + 0.5}
    met = crosstable(played)
    assert (met["a", "b"].games, met["a", "b"].won, met["b", "a"].won) == (2, 1, 1)
    assert (met["b", "c"].games, met["b", "c"].won) == (2, 1.5)


def test_there_is_no_other_tie_break() -> None:
    with pytest.raises(KeyError):
        standings("ab", [], ["luck"])
