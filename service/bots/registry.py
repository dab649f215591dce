"""The bots by name, and the judges that they ask, by ruleset."""

from __future__ import annotations

from collections.abc import Mapping

from .base import Bot, Judge
from .chancer import RandomBot
from .claim import ClaimJudge
from .drakkars import DrakkarsJudge
from .eketorp_scout import EketorpScout
from .greedy import GreedyBot
from .search import SearchBot

JUDGES: Mapping[str, Judge] = {"claim": ClaimJudge(), "drakkars": DrakkarsJudge(), "eketorp": EketorpScout()}
"""Bots other than `random` play the games that are here."""

_BOTS: Mapping[str, Bot] = {bot.name: bot for bot in (RandomBot(), GreedyBot(JUDGES), SearchBot(JUDGES))}


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
    return name in _BOTS and (name == RandomBot.name or ruleset in JUDGES)
