"""What a bot is told of the turn it chooses for, and whether its `choose` takes it."""

from __future__ import annotations

import inspect
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from holmgang import answers


@dataclass(frozen=True)
class TurnContext:
    """What `Bot.choose(view, legal, turn)` is told of the turn besides view and legal actions."""

    ruleset: str
    game: str
    """The game's id; empty in a simulation, where games have none."""
    seat: int
    number: int
    """Which turn of the game it is."""
    kind: str
    """What the rules ask for in it, such as `place`."""
    deadline: datetime | None
    """When the bot is late, by the server's clock and with a time zone: its turn or its bank is over. None where there
    is no limit."""
    _server_time: datetime = field(repr=False)
    _came: float = field(repr=False)
    _clock: Callable[[], float] = field(default=time.monotonic, repr=False)

    def now(self) -> datetime:
        """The server's clock, less the time that its answer was on its way. This machine's clock may be wrong."""
        return self._server_time + timedelta(seconds=self._clock() - self._came)

    def seconds_left(self) -> float:
        """Until the deadline, never less than 0; infinite where there is none. Keep some back for the choice's way."""
        return math.inf if self.deadline is None else max(0.0, (self.deadline - self.now()).total_seconds())


def due(turn: answers.Turn) -> str | None:
    """When the player of a seat that is asked is late. In a game with clocks for each seat others may be late before,
    which is no concern of theirs."""
    clocks, seat = turn.get("clocks"), turn["seat"]
    return turn["deadline"] if clocks is None or seat is None else clocks[seat]["deadline"]


Ask = Callable[[Any, Any, TurnContext], Any]


def way_to_ask(choose: Callable[..., Any]) -> Ask:
    """How to call a bot's `choose`: with the turn if it takes one, and without it otherwise.

    It takes one by a parameter named `turn`, or by a third that has no default: `depth=3` is its author's own. What is
    behind `*args` alone is not known, so it is called with two. TypeError, which says why, where neither way fits.
    """
    try:
        signature = inspect.signature(choose)
    except ValueError:  # of what is written in C
        return _without_turn(choose)
    third, named = _third(signature)
    try:
        if third:
            signature.bind(None, None, None)
            return choose
        if named:
            signature.bind(None, None, turn=None)
            return lambda view, legal, turn: choose(view, legal, turn=turn)
        signature.bind(None, None)
        return _without_turn(choose)
    except TypeError as why:
        raise TypeError(f"A bot's choose takes (view, legal) or (view, legal, turn), not {signature}: {why}") from None


def _without_turn(choose: Callable[..., Any]) -> Ask:
    return lambda view, legal, _: choose(view, legal)


def _third(signature: inspect.Signature) -> tuple[bool, bool]:
    """Whether the turn is the third positional argument, and if not, whether it is one by name."""
    taken = list(signature.parameters.values())
    positional = [each for each in taken if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    third = len(positional) > 2 and (positional[2].name == "turn" or positional[2].default is inspect.Parameter.empty)
    by_name = [each for each in taken if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)]
    return third, any(each.name == "turn" for each in by_name if each not in positional[:2])
