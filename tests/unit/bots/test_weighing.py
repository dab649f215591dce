"""What `search` thinks of choices that were made: the same that it would do, by shares of the victory."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from holmgang import registry
from holmgang.bots.base import settle
from holmgang.bots.registry import find, judge_of
from holmgang.bots.weighing import Weighed, weigh
from holmgang.engine.rules import AnyRules
from holmgang.engine.turn import Await, Over

GAMES = (("claim", 4), ("drakkars", 2), ("eketorp", 3))


def asked(rules: AnyRules, seats: int, turns: int) -> tuple[Any, int]:
    """The view of who is asked after so many turns at random, with a choice to make."""
    rng = Random(5)
    state = settle(rules, rules.initial(rules.configure(seats, {})), rng)
    for n in range(1000):
        turn = rules.turn(state)
        assert type(turn) is Await
        seat = turn.seats[0]
        if n >= turns and rules.moves(state, seat).count() != 1:
            return rules.view(state, seat), seat
        for each in turn.seats:
            state = rules.apply(state, each, rules.moves(state, each).sample(rng)).state
        state = settle(rules, state, rng)
    raise AssertionError("nobody had a choice")


def need_shares(rules: AnyRules, seats: int, found: Weighed) -> None:
    for shares in (found.shares, found.preferred_shares):
        assert len(shares) == seats
        assert all(0 <= share <= 1 for share in shares)
        sides = rules.teams(seats)
        assert sum(shares[side[0]] for side in sides) == pytest.approx(1)
        assert all(shares[seat] == shares[side[0]] for side in sides for seat in side)


@pytest.mark.parametrize("judged", [True, False], ids=["judge", "playouts"])
@pytest.mark.parametrize(("name", "seats"), GAMES)
def test_what_it_prefers_is_what_it_does(name: str, seats: int, judged: bool) -> None:
    rules = registry.latest(name)
    view, seat = asked(rules, seats, 6)
    if not judged:
        other = weigh(
            rules, None, view, rules.default(rules.determinize(view, Random(1)), seat), seats, Random(2), 0.02
        )
        need_shares(rules, seats, other)
        return
    chosen = find("search").choose(rules, view, Random(3))
    other = rules.moves(rules.determinize(view, Random(1)), seat).sample(Random(4))
    for action in (chosen, other):
        found = weigh(rules, judge_of(name), view, action, seats, Random(3))
        need_shares(rules, seats, found)
        assert rules.canonical(seat, found.preferred) == rules.canonical(seat, chosen)
        assert found.agrees == (rules.canonical(seat, action) == rules.canonical(seat, chosen))
        assert not found.forced
        if found.agrees:
            assert found.shares == found.preferred_shares
    assert found == weigh(rules, judge_of(name), view, other, seats, Random(3)), "equal questions, equal answers"


def test_a_move_that_wins_is_worth_the_victory() -> None:
    """Towards the end of a game that search plays, one side sees it coming; the other does too."""
    rules, rng = registry.latest("claim"), Random(1)
    state = settle(rules, rules.initial(rules.configure(2, {})), rng)
    last: Any = None
    while type(turn := rules.turn(state)) is Await:
        seat = turn.seats[0]
        view = rules.view(state, seat)
        action = find("greedy").choose(rules, view, rng)
        last = view, seat, action
        state = settle(rules, rules.apply(state, seat, action).state, rng)
    assert type(turn) is Over
    view, seat, action = last
    winner = turn.ranking[0][0]
    found = weigh(rules, judge_of("claim"), view, action, 2, Random(1), 0.5)
    assert found.shares[winner] == 1.0
