"""The games that are here, by name and version. A game keeps the version that it was started under."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from holmgang.engine.game import Game
from holmgang.engine.rules import AnyRules

from .discovery import HOUSE, Found, Refused, discover
from .holdings import digest

__all__ = [
    "Refused",
    "UnknownRuleset",
    "all_latest",
    "find",
    "forget",
    "game",
    "games",
    "house_alone",
    "latest",
    "names",
    "origin",
    "refused",
    "release",
]


class UnknownRuleset(LookupError):
    """There is no such ruleset, or not in that version: a sentence says so to whoever asked for it by its name."""


_packages = True
_discovered = cache(discover)


def _found() -> Found:
    return _discovered(_packages)


def forget() -> None:
    """Look for games anew when they are asked for next."""
    _discovered.cache_clear()


@contextmanager
def house_alone() -> Iterator[None]:
    """Have no games but the house's in this process meanwhile, as if no package were installed."""
    global _packages
    before, _packages = _packages, False
    try:
        yield
    finally:
        _packages = before


def games() -> tuple[Game, ...]:
    """All games, in the order in which lists name them."""
    return tuple(_found().games.values())


def refused() -> tuple[Refused, ...]:
    """The packages whose games cannot be played, and why."""
    return _found().refused


def names() -> tuple[str, ...]:
    return tuple(_found().games)


def game(ruleset: str) -> Game:
    """What the package of a game holds."""
    try:
        return _found().games[ruleset]
    except KeyError:
        raise UnknownRuleset(_none_such(ruleset)) from None


def _none_such(ruleset: str) -> str:
    """A sentence for whoever asked for a game that is not here; if it was refused, it says why."""
    why = [each.why for each in refused() if each.name == ruleset]
    if why:
        return f"There is no game '{ruleset}': {' '.join(why)}"
    return f"There is no game '{ruleset}'. There are: {', '.join(names())}."


def origin(ruleset: str) -> str:
    """Where a game comes from: the name and version of its package; `holmgang` for the games of the house."""
    game(ruleset)
    return _found().origins[ruleset]


def release(ruleset: str) -> str:
    """What tells a package's game from what it was in another release, or before it was edited.

    Empty for the house's games, which are one release with all else, and for games that are not here.
    """
    found = _found()
    return "" if found.origins.get(ruleset, HOUSE) == HOUSE else digest(found.games[ruleset])


def find(ruleset: str, version: str) -> AnyRules:
    """The rules of a ruleset in one version."""
    for rules in game(ruleset).versions:
        if rules.version == version:
            return rules
    raise UnknownRuleset(f"There is no version {version} of the game '{ruleset}'.")


def latest(ruleset: str) -> AnyRules:
    """The rules that new games are started under."""
    return game(ruleset).rules


def all_latest() -> tuple[AnyRules, ...]:
    return tuple(each.rules for each in games())
