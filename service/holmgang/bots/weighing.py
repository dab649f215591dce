"""What `search` thinks of a choice that was made: what it would have done, and how the sides stand after either."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from holmgang.engine.moves import Rng
from holmgang.engine.rules import AnyRules
from holmgang.engine.turn import Over

from .base import Effort, Judge, Scout, Tuned, imagined, win_share
from .playouts import Playouts
from .search import Branch, Tree
from .trials import Trials

PLAYED_ON = 24
"""Continuations in which a scout's choices are compared, once one is preferred."""
FEWEST = 24
"""Continuations in a tree, however small the effort, also of the only choice there is: to tell how the sides stand."""


class Weighed(Struct, frozen=True, kw_only=True):
    """A choice, and the one that `search` prefers: the choice itself where both are the same.

    Shares are those of the victory that each seat's side can expect, from 0 to 1; the sides' add up to 1. They are
    means over continuations of what the seat that chose could know.
    """

    preferred: Any
    agrees: bool
    forced: bool
    """There was no other choice."""
    shares: tuple[float, ...]
    """After the choice, by seat."""
    preferred_shares: tuple[float, ...]
    """After the preferred one."""


def weigh(
    rules: AnyRules, judge: Judge | None, view: Any, action: Any, seats: int, rng: Rng, share: float = 1.0
) -> Weighed:
    """Weigh an action of the seat that the view is of. `judge` is what the game tells its bots, if anything.

    `share` is that of `SearchBot`'s effort that goes into what is preferred; what the choice that was made is worth
    takes as much again at most.
    """
    if not 0 < share <= 1:
        raise ValueError("the share of an effort is above 0, and at most 1")
    space = rules.moves(imagined(rules, view, rng), view.seat)
    forced = space.count() == 1
    known = judge or Playouts(rules)
    if isinstance(known, Scout):
        found, shares = _by_trials(rules, known, view, action, seats, rng, 0.0 if forced else share)
    else:
        found, shares = _by_tree(rules, known, view, action, seats, rng, 0.0 if forced else share)
    agrees = rules.canonical(view.seat, found) == rules.canonical(view.seat, action)
    return Weighed(
        preferred=action if agrees else found,
        agrees=agrees,
        forced=forced,
        shares=shares(action),
        preferred_shares=shares(action if agrees else found),
    )


Shares = Callable[[Any], tuple[float, ...]]


def _by_trials(
    rules: AnyRules, scout: Scout, view: Any, action: Any, seats: int, rng: Rng, share: float
) -> tuple[Any, Shares]:
    """By the same continuations for both."""
    tried = Trials(rules, scout, view, rng)

    def shares(one: Any) -> tuple[float, ...]:
        return _mean([_shares(rules, scout, tried.played_out(one, number), seats) for number in range(PLAYED_ON)])

    return tried.best(max(1, int(share * scout.trials(tried.state)))) if share else action, shares


def _by_tree(
    rules: AnyRules, judge: Judge, view: Any, action: Any, seats: int, rng: Rng, share: float
) -> tuple[Any, Shares]:
    """By the leaves of the tree. Where it hardly looked at the choice that was made, that gets as many more visits as
    the preferred one has."""
    effort = judge.effort if isinstance(judge, Tuned) else Effort()
    tree = Tree(rules, judge, view, rng, effort)
    leaves: dict[Branch, list[tuple[float, ...]]] = {}

    def grow(through: Branch | None = None) -> None:
        branch, state = tree.grow(through)
        leaves.setdefault(branch, []).append(_shares(rules, judge, state, seats))

    for _ in range(max(FEWEST, int(share * effort.iterations))):
        grow()
        if effort.choices is not None and tree.choices >= max(share * effort.choices, FEWEST):
            break
    best, made = tree.best(), tree.branch_of(action)
    while made.visits < best.visits:
        grow(made)
    return best.action, lambda one: _mean(leaves[tree.branch_of(one)])


def _shares(rules: AnyRules, judge: Judge, state: Any, seats: int) -> tuple[float, ...]:
    """What each seat's side has of the victory: of a game that is over, or as the judge sees it."""
    turn = rules.turn(state)
    if type(turn) is Over:
        return tuple(win_share(rules, turn, seat) for seat in range(seats))
    found = [0.0] * seats
    sides = rules.teams(seats)
    values = [max(0.0, judge.value(state, side[0])) for side in sides]
    total = sum(values)
    for side, value in zip(sides, values, strict=True):
        for seat in side:
            found[seat] = value / total if total else 1 / len(sides)
    return tuple(found)


def _mean(many: Sequence[tuple[float, ...]]) -> tuple[float, ...]:
    return tuple(sum(each) / len(many) for each in zip(*many, strict=True))
