"""What a game is waiting for: a choice of one or more seats, a chance value, or nothing any more."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

Seat: TypeAlias = int
"""A position at the table, numbered from 0 clockwise (C1)."""


class Await(Struct, frozen=True, tag="await"):
    """A turn (C2): `seats` still owe a choice of `kind`. Turns count from 1, one per asked decision."""

    turn: int
    kind: str
    seats: tuple[Seat, ...]
    sealed: bool


class Chance(Struct, frozen=True, tag="chance"):
    """A value in `range(stop)` is needed before play goes on (C4). `turn` is the last asked one, 0 before the first."""

    turn: int
    label: str
    stop: int


class Over(Struct, frozen=True, tag="over"):
    """The result. `ranking` groups seats best first; those of a group share a rank (C5, C6).

    The first group has won. `scores` has one entry a seat. `reason` is a code of the ruleset.
    """

    scores: tuple[int, ...]
    ranking: tuple[tuple[Seat, ...], ...]
    reason: str


Turn: TypeAlias = Await | Chance | Over
