"""Boards as pictures: what `view` shows, drawn by the rules."""

from __future__ import annotations

from holmgang.app.play.position import rules_of
from holmgang.app.ports import HistoryTable
from holmgang.app.records.contexts import ViewContext
from holmgang.engine.messages import Tongue
from holmgang.engine.turn import Seat

from . import history, queries


def picture(tables: HistoryTable, context: ViewContext, theme: str, tongue: Tongue) -> str:
    """The board as an SVG document for the caller's seat, or for a spectator; refused where there is no view."""
    return rules_of(context.snapshot).picture(queries.view(tables, context), theme, tongue)


def picture_at(
    tables: HistoryTable, context: ViewContext, theme: str, tongue: Tongue, at: int, as_seat: Seat | None
) -> str:
    """The board of a finished game as it was after a row of the log."""
    seen = history.view_at(tables, context, at, as_seat)
    return rules_of(context.snapshot).picture(seen, theme, tongue)


def picture_after(tables: HistoryTable, context: ViewContext, theme: str, tongue: Tongue, turn: int) -> str:
    """The board as the caller saw it once a turn had ended."""
    seen = history.view_after(tables, context, turn)
    return rules_of(context.snapshot).picture(seen, theme, tongue)
