"""Rounds come out as they were published."""

from __future__ import annotations

import pytest

from holmgang.tournaments.dutch import dutch
from holmgang.tournaments.rounds import berger

from .played import BERGER, ELEVEN, THREE_ROUNDS, TWENTY, meetings


@pytest.mark.parametrize(("text", "count", "rounds"), [(ELEVEN, 11, 5), (TWENTY, 20, 7)], ids=["11", "20"])
def test_each_round_of_a_tournament_with_its_colours_and_byes(text: str, count: int, rounds: int) -> None:
    played = meetings(text)
    players = [str(n) for n in range(1, count + 1)]
    first = 0 if any(one.round == 1 and one.table[0] == "1" for one in played) else 1
    for number in range(1, rounds + 1):
        earlier = [one for one in played if one.round < number]
        pairing = dutch(players, players, earlier, number, rounds, first)
        now = {one.table for one in played if one.round == number}
        assert {*pairing.tables, *((player,) for player in pairing.byes)} == now, number


def test_a_round_without_one_of_the_players() -> None:
    players = [str(n) for n in range(1, 7)]
    pairing = dutch(players, [p for p in players if p != "4"], meetings(THREE_ROUNDS), 3, 3, 0)
    assert pairing.tables == (("1", "5"), ("3", "2"))
    assert pairing.byes == ("6",)


@pytest.mark.parametrize("count", BERGER)
def test_the_tables_of_berger(count: int) -> None:
    printed = [{tuple(map(int, pair.split("-"))) for pair in row.split()} for row in BERGER[count].split(",")]
    assert [set(berger(count, number)) for number in range(1, count)] == printed
