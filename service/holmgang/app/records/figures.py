"""What operators want to know of all games together."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec


class PoolFigures(msgspec.Struct, frozen=True):
    """A process's connections at one moment."""

    connections: Mapping[str, int]
    """`used` and `idle` ones."""
    awaited: int
    """How many wait for one."""


class Figures(msgspec.Struct, frozen=True):
    """Numbers at one moment, by the database. Those of large tables are the database's own estimates."""

    games: Mapping[str, float]
    """By status."""
    awaited: Mapping[str, float]
    """Choices that are waited for: of a `player`, or of the `service`, which plays for bots and the absent."""
    deliveries: Mapping[str, float]
    """Webhook messages by state."""
    tournaments: Mapping[str, float]
    """By status."""
    analyses: Mapping[str, float]
    """Of games, by status."""
    behind: float
    """Seconds since the oldest deadline that has passed and was not acted on; 0 without one."""
    pulse: float | None
    """Seconds since a worker was last at work; None before the first one."""
