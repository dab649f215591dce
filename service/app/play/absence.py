"""Who does not come: turns whose deadline has passed, seats that are played for the absent, and their return.

The turn that was missed is ended at once: by the rules' default for each seat that owes a choice, or, in games where
absence forfeits, by their resignation, unless that would let one of them win by another's. From then on an absent seat
is played as soon as it is asked, until it returns.
While no person is present nothing is played, until one returns. Where none can, all having resigned, the bots play the
game to its end; and so they do with rated games, so that nobody gets out of a loss by going away.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol
from uuid import UUID

import msgspec
from uuid_utils.compat import uuid7

from service.app.access import need_visible
from service.app.accounts.tokens import need, need_free
from service.app.errors import GameNotActive, NotFound, NotYours
from service.app.ports import AccessTable, ArchiveTable, ChangesTable, Clock, HistoryTable, SeatsTable
from service.app.records.absence import DEFAULT, FORFEIT
from service.app.records.changes import Change, NewSubmission
from service.app.records.contexts import GameRow
from service.app.records.games import SeatHolder
from service.app.records.play import HouseEvent, Task
from service.app.records.players import Principal
from service.engine import errors as faults
from service.engine.messages import say
from service.engine.rules import AnyRules
from service.engine.turn import Await, Seat

from . import steps
from .archive import revive
from .position import Position, as_text, position

OUTAGE_SECONDS = 10.0
"""A worker's pulse older than this means that no worker was there to keep deadlines, or that the database's clock has
jumped. Nobody is late then: the next pulse puts the deadlines off."""


class OwnSeatTables(AccessTable, SeatsTable, Protocol): ...


class DeadlineTables(ChangesTable, HistoryTable, SeatsTable, Protocol): ...


class ReturnTables(DeadlineTables, AccessTable, ArchiveTable, Clock, Protocol): ...


def anybody_present(holders: Sequence[SeatHolder]) -> bool:
    """Whether some person, neither absent nor resigned, still plays."""
    return any(h.bot is None and h.absent_since is None and h.resigned_at is None for h in holders)


def _goes_on(row: GameRow, holders: Sequence[SeatHolder], gone: Sequence[Seat] = ()) -> bool:
    """Whether a game with these holders is played when the `gone` are no longer present: for a person's sake, or to
    its end, where none can return to it or it is to be rated."""
    persons = [h for h in holders if h.bot is None]
    if row.rated or all(h.resigned_at is not None for h in persons):
        return bool(persons)
    return anybody_present([h for h in persons if h.seat not in gone])


def overdue(tables: DeadlineTables, row: GameRow) -> Change | None:
    """What follows when the deadline of the current turn has passed; None while it has not."""
    if not row.late or row.status != "active":
        return None
    place = position(tables, row)
    holders = tables.holders(row.game)
    awaited = place.awaited()
    late = tuple(h.seat for h in holders if h.seat in awaited and h.bot is None and h.absent_since is None)
    if row.absence == FORFEIT and late and _others_left(place, holders, late):
        return msgspec.structs.replace(steps.resigned(place, late[0], awaited, "seat_forfeited"), late=True)
    if not _goes_on(row, holders, late):
        return steps.deserted(row, late)
    return msgspec.structs.replace(_by_default(place, awaited, late), absent=late, late=True)


def _others_left(place: Position[GameRow], holders: Sequence[SeatHolder], late: Sequence[Seat]) -> bool:
    """Whether a side that is still in the game has nobody among the late ones."""
    playing = {h.seat for h in holders if h.resigned_at is None}
    sides = [side for side in place.rules.teams(place.row.seat_count) if playing.intersection(side)]
    return any(not set(late).intersection(side) for side in sides)


def _by_default(place: Position[GameRow], awaited: tuple[Seat, ...], late: tuple[Seat, ...]) -> Change:
    """The turn is ended by the default of each seat that owes a choice; `late` ones become absent by it."""
    turn = place.row.turn
    defaults = {seat: place.rules.default(place.without(seat), seat) for seat in awaited}
    wire = {seat: msgspec.to_builtins(action) for seat, action in defaults.items()}
    told = [HouseEvent(type="seat_absent", seat=seat) for seat in late]
    told += [HouseEvent(type="choice_defaulted", seat=seat) for seat in awaited]
    return steps.resolved(
        place,
        {**place.sealed, **defaults},
        {**place.wire, **wire},
        preface=tuple(steps.house_event(turn, event) for event in told),
    )


def _settled(tables: DeadlineTables, row: GameRow) -> tuple[GameRow, bool]:
    """The row, which is locked, when all is ended that the clock has; and whether anything was."""
    ended = False
    while (change := overdue(tables, row)) is not None:
        assert tables.write(change) is not None, "its row is locked"
        row, ended = _locked(tables, row.game), True
    return row, ended


def _locked(tables: DeadlineTables, game: UUID) -> GameRow:
    row = tables.game_row(game, lock=True)
    assert row is not None, "it was there before"
    return row


def expire(tables: DeadlineTables, game: UUID) -> bool:
    """End the current turn of a game if its deadline has passed; whether it had. In a transaction."""
    row = tables.game_row(game, lock=True)
    change = None if row is None else overdue(tables, row)
    if change is not None:
        assert tables.write(change) is not None, "its row is locked"
    return change is not None


def seen_by(tables: DeadlineTables, task: Task) -> Position[GameRow] | None:
    """The position that a task is about; None where its turn has passed meanwhile, or its player has returned."""
    row = tables.game_row(task.game, lock=False)
    return None if row is None else _still_asked(tables, task, row)


def _still_asked(tables: DeadlineTables, task: Task, row: GameRow) -> Position[GameRow] | None:
    if row.status != "active" or row.turn != task.turn or tables.played_by(task.game, task.seat) != task.by:
        return None
    place = position(tables, row)
    return place if task.seat in place.awaited() else None


def choice(place: Position[GameRow], task: Task, choose: Callable[[AnyRules, Any], Any]) -> Any:
    """The action for a task as a JSON value; `choose` is a bot, which is given the rules and its seat's view."""
    rules, seat = place.rules, task.seat
    if task.by == DEFAULT:
        return msgspec.to_builtins(rules.default(place.without(seat), seat))
    return msgspec.to_builtins(choose(rules, rules.view(place.state, seat)))


def check(place: Position[GameRow], task: Task, value: Any) -> None:
    """Raise MalformedAction or IllegalAction where the choice is not what its seat may choose.

    It is also tried, so that what the rules then fail on is raised here, with no row locked, and is never sealed.
    """
    rules, state = place.rules, place.without(task.seat)
    action = rules.decode(str(place.row.kind), value)
    fault = rules.moves(state, task.seat).why_not(action)
    if fault is not None:
        raise faults.IllegalAction(fault)
    rules.apply(state, task.seat, action)


def carry_out(tables: DeadlineTables, task: Task, value: Any, *, defaulted: bool = False) -> bool:
    """Make the choice of a task, unless the turn has passed meanwhile, its player has returned, or nobody is there any
    more; whether it was made. In a transaction.

    Bots get a receipt like any player, unless they could not choose and are `defaulted`. A seat that is played in
    absence never looks as if it had submitted.
    """
    row = tables.game_row(task.game, lock=True)
    place = None if row is None else _still_asked(tables, task, row)
    if row is None or place is None:
        return False
    holders = tables.holders(task.game)
    holder = next(h for h in holders if h.seat == task.seat)
    there = holder.bot is None and holder.absent_since is None  # returned to an older release, which left the task
    if there or not _goes_on(row, holders):
        return False
    asked = place.asked
    assert type(asked) is Await, "it awaits the seat"
    receipt = None
    if holder.bot is not None and not defaulted:
        receipt = NewSubmission(
            id=uuid7(), turn=row.turn, kind=str(row.kind), seat=task.seat, revision=1, action=as_text(value)
        )
    action = place.rules.decode(str(row.kind), value)
    change = steps.taken(place, asked, task.seat, value, action, receipt)
    return tables.write(msgspec.structs.replace(change, late=True)) is not None


def return_to_seat(tables: ReturnTables, principal: Principal, game: UUID, seat: Seat) -> bool:
    """Return from absence, or to an archived game, which goes on by it; whether anything came of it. In a transaction.

    What the clock has ended is ended first, in the absence of who returns, and that stands if it ended the game.
    """
    need(principal, "play")
    _good_for(principal, game, seat)
    need_visible(tables, principal.player, game)
    row = tables.game_row(game, lock=True)
    if row is None:
        raise NotFound("game", game)
    holder = _own(tables.holders(game), principal, seat)
    row, ended = _settled(tables, row)
    if ended:
        holder = _own(tables.holders(game), principal, seat)
    if row.status not in ("active", "archived") or holder.resigned_at is not None:
        refusal = GameNotActive(say("One returns to a running or archived game that one has not resigned from."))
        refusal.stands = ended
        raise refusal
    if holder.absent_since is not None:
        end_absence(tables, row, seat)
        return True
    if row.status == "archived":
        revive(tables, row, seat, tables.now())
        return True
    return False


def end_absence(tables: ReturnTables, row: GameRow, seat: Seat, *, chooses: bool = False) -> GameRow:
    """End the absence of a seat in a game whose row is locked, by a choice or before one, and give the row as it is
    now.

    What the seat owes is its own from now on, with the whole time of the turn, unless it was played for it already; and
    so is the turn of a game that stood still.
    """
    anew = tables.awaits(row.game, seat) or not _goes_on(row, tables.holders(row.game))
    at = tables.now()
    tables.end_absence(row.game, seat, at, anew=anew, chooses=chooses)
    if row.status == "archived":
        row = revive(tables, row, seat, at)
    steps.append_event(tables, row, HouseEvent(type="seat_returned", seat=seat), at)
    return _locked(tables, row.game)


def own_seat(tables: OwnSeatTables, principal: Principal, game: UUID, seat: Seat) -> SeatHolder:
    """Who holds this seat, refused to everybody else."""
    _good_for(principal, game, seat)
    need_visible(tables, principal.player, game)
    return _own(tables.holders(game), principal, seat)


def _good_for(principal: Principal, game: UUID, seat: Seat) -> None:
    """Refuse tokens that are limited to another seat."""
    if (principal.game, principal.seat) != (game, seat):
        need_free(principal)


def _own(holders: Sequence[SeatHolder], principal: Principal, seat: Seat) -> SeatHolder:
    holder = next((h for h in holders if h.seat == seat), None)
    if holder is None:
        raise NotFound("seat", seat)
    if holder.player != principal.player:
        raise NotYours(say("This seat is another player's."))
    return holder
