"""On what terms a game is played, before there is a game."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from .absence import DEFAULT
from .games import ClockForm, Visibility


class Terms(Struct, frozen=True, kw_only=True):
    """All but how many play, and who. As a game's own facts say them."""

    ruleset: str
    options: dict[str, Any] = {}
    visibility: Visibility = "public"
    spectators: bool = True
    turn_seconds: int | None = None
    bank_seconds: int | None = None
    increment_seconds: int | None = None
    leave_days: int | None = None
    absence: str = DEFAULT
    clock: ClockForm | None = None
    """None: as is usual, which is `runs` in a rated game and `waits` in others."""
    rated: bool = False
