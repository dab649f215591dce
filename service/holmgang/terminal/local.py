"""A table in this process, where bots sit on the other seats. Nobody else is there, so nothing is stored."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from holmgang.bots import guests
from holmgang.engine.replay import Played, perform, settle
from holmgang.engine.rules import AnyRules, Step
from holmgang.engine.turn import Await, Over, Seat

from .table import Moment, People, TooLate, names

SLOW = "search"


class LocalTable:
    """One game. Chance and bots draw from `rng`, each bot from numbers of its own; bots see their seat's view only."""

    farewell = "A game in this process ends with it."

    def __init__(self, rules: AnyRules, kinds: Sequence[str], me: Seat, name: str, rng: Random) -> None:
        """`kinds` names the bots of the other seats, in the order of seats. NoSuchBot if one cannot be made."""
        others = iter(kinds)
        seats = range(len(kinds) + 1)
        self.rules = rules
        self.me = me
        self.kinds = [None if seat == me else next(others) for seat in seats]
        self.bots = [None if kind is None else guests.find(kind, rules.ruleset)() for kind in self.kinds]
        self.slow = any(kind == SLOW or guests.own(kind) for kind in kinds)
        free = (other for other in names() if other.casefold() != name.casefold())
        self.people = People(tuple(name if kind is None else next(free) for kind in self.kinds), me)
        self.chance = rng
        self.rngs = [Random(rng.getrandbits(64)) for _ in seats]  # noqa: S311 # a game at home is to be repeatable
        self.effects: list[Any] = []
        self.told = [
            f"{self.people.name(n)} is the bot {kind}." for n, kind in enumerate(self.kinds) if kind is not None
        ]
        config = rules.configure(len(seats), {})
        self.state: Any = None
        self.turn = 0
        self._go_on(settle(rules, Step(rules.initial(config), ()), self._draw))

    def _draw(self, label: str, stop: int) -> int:
        return self.chance.randrange(stop)

    def _go_on(self, played: Played) -> None:
        self.state = played.step.state
        self.effects += [self.rules.redact(effect, self.me) for effect in played.step.effects]

    def _play(self, seat: Seat, action: Any) -> None:
        self._go_on(perform(self.rules, self.state, [(seat, action)], None, self._draw))

    def now(self) -> Moment:
        turn = self.rules.turn(self.state)
        view = self.rules.view(self.state, self.me)
        if isinstance(turn, Over):
            return Moment("over", view, self.turn, None, False, (), result=turn)
        assert isinstance(turn, Await)
        self.turn = turn.turn
        return Moment("active", view, turn.turn, turn.kind, self.me in turn.seats, turn.seats)

    def news(self) -> list[str]:
        told = [*self.told, *(self.people.named(self.rules.tell(effect)) for effect in self.effects)]
        self.told.clear()
        self.effects.clear()
        return told

    def choose(self, moment: Moment, action: Any) -> None:
        self._play(self.me, action)

    def wait(self, moment: Moment) -> None:
        """The bots that are awaited choose, each by what it saw when the question was put. Raises BadChoice for what a
        person's bot does wrong."""
        seen = {seat: self.rules.view(self.state, seat) for seat in moment.awaited if seat != self.me}
        for seat, view in seen.items():
            bot = self.bots[seat]
            assert bot is not None
            self._play(seat, bot.choose(self.rules, view, self.rngs[seat]))

    def resign(self) -> None:
        if isinstance(self.rules.turn(self.state), Over):
            raise TooLate("The game is over.")
        self._go_on(perform(self.rules, self.state, [], self.me, self._draw))

    def verdict(self) -> str:
        return ""

    def close(self) -> None:
        """Nothing is left."""
