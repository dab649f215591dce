"""Submissions: one choice of one seat, checked, played and written in one statement."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

import msgspec
from uuid_utils.compat import uuid7

from holmgang.app.access import player_seat, viewing_seat
from holmgang.app.errors import (
    AlreadySubmitted,
    GameNotActive,
    IllegalActionRefusal,
    MalformedActionRefusal,
    NotAwaited,
    NotFound,
    NotYours,
    RevisionConflict,
    StaleTurn,
)
from holmgang.app.ports import AccessTable, HistoryTable
from holmgang.app.records.changes import Change, NewSubmission
from holmgang.app.records.contexts import GameCaller, GameRow
from holmgang.app.records.play import DryRun, Receipt
from holmgang.engine import errors as faults
from holmgang.engine.messages import say
from holmgang.engine.rules import AnyRules
from holmgang.engine.turn import Await, Seat

from . import steps
from .archive import need_unarchived
from .deadlines import DeadlineTables, overdue, time_is_up
from .optimistic import read_for_move, write
from .position import Position, as_text, position, rules_of
from .returns import ReturnTables


class CheckTables(AccessTable, DeadlineTables, Protocol): ...


def _decoded(rules: AnyRules, kind: str, value: Any) -> Any:
    try:
        return rules.decode(kind, value)
    except faults.MalformedAction as fault:
        raise MalformedActionRefusal(rules.ruleset, "/action" + fault.pointer, fault.detail) from None
    except faults.IllegalAction as fault:
        raise IllegalActionRefusal(rules.ruleset, fault.rule, fault.detail) from None


def _judged(place: Position[GameRow], seat: Seat, value: Any) -> Any:
    """The decoded action, checked to be legal for this seat now, as a first choice or as a replacement."""
    action = _decoded(place.rules, str(place.row.kind), value)
    fault = place.rules.moves(place.without(seat), seat).why_not(action)
    if fault is not None:
        raise IllegalActionRefusal(place.rules.ruleset, fault.rule, fault.detail)
    return action


def _same(rules: AnyRules, kind: str, seat: Seat, stored: Any, action: Any) -> bool:
    return bool(rules.canonical(seat, rules.decode(kind, stored)) == rules.canonical(seat, action))


def _repeats(rules: AnyRules, seat: Seat, earlier: Receipt, value: Any) -> bool:
    """Whether a late submission repeats the one that was accepted for that turn."""
    try:
        action = rules.decode(earlier.kind, value)
    except (faults.MalformedAction, faults.IllegalAction):
        return False
    return _same(rules, earlier.kind, seat, msgspec.json.decode(earlier.action), action)


def check(tables: CheckTables, secret: str, game: UUID, turn: int, value: Any) -> DryRun:
    """A dry run: whether `submit` would accept this action now. It changes nothing, and ends no turn whose time is
    up."""
    caller, row = read_for_move(tables, secret, game)
    seat = player_seat(caller)
    place = _current(tables, row, turn)
    if time_is_up(row, seat) and (late := overdue(tables, row)) is not None and not late.stopped:
        raise NotAwaited(say("The time for turn {turn} is up.", turn=turn))
    asked = place.asked
    if type(asked) is not Await or seat not in asked.seats:
        raise NotAwaited(say("Turn {turn} does not ask seat {seat}.", turn=turn, seat=seat))
    if seat in place.sealed:
        _sealed_already(tables, place, seat, value)
    else:
        _judged(place, seat, value)
    return DryRun(turn=turn, seat=seat, kind=str(row.kind), action=value)


def submit(tables: ReturnTables, secret: str, game: UUID, turn: int, value: Any) -> tuple[Receipt, bool]:
    """Make a choice. Returns its receipt, and whether it is new: the same choice again returns the same receipt.

    Refusals: StaleTurn, NotAwaited, AlreadySubmitted, MalformedActionRefusal, IllegalActionRefusal, GameNotActive,
    GameArchived and those of `player_seat`.
    """

    def plan(row: GameRow, seat: Seat) -> Change | Receipt:
        if row.status != "active" or turn != row.turn:
            earlier = tables.submission_at(game, turn, seat)
            if earlier is not None and _repeats(rules_of(row), seat, earlier, value):
                return earlier
        place = _current(tables, row, turn)
        asked = place.asked
        if type(asked) is not Await or seat not in asked.seats:
            earlier = tables.submission_at(game, turn, seat)  # of a seat that has resigned since
            if earlier is not None and _repeats(place.rules, seat, earlier, value):
                return earlier
            raise NotAwaited(say("Turn {turn} does not ask seat {seat}.", turn=turn, seat=seat))
        if seat in place.sealed:
            return _sealed_already(tables, place, seat, value)
        action = _judged(place, seat, value)
        return steps.taken(place, asked, seat, value, action, _first_revision(row, seat, value))

    return _receive(tables, secret, game, plan)


def replace(
    tables: ReturnTables, secret: str, game: UUID, ident: UUID, revision: int, turn: int, value: Any
) -> Receipt:
    """Replace a choice while it is sealed. Others cannot notice.

    Refusals: StaleTurn once the turn is resolved, RevisionConflict, and those of `submit`.
    """

    def plan(row: GameRow, seat: Seat) -> Change | Receipt:
        current = _own(tables, game, ident, seat)
        need_unarchived(row)
        if turn != current.turn or row.status != "active" or current.turn != row.turn:
            raise StaleTurn(turn, row.turn if row.status == "active" else None)
        place = _current(tables, row, turn)
        if seat not in place.sealed:
            raise NotAwaited(say("The choice stands: its seat has resigned."))
        action = _judged(place, seat, value)
        if _same(place.rules, current.kind, seat, place.wire[seat], action):
            return current
        if revision != current.revision:
            raise RevisionConflict(revision, current.revision)
        place.wire[seat] = value
        return steps.sealed(
            row,
            place.wire,
            seat,
            NewSubmission(
                id=ident,
                turn=turn,
                kind=current.kind,
                seat=seat,
                revision=revision + 1,
                action=as_text(value),
            ),
            told=(),
        )

    return _receive(tables, secret, game, plan)[0]


def _own(tables: HistoryTable, game: UUID, ident: UUID, seat: Seat) -> Receipt:
    found = tables.submission(game, ident)
    if found is None or found.seat != seat:
        raise NotFound("submission", ident)
    return found


def _current(tables: HistoryTable, row: GameRow, turn: int) -> Position[GameRow]:
    """The position of an active game whose current turn is `turn`."""
    need_unarchived(row)
    if row.status == "open":
        raise GameNotActive(say("The game has not started yet: it waits for players."))
    if row.status != "active" or turn != row.turn:
        raise StaleTurn(turn, row.turn if row.status == "active" else None)
    return position(tables, row)


def _sealed_already(tables: HistoryTable, place: Position[GameRow], seat: Seat, value: Any) -> Receipt:
    current = tables.submission_at(place.row.game, place.row.turn, seat)
    if current is None:
        raise NotAwaited(
            say("Seat {seat} was absent, and turn {turn} has been played for it.", seat=seat, turn=place.row.turn)
        )
    action = _decoded(place.rules, current.kind, value)
    if not _same(place.rules, current.kind, seat, place.wire[seat], action):
        raise AlreadySubmitted(place.row.game, current.id, current.revision)
    return current


def _first_revision(row: GameRow, seat: Seat, value: Any) -> NewSubmission:
    return NewSubmission(id=uuid7(), turn=row.turn, kind=str(row.kind), seat=seat, revision=1, action=as_text(value))


def _receive(
    tables: ReturnTables, secret: str, game: UUID, plan: Callable[[GameRow, Seat], Change | Receipt]
) -> tuple[Receipt, bool]:
    done, at = write(tables, secret, game, plan)
    if isinstance(done, Receipt):
        return done, False
    assert at is not None, "a change that was written has its time"
    return _receipt(done, at), True


def _receipt(change: Change, at: datetime) -> Receipt:
    new = change.submission
    assert new is not None
    return Receipt(
        id=new.id,
        game=change.game,
        turn=new.turn,
        kind=new.kind,
        seat=new.seat,
        revision=new.revision,
        action=msgspec.Raw(new.action),
        received_at=at,
        state="sealed" if change.entry is None else "applied",
    )


def submission(tables: HistoryTable, caller: GameCaller, ident: UUID) -> Receipt:
    """A receipt with its action: one's own at any time, others' once the game is over."""
    found = tables.submission(caller.game, ident)
    if caller.status == "over" and found is not None:
        viewing_seat(caller)
        return found
    seat = player_seat(caller, "read")
    if found is None:
        raise NotFound("submission", ident)
    if found.seat != seat:
        raise NotYours(say("Others' submissions are shown once the game is over."))
    return found
