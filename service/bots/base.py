"""What a bot is, and what it may know."""

from __future__ import annotations

from typing import Any, Protocol

from service.engine.moves import Rng
from service.engine.rules import AnyRules
from service.engine.turn import Chance, Over, Seat

NAMES = ("random", "greedy", "search")
"""The bots that the service has, from the weakest on."""
THOUGHTFUL = ("search",)
"""Those of them whose choices take long enough that others must not stand in line behind them."""


class Bot(Protocol):
    """Chooses for a seat from that seat's view alone. Equal views and equal random numbers give equal choices."""

    name: str

    def choose(self, rules: AnyRules, view: Any, rng: Rng) -> Any:
        """A legal action for `view.seat`, which the view says is asked."""
        ...


class Judge(Protocol):
    """What a game's heuristics know: which choice looks best at once, and how well a seat stands.

    States come out of `determinize`: what is hidden from the bot's seat in them is a guess.
    """

    def choose(self, rules: AnyRules, state: Any, seat: Seat, rng: Rng) -> Any:
        """A sound legal choice of a seat that is asked, made fast."""
        ...

    def value(self, state: Any, seat: Seat) -> float:
        """How well the seat's side stands, from 0 (lost) to 1 (won)."""
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
