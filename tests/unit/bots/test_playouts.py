"""Search in a game that brings no judge: what its rules tell is enough to play with sense."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import Struct

from holmgang import registry as games
from holmgang.bots import registry
from holmgang.bots.arena import match
from holmgang.bots.base import Effort, Judge, settle
from holmgang.bots.playouts import Playouts
from holmgang.bots.random import RandomBot
from holmgang.bots.search import SearchBot
from holmgang.engine.rules import Step
from holmgang.engine.turn import Await, Over
from tests.games.toy.rules.toy import Space


class Take(Struct, frozen=True, tag="take"):
    number: int


class Heap(Struct, frozen=True):
    """Two take up to three in turn; who takes the last has won. As a view, `seat` is whose it is."""

    left: int
    turn: int = 1
    seat: int = 0


NOBODY: dict[str, Judge | None] = {}


class Nim:
    """Rules enough for a bot. Who leaves a multiple of four wins."""

    ruleset = "nim"

    def teams(self, seats: int) -> Any:
        return ((0,), (1,))

    def turn(self, state: Heap) -> Any:
        if not state.left:
            last = state.turn % 2
            return Over((int(last == 0), int(last == 1)), ((last,), (1 - last,)), "taken")
        return Await(state.turn, "take", ((state.turn - 1) % 2,), False)

    def moves(self, state: Heap, seat: int) -> Any:
        return Space(tuple(Take(n) for n in (1, 2, 3) if n <= state.left))

    def canonical(self, seat: int, action: Any) -> Any:
        return action

    def apply(self, state: Heap, seat: int, action: Take) -> Any:
        return Step(Heap(state.left - action.number, state.turn + 1), ())

    def determinize(self, view: Heap, rng: Any) -> Heap:
        return view


NIM: Any = Nim()


@pytest.mark.parametrize("heap", [n for n in range(2, 9) if n % 4])
def test_the_only_choice_that_wins_is_found(heap: int) -> None:
    """Nobody tells what a heap is worth: play that goes to the end does."""
    found = [SearchBot(NOBODY.get).choose(NIM, Heap(heap), Random(seed)) for seed in range(3)]
    assert found == [Take(heap % 4)] * 3


@pytest.mark.slow
def test_it_beats_chance_in_a_game_without_its_judge() -> None:
    rules = games.latest("drakkars")
    bots = (lambda: SearchBot(NOBODY.get, 30), RandomBot)
    *_, last = match(rules, rules.configure(2, {}), bots, 0.9, 2, seconds=300, games=6)
    assert last.games == 6
    assert last.wins >= 5


@pytest.mark.parametrize("seats", [2, 3])
def test_what_each_has_is_its_value(toy: Path, seats: int) -> None:
    """Even at the start; the shares add up to 1; of two tables alike, more is better; and those who have given up do
    not stop it."""
    rules: Any = games.latest("toy")
    start = settle(rules, rules.initial(rules.configure(seats, {"cards": 4})), Random(1))
    values = [Playouts(rules).value(start, seat) for seat in range(seats)]
    assert values == pytest.approx([1 / seats] * seats)
    state = start
    while len(set(state.scores)) == 1:
        turn = rules.turn(state)
        for seat in turn.seats:
            state = rules.apply(state, seat, rules.default(state, seat)).state
    best = max(range(seats), key=lambda seat: state.scores[seat])
    values = [Playouts(rules).value(state, seat) for seat in range(seats)]
    assert sum(values) == pytest.approx(1)
    assert all(values[best] > value for seat, value in enumerate(values) if seat != best)
    if seats == 3:
        gone = settle(rules, rules.resign(state, (best + 1) % 3).state, Random(1))
        assert Playouts(rules).value(gone, best) > Playouts(rules).value(gone, (best + 2) % 3)


@pytest.mark.parametrize("ruleset", games.names())
def test_values_of_any_state_are_shares(ruleset: str) -> None:
    rules, rng = games.latest(ruleset), Random(3)
    seats = rules.seat_counts[-1]
    state = settle(rules, rules.initial(rules.configure(seats, {})), rng)
    for n in range(60):
        turn = rules.turn(state)
        if type(turn) is not Await:
            break
        if n % 10 == 0:
            values = [Playouts(rules).value(state, side[0]) for side in rules.teams(seats)]
            assert min(values) > 0
            assert sum(values) == pytest.approx(1)
        for seat in turn.seats:
            state = rules.apply(state, seat, rules.moves(state, seat).sample(rng)).state
        state = settle(rules, state, rng)
    assert n > 20


class Counting(RandomBot):
    """A judge that says how much it wants to be asked, and counts how often it is."""

    def __init__(self, effort: Effort | None) -> None:
        self.valued = self.chosen = 0
        if effort is not None:
            self.effort = effort

    def choose(self, rules: Any, state: Any, seat: Any = None, rng: Any = None) -> Any:  # type: ignore[override]  # of a judge, which a bot of chance is not
        self.chosen += 1
        return rules.moves(state, seat).sample(rng)

    def value(self, state: Any, seat: int) -> float:
        self.valued += 1
        return 0.5


def test_a_judge_says_how_its_game_is_searched() -> None:
    """So many continuations, of so many choices each: and without a word, as `Effort()` says."""

    def asked(effort: Effort | None) -> Counting:
        judge = Counting(effort)
        SearchBot({"nim": judge}.get).choose(NIM, Heap(1000), Random(1))
        return judge

    few, many, far = (asked(Effort(iterations=n, playout=p)) for n, p in ((10, 0), (40, 0), (10, 50)))
    assert few.valued < many.valued
    assert far.chosen > few.chosen + 10 * 40
    assert asked(None).valued == asked(Effort()).valued > many.valued
    short = asked(Effort(iterations=1000, playout=50, choices=200))
    assert 150 < short.chosen < 300


def test_rules_alone_are_played_by_search_and_not_by_greedy(bare_toy: Path) -> None:
    assert registry.playing("toy") == ("random", "search")
    assert registry.usual("toy") == "search"
