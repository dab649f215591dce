"""The bots by name, and the judges that they ask."""

from __future__ import annotations

from collections.abc import Mapping

from holmgang import registry

from .base import Bot, Judge
from .greedy import GreedyBot
from .random import RandomBot
from .search import SearchBot


def judge_of(ruleset: str) -> Judge | None:
    """What the game tells its bots; None where it brings nothing."""
    found: Judge | None = registry.game(ruleset).judge
    return found


_BOTS: Mapping[str, Bot] = {bot.name: bot for bot in (RandomBot(), GreedyBot(judge_of), SearchBot(judge_of))}


class UnknownBot(LookupError):
    """There is no such bot, or it does not play the game."""


def find(name: str) -> Bot:
    """The bot of that name. Bots keep nothing between choices: one object serves every game."""
    try:
        return _BOTS[name]
    except KeyError:
        raise UnknownBot(f"no bot {name}") from None


def names() -> tuple[str, ...]:
    return tuple(_BOTS)


def plays(name: str, ruleset: str) -> bool:
    """Whether there are such a bot and such a game, and the one can play the other."""
    try:
        game = registry.game(ruleset)
    except registry.UnknownRuleset:
        return False
    return name in _BOTS and (name != GreedyBot.name or game.has_judge)


def playing(ruleset: str) -> tuple[str, ...]:
    """The bots that can play the game, from the weakest on. Nobody else is given a seat in it, or one to keep."""
    return tuple(name for name in _BOTS if plays(name, ruleset))


def usual(ruleset: str) -> str:
    """The bot for whoever names none: the quick one that knows the game, else the strongest that can play it."""
    return GreedyBot.name if plays(GreedyBot.name, ruleset) else playing(ruleset)[-1]
