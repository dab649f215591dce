"""Trials of choices, and what is tried in Eketorp."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from holmgang.bots.base import settle
from holmgang.bots.search import SearchBot
from holmgang.engine.moves import Rng
from holmgang.engine.rules import AnyRules
from holmgang.engine.turn import Await, Seat
from holmgang.games.eketorp.bot.scout import EketorpScout
from holmgang.games.eketorp.rules.model import Action, Exchange, Loot, Place, Play, Stand, State
from holmgang.games.eketorp.rules.rules import Eketorp
from tests.unit.eketorp.table import Table

RULES = Eketorp()
SCOUT = EketorpScout()
RICH = {1: "www", 2: "www", 3: "wg", 4: "c"}


class Recorder(EketorpScout):
    """Judges a battle card by itself at once, and notes what it was given."""

    def __init__(self, worth: dict[int, float]) -> None:
        super().__init__()
        self.worth = worth
        self.luck: list[float] = []
        self.judged: list[int] = []

    def guess(self, rules: AnyRules, view: Any, rng: Rng) -> State:
        self.luck.append(rng.random())
        return super().guess(rules, view, rng)

    def rests(self, state: State, since: State) -> bool:
        return True

    def value(self, state: State, seat: Seat) -> float:
        choice = state.sealed[seat]
        assert type(choice) is Play
        self.judged.append(choice.card)
        return self.worth[choice.card]


def at_cards(hand: list[int]) -> Table:
    table = Table(3, fields={"G": "s"}, hands={0: hand})
    table.march({0: "G", 1: "G"})
    while table.kind == "amulets":
        table.play(table.turn.seats[0], type="stand")
    assert table.kind == "battle_card"
    return table


def tried(scout: EketorpScout, table: Table, trials: int) -> Any:
    return SearchBot({"eketorp": scout}.get, trials).choose(RULES, table.view(0), Random(1))


@pytest.mark.parametrize("best", [2, 3, 4, 6])
def test_what_leads_to_the_best_is_chosen(best: int) -> None:
    worth = {card: 0.5 + 0.1 * (card == best) for card in (2, 3, 4, 6)}
    assert tried(Recorder(worth), at_cards([2, 3, 4, 6]), 16).card == best


def test_the_better_half_is_tried_on_within_the_budget() -> None:
    scout = Recorder({2: 0.1, 3: 0.4, 4: 0.3, 6: 0.2})
    tried(scout, at_cards([2, 3, 4, 6]), 32)
    counts = Counter(scout.judged)
    assert counts[2] == counts[6] == 4
    assert counts[3] == counts[4] > 8
    assert 28 <= len(scout.judged) <= 32


def test_all_choices_share_guesses_and_luck() -> None:
    scout = Recorder({2: 0.1, 3: 0.4, 4: 0.3, 6: 0.2})
    tried(scout, at_cards([2, 3, 4, 6]), 32)
    met = Counter(scout.luck[1:])  # the first one is for what can be chosen
    assert set(met.values()) == {2, 4}
    assert sum(met.values()) == len(scout.judged)


def test_every_choice_is_tried_once_at_least() -> None:
    scout = Recorder({2: 0.1, 3: 0.4, 4: 0.3, 6: 0.2})
    assert tried(scout, at_cards([2, 3, 4, 6]), 1).card == 3
    assert set(scout.judged) == {2, 3, 4, 6}


# Eketorp


def candidates(state: State, seat: Seat, seed: int = 1) -> Sequence[Action]:
    return SCOUT.candidates(RULES, state, seat, Random(seed))


def test_candidates_are_legal_different_and_begin_with_the_judges_own() -> None:
    met = set()
    for seed in range(3):
        rng = Random(seed)
        state = settle(RULES, RULES.initial(RULES.configure(4, {})), rng)
        while type(turn := RULES.turn(state)) is Await:
            for seat in turn.seats:
                found = candidates(state, seat)
                assert found[0] == SCOUT.choose(RULES, state, seat, Random(1))
                assert all(RULES.moves(state, seat).why_not(action) is None for action in found)
                assert len({RULES.canonical(seat, action) for action in found}) == len(found)
                if SCOUT.trials(state):
                    met.add((turn.kind, len(found) > 1))
            for seat in turn.seats:
                state = RULES.apply(state, seat, SCOUT.choose(RULES, state, seat, rng)).state
            state = settle(RULES, state, rng)
    tried_kinds = ("placement", "initiative", "amulets", "battle_card", "loot")
    assert {(kind, True) for kind in tried_kinds} <= met


def test_placements_of_many_sorts_are_tried_but_none_for_nothing() -> None:
    table = Table(4, fields={"A": "gg", "C": "ww", "F": "c"}, walls={1: RICH, 0: RICH}, round=5)
    places = [place for seed in range(5) for place in candidates(table.state, 0, seed)]
    assert len(set(places)) > 14
    for place in places:
        assert type(place) is Place
        assert set(place.fields) <= {"A", "C", "F"}
        assert set(place.sieges) <= {"1:catapult", "1:boat"}
    assert len({len(place.sieges) for place in places if type(place) is Place}) > 1


def test_one_of_each_card_and_both_answers_about_amulets_are_tried() -> None:
    assert {a.card for a in candidates(at_cards([2, 2, 5, 6]).state, 0) if type(a) is Play} == {2, 5, 6}
    table = Table(3, fields={"G": "s"}, amulets={0: 5})
    table.march({0: "G", 1: "G"})
    assert {type(action) for action in candidates(table.state, 0)} == {Exchange, Stand}


def test_of_loot_the_dearest_is_kept() -> None:
    table = Table(3, walls={1: {1: "wg", 2: "gg"}}, hands={0: [1, 1, 1, 4]})
    table.march({0: "1:catapult", 1: "A8"})
    while table.kind == "amulets":
        table.play(table.turn.seats[0], type="stand")
    table.cards({0: 4, 1: 2})
    assert table.kind == "loot"
    kept = {tuple(sorted(a.walls.items())): a.kept for a in candidates(table.state, 0) if type(a) is Loot}
    assert kept[("1", 1),] == "grass"
    assert kept[("1", 2),] == "wood"


def test_what_others_have_sealed_is_taken_for_sound() -> None:
    table = Table(4, fields={"B": "gg", "F": "cc"})
    for seat in (1, 2):
        table.play(seat, type="place", fields={"A": 6}, sieges=[])
    view = table.view(0)
    for seed in range(10):
        state = SCOUT.guess(RULES, view, Random(seed))
        assert RULES.view(state, 0) == view
        for seat in (1, 2):
            choice = state.sealed[seat]
            assert type(choice) is Place
            assert set(choice.fields) <= {"B", "F"}
            assert not choice.sieges


def test_standings_are_told_when_the_next_round_begins() -> None:
    table = Table(3, fields={"A": "ggg"})
    begun = table.state
    assert not SCOUT.rests(begun, begun)
    table.march({0: "A2"})
    table.settle()
    assert table.kind == "building"
    assert not SCOUT.rests(table.state, begun)
    table.play(0, type="build", stones=[{"stone": "grass", "wall": 1}, {"stone": "grass", "wall": 2}])
    table.settle()
    assert table.kind == "placement"
    assert SCOUT.rests(table.state, begun)
    assert not SCOUT.rests(table.state, table.state)


def test_few_continuations_are_as_repeatable_as_many() -> None:
    table = Table(4, fields={"A": "gg", "C": "ww", "F": "c"}, walls={1: RICH, 0: RICH}, round=5)
    player = SearchBot({"eketorp": SCOUT}.get, 20)
    chosen = [player.choose(RULES, table.view(0), Random(4)) for _ in range(2)]
    assert chosen[0] == chosen[1]
