"""What a bot is, and what it may know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from msgspec import Struct

from holmgang.engine.moves import Rng
from holmgang.engine.rules import AnyRules
from holmgang.engine.turn import Chance, Over, Seat

NAMES = ("random", "greedy", "search")
"""The bots that the service has, from the weakest on."""
THOUGHTFUL = ("search",)
"""Those of them whose choices take long enough that others must not queue behind them."""


class Bot(Protocol):
    """Chooses for a seat from that seat's view alone. Equal views and equal random numbers give equal choices."""

    name: str

    def choose(self, rules: AnyRules, view: Any, rng: Rng) -> Any:
        """A legal action for `view.seat`, which the view says is asked."""
        ...


class Judge(Protocol):
    """What a game's heuristics know: which choice looks best at once, and how well a seat stands.

    States come out of `determinize`: what is hidden from the bot's seat in them is a guess. This much `greedy` and
    `search` need. A judge that has more, any of `Tuned`, `Ranking` and `Scout`, makes `search` better.
    """

    def choose(self, rules: AnyRules, state: Any, seat: Seat, rng: Rng) -> Any:
        """A sound legal choice of a seat that is asked, made fast."""
        ...

    def value(self, state: Any, seat: Seat) -> float:
        """How well the seat's side stands, from 0 (lost) to 1 (won)."""
        ...


class Effort(Struct, frozen=True, kw_only=True):
    """How `search` looks ahead in a game.

    It makes so many `iterations`, continuations of the game as the seat knows it; where `choices` says so, fewer, as
    soon as they have taken so many choices in all. They, not the time, bound it: half a second is what people wait for
    gladly. Each goes down the tree, adds a branch, and plays so many `playout` choices of the judge before it is
    valued; until another seat is asked, in any case.

    `curiosity` tells how far the tree strays from the best that it knows: little where values lie close together, much
    where they come from play that is as good as chance. A node visited n times has about `width` * sqrt(n) branches.
    """

    iterations: int = 150
    choices: int | None = None
    playout: int = 0
    curiosity: float = 0.1
    width: float = 1.0


@runtime_checkable
class Tuned(Protocol):
    """A judge that says how its game is searched; others are searched as `Effort()` says."""

    effort: Effort


@runtime_checkable
class Ranking(Protocol):
    """A judge that compares choices at sight. The tree tries the best first."""

    def ranked(self, rules: AnyRules, state: Any, seat: Seat, rng: Rng) -> Sequence[tuple[float, Any]]:
        """The choices worth a thought, the best first, with their values at first sight, as `value` counts."""
        ...


@runtime_checkable
class Scout(Protocol):
    """A judge of a game of rounds, which can tell how a seat stands only when a round has been played out.

    Then there is no tree: each candidate is tried in a share of the continuations, and the better half goes on.
    """

    def choose(self, rules: AnyRules, state: Any, seat: Seat, rng: Rng) -> Any: ...

    def value(self, state: Any, seat: Seat) -> float: ...

    def guess(self, rules: AnyRules, view: Any, rng: Rng) -> Any:
        """A full state that the view could be of, with likely choices where others' are sealed."""
        ...

    def candidates(self, rules: AnyRules, state: Any, seat: Seat, rng: Rng) -> Sequence[Any]:
        """The choices worth a thought, each once, at least one; by what the seat can know."""
        ...

    def trials(self, state: Any) -> int:
        """How many continuations the choice of the turn deserves."""
        ...

    def rests(self, state: Any, since: Any) -> bool:
        """Whether so much has been played since a state that a seat's standing can be told."""
        ...


def imagined(rules: AnyRules, view: Any, rng: Rng) -> Any:
    """A full state that the view could be of."""
    return rules.determinize(view, rng)


def settle(rules: AnyRules, state: Any, rng: Rng) -> Any:
    """Answer all chance that is asked for."""
    while type(turn := rules.turn(state)) is Chance:
        state = rules.resolve(state, rng.randrange(turn.stop)).state
    return state


def win_share(rules: AnyRules, over: Over, seat: Seat) -> float:
    """1 for a seat whose side has won alone, less for a shared win, 0 for the others."""
    first = over.ranking[0]
    if seat not in first:
        return 0.0
    return 1.0 / sum(team[0] in first for team in rules.teams(len(over.scores)))


def winners_share(rules: AnyRules, state: Any, seat: Seat) -> float:
    """The `win_share` in a game that is over."""
    over = rules.turn(state)
    assert type(over) is Over
    return win_share(rules, over, seat)
