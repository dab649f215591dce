"""Idle games: archived, not deleted, and as they were when a player returns.

Whatever grows a game's version touches it: seats taken and left, choices, missed deadlines, resignations, returns. The
replacement of a sealed choice does not, or the archive would reveal it. A game with a deadline is never idle, however
far off the deadline is: nobody escapes a loss in a rated game by waiting.
"""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from holmgang.app.errors import GameArchived
from holmgang.app.play import steps
from holmgang.app.play.position import position
from holmgang.app.ports import ArchiveTable, ChangesTable, HistoryTable
from holmgang.app.records.contexts import GameRow
from holmgang.app.records.play import HouseEvent
from holmgang.engine.messages import say
from holmgang.engine.turn import Seat


class RevivalTables(ArchiveTable, ChangesTable, HistoryTable, Protocol): ...


def archive(tables: ArchiveTable, days: int, limit: int) -> int:
    """Look at up to `limit` games that may be idle, archive those that nobody has touched for so many days, and return
    how many were looked at. One statement: a game is archived once, however many workers look."""
    return tables.archive(days, limit, "game_archived")


def need_unarchived(row: GameRow) -> None:
    if row.status != "archived":
        return
    if row.started:
        raise GameArchived(
            say(
                "Nobody touched the game for a long time, so it is archived. One of its players revives it by "
                "returning to their seat."
            )
        )
    raise GameArchived(
        say(
            "Nobody touched the game for a long time, so it is archived. One of its players revives it by returning to "
            "their seat, and anybody by taking a free one."
        )
    )


def revive(tables: RevivalTables, row: GameRow, seat: Seat, at: datetime) -> GameRow:
    """Let a locked, archived game go on where it stood: seats that owed a choice are asked again and have the whole
    time. Returns the row as it is now. `seat` is the seat of the player who returns."""
    asked = position(tables, row).awaited() if row.started else ()
    steps.append_event(tables, row, HouseEvent(type="game_revived", seat=seat), at)
    tables.revive(row.game, row.turn, row.kind, asked, at)
    revived = tables.game_row(row.game, lock=True)
    assert revived is not None, "its row is locked"
    return revived
