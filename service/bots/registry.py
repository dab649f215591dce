"""The bots by name, and the judges that they ask."""

from __future__ import annotations

from collections.abc import Mapping

from service import registry

from .base import Bot, Judge
from .chancer import RandomBot
from .greedy import GreedyBot
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
    """Whether the bot knows the game."""
    return name in _BOTS and (name == RandomBot.name or registry.game(ruleset).has_judge)
