"""Games that nobody touches: archived, never deleted, and as they were when somebody comes back.

A game is touched by whatever grows its version: seats taken and left, choices, missed deadlines, resignations, returns.
The replacement of a sealed choice does not, or others could tell from the archive that there was one. While a deadline
is running a game is not idle, however far off it is: a loser must not get out of a rated game by waiting.
"""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from service.app.errors import GameArchived
from service.app.play import steps
from service.app.play.position import position
from service.app.ports import ArchiveTable, ChangesTable, HistoryTable
from service.app.records.contexts import GameRow
from service.app.records.play import HouseEvent
from service.engine.messages import say
from service.engine.turn import Seat


class RevivalTables(ArchiveTable, ChangesTable, HistoryTable, Protocol): ...


def archive(tables: ArchiveTable, days: int, limit: int) -> int:
    """Archive the games that nobody has touched for so many days, of at most `limit` that may be such; how many were
    looked at. One statement, which stands alone: a game is archived once, whoever else looks."""
    return tables.archive(days, limit, "game_archived")


def need_unarchived(row: GameRow) -> None:
    if row.status != "archived":
        return
    if row.started:
        raise GameArchived(
            say(
                "Nobody touched the game for a long time, so it is archived. One of its players revives it by "
                "returning to his seat."
            )
        )
    raise GameArchived(
        say(
            "Nobody touched the game for a long time, so it is archived. One of its players revives it by returning to "
            "his seat, and anybody by taking a free one."
        )
    )


def revive(tables: RevivalTables, row: GameRow, seat: Seat, at: datetime) -> GameRow:
    """Let an archived game, whose row is locked, go on where it stood: who owed a choice is asked anew and has the
    whole time. Gives the row as it is now. `seat` is the one whose player comes."""
    asked = position(tables, row).awaited() if row.started else ()
    steps.append_event(tables, row, HouseEvent(type="game_revived", seat=seat), at)
    tables.revive(row.game, row.turn, row.kind, asked, at)
    revived = tables.game_row(row.game, lock=True)
    assert revived is not None, "its row is locked"
    return revived
