"""How a game says what is true of each of its states."""

from __future__ import annotations


class BrokenInvariant(AssertionError):
    """A state that no game can reach."""


def hold(true: bool, what: str) -> None:
    """Raise BrokenInvariant with `what` unless it is true."""
    if not true:
        raise BrokenInvariant(what)
