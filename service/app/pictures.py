"""Boards as pictures: what `view` shows, drawn by the rules."""

from __future__ import annotations

from . import queries
from .ports import Tables
from .position import rules_of
from .values import Sight


def picture(tables: Tables, sight: Sight, theme: str) -> str:
    """The board as an SVG document for the caller's seat, or for a spectator; refused where there is no view."""
    seen = queries.view(tables, sight)
    return rules_of(sight.desk).picture(seen, theme)
