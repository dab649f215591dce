"""Who does not come: turns whose deadline has passed, seats that are played for the absent, and their return.

The turn that was missed is ended at once: by the rules' default for each seat that owes a choice, or, in games where
absence forfeits, by their resignation. From then on an absent seat is played as soon as it is asked, until it returns.
While no person is present nothing is played.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

import msgspec
from uuid_utils.compat import uuid7

from service.bots.base import NAMES
from service.engine.replay import perform
from service.engine.rules import AnyRules
from service.engine.turn import Await, Seat

from . import steps
from .accounts import need, need_free
from .dice import Dice
from .errors import GameNotActive, NotFound, NotYours
from .leaving import resignation
from .ports import Tables
from .position import Position, as_text, position
from .values import Change, Desk, NewSubmission, Principal, SeatHolder, Task

FORFEIT = "forfeit"
DEFAULT = "default"
FORMS = (DEFAULT, FORFEIT, *(f"bot:{name}" for name in NAMES))
"""What a game may do with its absent seats."""


def anybody_present(holders: Sequence[SeatHolder]) -> bool:
    """Whether some person, neither absent nor resigned, still plays."""
    return any(h.bot is None and h.absent_since is None and h.resigned_at is None for h in holders)


def missed(tables: Tables, desk: Desk) -> Change | None:
    """What follows when the deadline of the current turn has passed; None where nobody is left to go on for."""
    place = position(tables, desk)
    holders = tables.holders(desk.game)
    awaited = place.awaited()
    late = tuple(h.seat for h in holders if h.seat in awaited and h.bot is None and h.absent_since is None)
    if desk.absence == FORFEIT and late:
        change = resignation(place, late[0], awaited, "seat_forfeited")
        return msgspec.structs.replace(change, late=True)
    others = [h for h in holders if h.seat not in late]
    if late and not anybody_present(others):
        return _paused(desk, late)
    defaults = {seat: place.rules.default(place.without(seat), seat) for seat in awaited}
    return _played(place, {**place.sealed, **defaults}, awaited, absent=late)


def _paused(desk: Desk, late: tuple[Seat, ...]) -> Change:
    """The last person has gone: the seats are absent, the turn stays, its clock stops."""
    events = tuple(steps.house_event(desk.turn, "seat_absent", seat=seat) for seat in late)
    return steps.unsettled(desk, events, absent=late)


def _played(place: Position, chosen: dict[Seat, Any], awaited: tuple[Seat, ...], *, absent: tuple[Seat, ...]) -> Change:
    desk = place.desk
    dice = Dice(desk.seed, desk.entropy, desk.draws)
    played = perform(place.rules, place.logged, sorted(chosen.items(), key=lambda each: each[0]), None, dice.draw)
    wire = {**place.wire, **{seat: msgspec.to_builtins(chosen[seat]) for seat in awaited}}
    preface = tuple(steps.house_event(desk.turn, "seat_absent", seat=seat) for seat in absent) + tuple(
        steps.house_event(desk.turn, "choice_defaulted", seat=seat) for seat in awaited
    )
    change = steps.settled(
        place.rules,
        desk,
        played,
        dice,
        actions=tuple(sorted(wire.items())),
        awaited=awaited,
        preface=preface,
    )
    return msgspec.structs.replace(change, absent=absent, late=True)


def expire(tables: Tables, game: UUID) -> bool:
    """End the current turn of a game if its deadline has passed; whether it had. In a transaction."""
    desk = tables.desk(game, lock=True)
    if desk is None or desk.status != "active" or not desk.late:
        return False
    change = missed(tables, desk)
    if change is not None:
        assert tables.write(change) is not None, "its row is locked"
    return True


def seen_by(tables: Tables, task: Task) -> Position | None:
    """The position that a task is about; None where its turn has passed meanwhile."""
    desk = tables.desk(task.game, lock=False)
    if desk is None or desk.status != "active" or desk.turn != task.turn:
        return None
    place = position(tables, desk)
    return place if task.seat in place.awaited() else None


def choice(place: Position, task: Task, choose: Callable[[AnyRules, Any], Any]) -> Any:
    """The action for a task as a JSON value; `choose` is a bot, which is given the rules and its seat's view."""
    rules, seat = place.rules, task.seat
    if task.by == DEFAULT:
        return msgspec.to_builtins(rules.default(place.without(seat), seat))
    return msgspec.to_builtins(choose(rules, rules.view(place.state, seat)))


def carry_out(tables: Tables, task: Task, value: Any) -> bool:
    """Make the choice of a task, unless the turn has passed meanwhile; whether it was made. In a transaction.

    Bots get a receipt like any player; a seat that is played in absence never looks as if it had submitted.
    """
    desk = tables.desk(task.game, lock=True)
    if desk is None or desk.status != "active" or desk.turn != task.turn:
        return False
    place = position(tables, desk)
    asked = place.asked
    if type(asked) is not Await or task.seat not in place.awaited():
        return False
    receipt = None
    if task.by != DEFAULT and not _absent(tables, task):
        receipt = NewSubmission(
            id=uuid7(), turn=desk.turn, kind=str(desk.kind), seat=task.seat, revision=1, action=as_text(value)
        )
    action = place.rules.decode(str(desk.kind), value)
    change = steps.taken(place, asked, task.seat, value, action, receipt)
    return tables.write(msgspec.structs.replace(change, late=True)) is not None


def _absent(tables: Tables, task: Task) -> bool:
    holder = next(h for h in tables.holders(task.game) if h.seat == task.seat)
    return holder.absent_since is not None


def come_back(tables: Tables, principal: Principal, game: UUID, seat: Seat) -> bool:
    """Return from absence; whether one was absent. In a transaction.

    From the next turn on; at once where the game stood still for want of anybody.
    """
    need(principal, "play")
    need_free(principal)
    desk = tables.desk(game, lock=True)
    if desk is None:
        raise NotFound("game", game)
    holders = tables.holders(game)
    holder = next((h for h in holders if h.seat == seat), None)
    if holder is None:
        raise NotFound("seat", seat)
    if holder.player != principal.player:
        raise NotYours("This seat is another player's.")
    if desk.status != "active" or holder.resigned_at is not None:
        raise GameNotActive("One returns to a running game that one has not resigned from.")
    if holder.absent_since is None:
        return False
    tables.come_back(game, seat, at_once=not anybody_present(holders))
    tables.tell(game, desk.version + 1, (steps.house_event(desk.turn, "seat_returned", seat=seat),))
    return True
