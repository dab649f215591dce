"""Turns whose deadline has passed.

A missed turn ends at once. Each seat that owes a choice plays the rules' default; in games where absence forfeits, the
late seat resigns instead, unless no other side would be left to win. From then on the service plays for the absent seat
as soon as it is asked, until its player returns.

Where seats have clocks of their own, those alone are late whose clock has run out, and the turn goes on for the others.

While no person is present, the game waits: nobody is kept waiting by who is late, and a choice that comes is taken. If
no person can return because all have resigned, the bots play it to its end. They also finish games whose clock runs:
rated ones, so that nobody escapes a loss by going away, and those that ask for it, to try a bot against the clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

import msgspec

from holmgang.app.ports import ChangesTable, HistoryTable, SeatsTable
from holmgang.app.records.absence import FORFEIT
from holmgang.app.records.changes import Change
from holmgang.app.records.contexts import GameRow
from holmgang.app.records.games import SeatHolder
from holmgang.app.records.play import HouseEvent
from holmgang.engine.turn import Seat

from . import steps
from .position import Position, position

OUTAGE_SECONDS = 10.0
"""If the last pulse is older than this, no worker was there to keep deadlines, or the database's clock has jumped. Then
nobody is late: the next pulse puts the deadlines off."""


class DeadlineTables(ChangesTable, HistoryTable, SeatsTable, Protocol): ...


def anybody_present(holders: Sequence[SeatHolder]) -> bool:
    """Whether some person, neither absent nor resigned, still plays."""
    return any(h.bot is None and h.absent_since is None and h.resigned_at is None for h in holders)


def goes_on(row: GameRow, holders: Sequence[SeatHolder], gone: Sequence[Seat] = ()) -> bool:
    """Whether the game is played on once the `gone` are no longer present: for a person who is there, or to its end if
    its clock runs or no person can return."""
    persons = [h for h in holders if h.bot is None]
    if row.clock_runs or all(h.resigned_at is not None for h in persons):
        return bool(persons) or row.of_tournament
    return anybody_present([h for h in persons if h.seat not in gone])


def overdue(tables: DeadlineTables, row: GameRow) -> Change | None:
    """The change that ends the current turn, if its deadline has passed; None otherwise."""
    if not row.late or row.status != "active":
        return None
    place = position(tables, row)
    holders = tables.holders(row.game)
    awaited = place.awaited()
    if row.clocks is not None:
        awaited = tuple(seat for seat in awaited if time_is_up(row, seat)) or awaited
    late = tuple(h.seat for h in holders if h.seat in awaited and h.bot is None and h.absent_since is None)
    if row.absence == FORFEIT and late and _others_left(place, holders, late):
        return msgspec.structs.replace(steps.resigned(place, late[0], place.awaited(), "seat_forfeited"), late=True)
    if not goes_on(row, holders, late):
        return steps.deserted(row, late)
    return msgspec.structs.replace(_by_default(place, awaited, late), absent=late, late=True)


def time_is_up(row: GameRow, seat: Seat) -> bool:
    """Whether a seat is late in a game that is: where seats have clocks of their own, those that run out first are."""
    if not row.late:
        return False
    if row.clocks is None:
        return True
    until = row.clocks[seat].deadline
    return until is not None and row.deadline is not None and until <= row.deadline


def _others_left(place: Position[GameRow], holders: Sequence[SeatHolder], late: Sequence[Seat]) -> bool:
    """Whether some side that is still in the game has no late seat."""
    playing = {h.seat for h in holders if h.resigned_at is None}
    sides = [side for side in place.rules.teams(place.row.seat_count) if playing.intersection(side)]
    return any(not set(late).intersection(side) for side in sides)


def _by_default(place: Position[GameRow], awaited: tuple[Seat, ...], late: tuple[Seat, ...]) -> Change:
    """Play the rules' default for each of the seats, and so end the turn if no other owes a choice; `late` seats become
    absent."""
    turn = place.row.turn
    defaults = {seat: place.rules.default(place.without(seat), seat) for seat in awaited}
    wire = {seat: msgspec.to_builtins(action) for seat, action in defaults.items()}
    if awaited != place.awaited():
        return steps.defaulted(place, wire, late)
    told = [HouseEvent(type="seat_absent", seat=seat) for seat in late]
    told += [HouseEvent(type="choice_defaulted", seat=seat) for seat in awaited]
    return steps.resolved(
        place,
        {**place.sealed, **defaults},
        {**place.wire, **wire},
        preface=tuple(steps.house_event(turn, event) for event in told),
    )


def end_overdue_turns(tables: DeadlineTables, row: GameRow) -> tuple[GameRow, bool]:
    """End the turns of a locked game whose time is up. Returns its row, and whether any turn ended."""
    ended = False
    while (change := overdue(tables, row)) is not None:
        assert tables.write(change) is not None, "its row is locked"
        row, ended = locked_row(tables, row.game), True
    return row, ended


def locked_row(tables: DeadlineTables, game: UUID) -> GameRow:
    row = tables.game_row(game, lock=True)
    assert row is not None, "it was there before"
    return row


def expire(tables: DeadlineTables, game: UUID) -> bool:
    """End the current turn of a game if its deadline has passed, and return whether it had. In a transaction."""
    row = tables.game_row(game, lock=True)
    change = None if row is None else overdue(tables, row)
    if change is not None:
        assert tables.write(change) is not None, "its row is locked"
    return change is not None
