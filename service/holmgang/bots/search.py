"""The bot that looks ahead: Monte Carlo tree search over what its seat knows (SO-ISMCTS), or trials of its choices."""

from __future__ import annotations

from collections.abc import Callable
from math import log, sqrt
from random import Random
from typing import Any

from holmgang.engine.moves import Rng
from holmgang.engine.rules import AnyRules
from holmgang.engine.turn import Await, Over, Seat, Turn

from .base import Effort, Judge, Ranking, Scout, Tuned, imagined, settle, winners_share
from .playouts import Playouts
from .trials import tried

SIGHTS = 8.0
"""How many visits the value of a choice at first sight counts for."""
CARELESS = 0.1
"""The share of choices in a playout, and of others' sealed choices, that are any legal one."""
RANKINGS = 3
"""How often the judge is asked at one place, as what is hidden changes."""
TRIES = 4
"""Samples taken to find a branch that the judge did not name."""


class Branch:
    """A choice at a node, with its value at first sight, if it has one, which counts like that of some visits.

    `offered` counts how often it was legal when one was chosen there.
    """

    __slots__ = ("action", "node", "offered", "sights", "total", "visits")

    def __init__(self, action: Any, value: float | None = None) -> None:
        self.action = action
        self.node = Node()
        self.visits = 0
        self.offered = 0
        self.sights = 0.0 if value is None else SIGHTS
        self.total = self.sights * (value or 0.0)

    def promise(self, curiosity: float) -> float:
        """UCB1, with the times that the branch was there to be chosen (Cowling, Powley and Whitehouse 2012)."""
        known = self.visits + self.sights
        if not known:
            return 2.0
        return self.total / known + curiosity * sqrt(log(self.offered + 1) / (self.visits + 1))


class Options:
    """A seat's branches at one kind of turn, and what the judge would try next."""

    __slots__ = ("branches", "ideas", "ranked")

    def __init__(self) -> None:
        self.branches: dict[Any, Branch] = {}
        self.ideas: list[tuple[float | None, Any]] = []
        self.ranked = 0


class Node:
    """What has been chosen since the view. Who is asked for what may depend on chance and on what is hidden."""

    __slots__ = ("options", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.options: dict[tuple[str, Seat], Options] = {}


class SearchBot:
    """Plays many continuations out of states that the view could be of, and does what it came back to most often.

    The game's judge leads them, and says how many there are (`Effort`) unless `iterations` does. Where a game has none,
    they are played out at random. Where the judge is a scout, there is no tree below the choice: so many choices follow
    in a round that hardly any would be come back to.
    """

    name = "search"

    def __init__(self, judge_of: Callable[[str], Judge | None], iterations: int | None = None) -> None:
        self.judge_of = judge_of
        self.iterations = iterations

    def choose(self, rules: AnyRules, view: Any, rng: Rng) -> Any:
        space = rules.moves(imagined(rules, view, rng), view.seat)
        if space.count() == 1:
            return next(iter(space))
        judge = self.judge_of(rules.ruleset) or Playouts(rules)
        if isinstance(judge, Scout):
            return tried(rules, judge, view, rng, self.iterations)
        effort = judge.effort if isinstance(judge, Tuned) else Effort()
        tree = Tree(rules, judge, view, rng, effort)
        for _ in range(self.iterations or effort.iterations):
            tree.grow()
            if effort.choices is not None and tree.choices >= effort.choices:
                break
        return tree.best().action


class Tree:
    """A search under way."""

    def __init__(self, rules: AnyRules, judge: Judge, view: Any, rng: Rng, effort: Effort) -> None:
        self.rules, self.judge, self.view, self.rng, self.effort = rules, judge, view, rng, effort
        self.choices = 0
        self.seat: Seat = view.seat
        self.root = Node()
        self.first = imagined(rules, view, rng)
        turn = rules.turn(self.first)
        assert type(turn) is Await
        self.kind = turn.kind
        self.world = rng.randrange(1 << 48)

    def best(self) -> Branch:
        """The first branch that was come back to most often."""
        (here,) = self.root.options.values()
        return max(here.branches.values(), key=lambda branch: (branch.visits, branch.total))

    def branch_of(self, action: Any) -> Branch:
        """The first branch of an action; a new one where the tree has none. It has grown before."""
        (here,) = self.root.options.values()
        return here.branches.setdefault(self.rules.canonical(self.seat, action), Branch(action))

    def grow(self, first: Branch | None = None) -> tuple[Branch, Any]:
        """Go down the tree from a state that the view could be of, add a branch, and judge where it leads. Gives the
        first branch, which is `first` where that is given, and the state that was judged.

        What the seat may do now does not depend on that state, so the first branch is chosen before it. The nth visits
        of all first branches share their guesses and their luck: their differences are not of that making.
        """
        rules = self.rules
        node = self.root
        branch = first = first or self._branch(node, self.kind, self.first, self.seat)
        rng = self.rng = Random(self.world + branch.visits)  # noqa: S311 # a bot's own fancy, apart from the game's dice
        state = imagined(rules, self.view, rng)
        seat = self.seat
        path = [node]
        taken = []
        while True:
            self.choices += 1
            taken.append((seat, branch))
            state = settle(rules, rules.apply(state, seat, branch.action).state, rng)
            node = branch.node
            path.append(node)
            state, turn = self._others_sealed(state)
            if not branch.visits or type(turn) is not Await:
                break
            seat = self.seat if self.seat in turn.seats else turn.seats[0]
            branch = self._branch(node, turn.kind, state, seat)
        state = self._played_out(state, seat)
        values = self._values(state, {seat for seat, _ in taken})
        for node in path:
            node.visits += 1
        for seat, branch in taken:
            branch.visits += 1
            branch.total += values[seat]
        return first, state

    def _others_sealed(self, state: Any) -> tuple[Any, Turn]:
        """What others seal is no news to anybody until all have chosen: they do as usual, without branches."""
        turn = self.rules.turn(state)
        while type(turn) is Await and turn.sealed and self.seat not in turn.seats:
            seat = turn.seats[0]
            state = settle(self.rules, self.rules.apply(state, seat, self._usual(state, seat)).state, self.rng)
            turn = self.rules.turn(state)
        return state, turn

    def _branch(self, node: Node, kind: str, state: Any, seat: Seat) -> Branch:
        """A new branch while the node is narrow for its visits, else the most promising of those that are legal."""
        here = node.options.get((kind, seat))
        if here is None:
            here = node.options[kind, seat] = Options()
        space = self.rules.moves(state, seat)
        always = seat == self.seat and node is self.root
        legal = [branch for branch in here.branches.values() if always or branch.action in space]
        if len(legal) < self.effort.width * sqrt(node.visits + 1) and len(legal) != space.count():
            fresh = self._idea(here, state, seat, space, bool(legal))
            if fresh is not None:
                legal.append(fresh)
        for branch in legal:
            branch.offered += 1
        return max(legal, key=lambda branch: branch.promise(self.effort.curiosity))

    def _idea(self, here: Options, state: Any, seat: Seat, space: Any, easy: bool) -> Branch | None:
        """The judge's next best choice that has no branch yet, else any; None if none is found."""
        if here.ranked < (RANKINGS if easy else 2 * RANKINGS) and not any(action in space for _, action in here.ideas):
            here.ideas = self._ideas(state, seat)
            here.ranked += 1
        for at, (value, action) in enumerate(here.ideas):
            if action in space and (key := self.rules.canonical(seat, action)) not in here.branches:
                del here.ideas[at]
                here.branches[key] = Branch(action, value)
                return here.branches[key]
        for _ in range(TRIES):
            action = space.sample(self.rng)
            key = self.rules.canonical(seat, action)
            known = here.branches.get(key)
            if known is None:
                here.branches[key] = Branch(action)
                return here.branches[key]
            if not easy:  # a choice that is known in another form, which is not legal here
                known.action = action
                return known
        return None

    def _ideas(self, state: Any, seat: Seat) -> list[tuple[float | None, Any]]:
        if isinstance(self.judge, Ranking):
            return list(self.judge.ranked(self.rules, state, seat, self.rng))
        return [(None, self.judge.choose(self.rules, state, seat, self.rng))]

    def _usual(self, state: Any, seat: Seat) -> Any:
        if self.rng.random() < CARELESS:
            return self.rules.moves(state, seat).sample(self.rng)
        return self.judge.choose(self.rules, state, seat, self.rng)

    def _played_out(self, state: Any, seat: Seat) -> Any:
        """Some choices further, and on until another seat than the last is asked: judges value what is finished."""
        left = self.effort.playout
        while type(turn := self.rules.turn(state)) is Await and (left or turn.sealed or turn.seats == (seat,)):
            left = max(0, left - 1)
            for seat in turn.seats:
                state = self.rules.apply(state, seat, self._usual(state, seat)).state
            self.choices += len(turn.seats)
            state = settle(self.rules, state, self.rng)
        return state

    def _values(self, state: Any, seats: set[Seat]) -> dict[Seat, float]:
        if type(self.rules.turn(state)) is Over:
            return {seat: winners_share(self.rules, state, seat) for seat in seats}
        return {seat: self.judge.value(state, seat) for seat in seats}
