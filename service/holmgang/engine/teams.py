"""Sides of one seat or of two partners: who stands with whom, and in which order the sides finish."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeAlias

from .turn import Seat

Side: TypeAlias = tuple[Seat, ...]


@lru_cache(maxsize=8)
def partners_across(players: int) -> tuple[Side, ...]:
    """With four, partners face each other: 0 and 2 against 1 and 3. Otherwise each plays alone."""
    return ((0, 2), (1, 3)) if players == 4 else tuple((seat,) for seat in range(players))


@lru_cache(maxsize=32)
def side(players: int, seat: Seat) -> Side:
    """A seat and its partner, of `partners_across`."""
    return next(team for team in partners_across(players) if seat in team)


@lru_cache(maxsize=32)
def enemies(players: int, seat: Seat) -> tuple[Seat, ...]:
    """All seats but those of the seat's side."""
    mine = side(players, seat)
    return tuple(other for other in range(players) if other not in mine)


def ranked(sides: tuple[Side, ...], standing: Callable[[Side], Any]) -> tuple[tuple[Seat, ...], ...]:
    """The seats grouped best first by what `standing` says of their sides; equal sides share a rank (C5, C6)."""
    standings = {team: standing(team) for team in sides}
    return tuple(
        tuple(sorted(seat for team, found in standings.items() if found == key for seat in team))
        for key in sorted(set(standings.values()), reverse=True)
    )
