"""The game that somebody names who wants it checked."""

from __future__ import annotations

from pkgutil import resolve_name

from holmgang import registry
from holmgang.engine.game import Game


class NoSuchGame(LookupError):
    """There is no such game; the sentences say which there are, and which packages were left out."""


def find(name: str) -> Game:
    """A game by its name, or by `package:GAME`, which need not be installed, but on the path."""
    if ":" in name:
        return _of_package(name)
    try:
        return registry.game(name)
    except registry.UnknownRuleset:
        there = f"There is no game '{name}'. There are: {', '.join(registry.names())}."
        raise NoSuchGame("\n".join([there, *(each.why for each in registry.refused())])) from None


def _of_package(name: str) -> Game:
    try:
        found = resolve_name(name)
    except Exception as raised:
        raise NoSuchGame(f"'{name}' cannot be imported: {type(raised).__name__}: {raised}") from raised
    if not isinstance(found, Game):
        raise NoSuchGame(f"'{name}' is no Game, but {type(found).__name__}.")
    return found
