"""What the heuristics for Eketorp choose, and how they rate a position."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from holmgang.bots.base import imagined, settle
from holmgang.engine.turn import Await, Over
from holmgang.games.eketorp.bot.judge import EketorpJudge
from holmgang.games.eketorp.laws import MIXED_CARDS
from holmgang.games.eketorp.rules.model import Build, Decline, Loot, Place, State
from holmgang.games.eketorp.rules.rules import Eketorp
from tests.unit.eketorp.table import Table

RULES = Eketorp()
JUDGE = EketorpJudge()
KINDS = {"placement", "initiative", "amulets", "battle_card", "loot", "spoils", "building"}
HIGH = {1: "www", 2: "www", 3: "www", 4: "www", 5: "www", 6: "ww"}
"""Walls that are worth a raid anywhere."""


def positions(players: int, seed: int, clever: int) -> Iterator[tuple[State, Await]]:
    """Every turn of a game on mixed fields; seats below `clever` follow the judge, the others play anything."""
    rng = random.Random(seed)
    state = RULES.initial(RULES.configure(players, {"material_cards": MIXED_CARDS}))
    while True:
        state = settle(RULES, state, rng)
        turn = RULES.turn(state)
        if type(turn) is Over:
            return
        assert type(turn) is Await
        yield state, turn
        for seat in turn.seats:
            space = RULES.moves(state, seat)
            action = JUDGE.choose(RULES, state, seat, rng) if seat < clever else space.sample(rng)
            state = RULES.apply(state, seat, action).state


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_choices_are_legal_and_repeatable_and_values_are_shares(players: int) -> None:
    met = set()
    for seed in range(4):
        for state, turn in positions(players, seed, clever=seed % 3):
            met.add(turn.kind)
            for seat in turn.seats:
                guess = imagined(RULES, RULES.view(state, seat), random.Random(seed))
                chosen = JUDGE.choose(RULES, guess, seat, random.Random(7))
                assert RULES.moves(state, seat).why_not(chosen) is None
                assert JUDGE.choose(RULES, guess, seat, random.Random(7)) == chosen
            values = [JUDGE.value(state, seat) for seat in range(players)]
            assert min(values) >= 0
            assert sum(values) == pytest.approx(1)
    assert met == KINDS


def test_choices_do_not_depend_on_guessed_hands() -> None:
    for state, turn in positions(4, 1, clever=2):
        seat = turn.seats[0]
        view = RULES.view(state, seat)
        choices = [
            RULES.canonical(seat, JUDGE.choose(RULES, imagined(RULES, view, random.Random(n)), seat, random.Random(3)))
            for n in range(2)
        ]
        assert choices[0] == choices[1]


def chosen(table: Table, seat: int, seed: int = 0) -> Any:
    guess = imagined(RULES, table.view(seat), random.Random(seed))
    return JUDGE.choose(RULES, guess, seat, random.Random(seed))


def errands(table: Table, seat: int) -> list[Place]:
    """What it chooses with several random numbers."""
    return [chosen(table, seat, seed) for seed in range(10)]


# Placement


def test_nobody_goes_to_empty_fields_or_bare_villages() -> None:
    for place in errands(Table(4, fields={"B": "gg", "F": "cc"}), 1):
        assert set(place.fields) <= {"B", "F"}
        assert place.fields
        assert not place.sieges


def test_more_go_where_more_lies() -> None:
    places = errands(Table(3, fields={"A": "g", "C": "ccc"}), 0)
    assert sum(p.fields.get("C", 0) for p in places) > 2 * sum(p.fields.get("A", 0) for p in places)


def test_a_village_without_a_soul_is_raided() -> None:
    """Seat 2 has all its Vikings in the hospital, and a 6 is worth 3 wood off its walls."""
    table = Table(4, hands={0: [5, 6, 6, 6]}, walls={2: HIGH}, hospital={2: {"345": 6}}, fields={"A": "g"}, round=9)
    assert all(any(name.startswith("2:") for name in place.sieges) for place in errands(table, 0))


def test_dear_walls_are_guarded() -> None:
    table = Table(4, walls={0: HIGH, 1: {1: "g"}, 2: {1: "g"}, 3: {1: "g"}}, fields={"A": "g"}, round=9)
    for place in errands(table, 0):
        assert sum(place.fields.values()) + len(place.sieges) < table.home(0)


# Combat


def at_cards(table: Table, errands_: dict[int, str]) -> Table:
    """March, and keep every hand, up to the choice of cards."""
    table.march(errands_)
    while table.kind == "amulets":
        table.play(table.turn.seats[0], type="stand")
    assert table.kind == "battle_card"
    return table


def test_an_undefended_village_plays_its_lowest_card() -> None:
    """E4.7.3: it counts 0 whatever it is."""
    table = at_cards(Table(3, walls={1: HIGH}), {0: "1:boat", 1: "A8"})
    assert chosen(table, 1).card == 2


def test_the_last_fight_for_a_dear_stone_is_worth_the_best_card() -> None:
    table = at_cards(Table(3, fields={"G": "s"}, hands={0: [1, 2, 3, 6]}, round=10), {0: "G", 1: "G"})
    assert chosen(table, 0).card == 6


def test_a_fight_for_nothing_is_worth_the_lowest_card() -> None:
    table = at_cards(Table(3, hands={0: [1, 2, 3, 6]}, round=10), {0: "A", 1: "A"})
    assert chosen(table, 0).card == 1


def test_a_bad_last_card_is_changed_for_an_amulet_where_much_is_at_stake() -> None:
    keywords: dict[str, Any] = {"amulets": {0: 1}, "round": 10, "hands": {0: [1]}, "piles": {0: [2, 2, 2]}}
    for stones, change in (("s", "exchange"), ("", "stand")):
        table = Table(3, fields={"G": stones}, **keywords)
        table.march({0: "G", 1: "G"})
        assert table.kind == "amulets"
        assert type(chosen(table, 0)).__struct_config__.tag == change


def test_a_good_hand_is_kept() -> None:
    table = Table(3, fields={"G": "s"}, amulets={0: 5}, hands={0: [5, 5, 6, 6]})
    table.march({0: "G", 1: "G"})
    assert type(chosen(table, 0)).__struct_config__.tag == "stand"


def test_the_fight_for_the_dearer_stone_comes_first() -> None:
    table = Table(3, fields={"A": "g", "G": "s"}, hands={0: [6, 6, 6, 6]}, round=10)
    table.march({0: "A G", 1: "A", 2: "G"})
    assert table.kind == "initiative"
    assert chosen(table, 0).space == "G"


def looting(walls: dict[int, str], card: int) -> Any:
    """What seat 0 takes after its siege of an undefended village from the catapult with a card."""
    table = at_cards(Table(3, walls={1: walls}, hands={0: [1, 1, 1, card]}), {0: "1:catapult", 1: "A8"})
    table.cards({0: card, 1: 2})
    assert table.kind == "loot"
    return chosen(table, 0)


def test_the_dearest_stone_that_the_difference_reaches_is_looted() -> None:
    assert looting({1: "wcg", 2: "ggg"}, 4) == Loot(walls={"1": 2}, kept="clay")


def test_loot_does_all_the_damage_it_may() -> None:
    taken = looting({1: "www", 2: "www"}, 6)
    assert sum(taken.walls.values()) == 3
    assert taken.kept == "wood"


def test_nothing_is_declined_that_can_be_had() -> None:
    assert type(looting({1: "s", 2: "g"}, 1)) is not Decline


# After combat


def test_the_dearest_stone_is_picked_up() -> None:
    table = Table(3, fields={"C": "gwc"})
    table.march({0: "C"})
    assert table.kind == "spoils"
    assert chosen(table, 0).stone == "clay"


def test_as_much_is_built_as_there_is_room_for_the_dear_ones_too() -> None:
    table = Table(
        3, walls={0: {1: "www", 2: "www", 3: "www", 4: "www", 5: "ww", 6: "ww"}}, fields={"A": "gc", "B": "s"}
    )
    table.march({0: "A2 B"})
    while table.kind == "spoils":
        table.play(0, type="take", space="A", stone="clay")
    assert table.kind == "building"
    build = chosen(table, 0)
    assert type(build) is Build
    assert len(build.stones) == 2
    table.play(0, type="build", stones=[{"stone": laid.stone, "wall": laid.wall} for laid in build.stones])
    assert table.turn_is_over
    assert len(table.built(0)) == 18
    assert len(table.aside(0)) == 1


# Value


def test_who_has_more_stands_better() -> None:
    table = Table(4, walls={0: {1: "www", 2: "w"}, 1: {1: "www"}, 2: {1: "w"}})
    first, second, third, fourth = (JUDGE.value(table.state, seat) for seat in range(4))
    assert first > second > third > fourth > 0


def test_stones_on_the_way_home_and_amulets_and_cards_count() -> None:
    state = Table(3).state
    even = JUDGE.value(state, 0)
    for better in (
        replace(state, carried=((0, 1, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0))),
        replace(state, amulets=(2, 0, 0)),
        replace(state, hands=((6, 6, 6, 6), *state.hands[1:])),
        replace(state, hospital=((0, 3, 3), (0, 0, 0), (0, 0, 0))),
    ):
        assert JUDGE.value(better, 0) > even + 0.01


def test_leads_are_surer_near_the_end() -> None:
    values = [JUDGE.value(Table(4, walls={1: {1: "www"}}, round=number).state, 1) for number in (2, 9)]
    assert values[0] < values[1]


def test_games_that_are_over_are_won_or_lost() -> None:
    state = Table(3).state
    for seat in (0, 2):
        state = RULES.resign(state, seat).state
    assert [JUDGE.value(state, seat) for seat in range(3)] == [0, 1, 0]


def test_who_has_resigned_cannot_win() -> None:
    state = RULES.resign(Table(3, walls={0: HIGH}).state, 0).state
    assert JUDGE.value(state, 0) == 0
    assert JUDGE.value(state, 1) == pytest.approx(0.5)
