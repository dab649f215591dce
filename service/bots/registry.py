"""The built-in bots by name."""

from __future__ import annotations

from .base import NAMES, Bot
from .chancer import RandomBot


def find(name: str) -> Bot:
    """A bot of `NAMES`."""
    assert name in NAMES
    return RandomBot()
