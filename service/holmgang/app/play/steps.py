"""From a step of the rules to the change that the store writes: log row, events, combats, who is awaited."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

import msgspec

from holmgang.app.fairness.dice import Dice, canonical_json, next_head
from holmgang.app.fairness.results import result_of
from holmgang.app.ports import ChangesTable
from holmgang.app.records.changes import Change, NewEvent, NewSubmission
from holmgang.app.records.contexts import GameRow, GameSnapshot
from holmgang.app.records.play import HouseEvent, HouseEventType
from holmgang.engine.codec import encode_state, state_hash
from holmgang.engine.replay import Entry, Played, perform
from holmgang.engine.rules import AnyRules
from holmgang.engine.turn import Await, Over, Seat

from .position import Position, as_text


def events_of(rules: AnyRules, seats: int, turn: int, effects: Iterable[Any]) -> tuple[NewEvent, ...]:
    """Effects as events: what everyone may see, and what single seats may see instead."""
    events = []
    for effect in effects:
        public = rules.redact(effect, None)
        if public is effect:
            events.append(NewEvent(turn, as_text(effect)))
            continue
        own = {}
        for seat in range(seats):
            seen = rules.redact(effect, seat)
            if seen != public:
                own[str(seat)] = seen
        events.append(NewEvent(turn, as_text(public), as_text(own) if own else None))
    return tuple(events)


def house_event(turn: int, event: HouseEvent) -> NewEvent:
    """An event of the service itself, such as a seat taken; all of it public."""
    return NewEvent(turn, as_text(event))


def append_event(tables: ChangesTable, row: GameRow, event: HouseEvent, at: datetime) -> None:
    """Append an event of the service itself to a game, whose row is locked."""
    tables.append_events(row.game, row.version + 1, (house_event(row.turn, event),), at)


def sealed(
    row: GameRow, wire: dict[Seat, Any], seat: Seat, submission: NewSubmission | None, told: tuple[NewEvent, ...]
) -> Change:
    """A choice that is kept until the others are in. If it replaces another, nothing is `told`, and only its own seat
    notices."""
    return _unresolved(
        row,
        told,
        pending=as_text(sorted(wire.items())),
        released=(seat,) if told else (),
        submission=submission,
        noticed_by=None if told else seat,
    )


def defaulted(place: Position[GameRow], wire: dict[Seat, Any], absent: tuple[Seat, ...]) -> Change:
    """A sealed default for each of these seats, whose clocks have run out, while others still have time: `wire` holds
    the defaults."""
    row = place.row
    told = [HouseEvent(type="seat_absent", seat=seat) for seat in absent]
    told += [HouseEvent(type="choice_defaulted", seat=seat) for seat in wire]
    change = _unresolved(
        row,
        tuple(house_event(row.turn, event) for event in told),
        pending=as_text(sorted((place.wire | wire).items())),
        released=tuple(wire),
        absent=absent,
    )
    return msgspec.structs.replace(change, late=True)


def deserted(row: GameRow, absent: tuple[Seat, ...]) -> Change:
    """With these seats absent no person is present: the turn stays as it is, and its clock stops.

    An event says so in any case, since clients that poll must learn that there is no deadline any more.
    """
    gone = (house_event(row.turn, HouseEvent(type="seat_absent", seat=seat)) for seat in absent)
    events = (*gone, house_event(row.turn, HouseEvent(type="clock_stopped")))
    return msgspec.structs.replace(_unresolved(row, events, absent=absent), late=True, stopped=True)


def _unresolved(
    row: GameRow,
    events: tuple[NewEvent, ...],
    *,
    pending: str | None = None,
    released: tuple[Seat, ...] = (),
    submission: NewSubmission | None = None,
    noticed_by: Seat | None = None,
    absent: tuple[Seat, ...] = (),
) -> Change:
    """A change in the middle of a turn: neither the log nor the snapshot is touched."""
    stops = tuple(seat for seat in running(row) if seat in (*released, *absent))
    return Change(
        game=row.game,
        writes=row.writes,
        status=row.status,
        turn=row.turn,
        kind=row.kind,
        state=row.state,
        pending=row.pending if pending is None else pending,
        version=row.version + len(events) + _charged(row, stops),
        entries=row.entries,
        draws=row.draws,
        head=row.head,
        entry=None,
        state_hash=None,
        events=events,
        combats=(),
        asked=(),
        released=released,
        result=None,
        submission=submission,
        noticed_by=noticed_by,
        absent=absent,
        stops=stops,
    )


def running(row: GameSnapshot) -> tuple[Seat, ...]:
    """The seats whose own clocks run."""
    return tuple(seat for seat, clock in enumerate(row.clocks or ()) if clock.since is not None)


def _charged(row: GameSnapshot, stops: tuple[Seat, ...]) -> int:
    """How many events tell of their banks."""
    return len(stops) if row.clocks and row.clocks[0].bank_ms is not None else 0


def taken(
    place: Position[GameRow], asked: Await, seat: Seat, value: Any, action: Any, submission: NewSubmission | None
) -> Change:
    """The change that an accepted choice makes: it is sealed, or it resolves the turn. A choice without a `submission`
    is made by the service for an absent player or for a bot that failed, and an event says so."""
    wire = {**place.wire, seat: value}
    open_still = any(s not in wire for s in asked.seats)
    preface: tuple[NewEvent, ...] = ()
    if submission is None:
        preface = (house_event(asked.turn, HouseEvent(type="choice_defaulted", seat=seat)),)
    elif asked.sealed or open_still:
        preface = (house_event(asked.turn, HouseEvent(type="choice_sealed", seat=seat)),)
    if open_still:
        return sealed(place.row, wire, seat, submission, preface)
    return resolved(place, {**place.sealed, seat: action}, wire, submission=submission, preface=preface)


def resolved(
    place: Position[GameRow],
    chosen: dict[Seat, Any],
    wire: dict[Seat, Any],
    *,
    submission: NewSubmission | None = None,
    preface: tuple[NewEvent, ...] = (),
) -> Change:
    """The end of a turn for which all choices are there: decoded in `chosen`, as JSON values in `wire`."""
    row = place.row
    dice = Dice(row.seed, row.entropy, row.draws)
    played = perform(place.rules, place.logged, sorted(chosen.items(), key=_by_seat), None, dice.draw)
    return settled(
        place.rules,
        row,
        played,
        dice,
        actions=tuple(sorted(wire.items(), key=_by_seat)),
        awaited=place.awaited(),
        submission=submission,
        preface=preface,
    )


def _by_seat(choice: tuple[Seat, Any]) -> Seat:
    return choice[0]


def settled(
    rules: AnyRules,
    row: GameRow,
    played: Played,
    dice: Dice,
    *,
    actions: tuple[tuple[Seat, Any], ...] = (),
    keeps: dict[Seat, Any] | None = None,
    resigned: Seat | None = None,
    gone: tuple[Seat, ...] = (),
    awaited: tuple[Seat, ...] = (),
    submission: NewSubmission | None = None,
    preface: tuple[NewEvent, ...] = (),
) -> Change:
    """A step that the log keeps.

    `awaited` are the seats asked before it, `keeps` the sealed choices still pending after it. With `resigned`, `gone`
    are the seat and its partners.
    """
    state = played.step.state
    entry = Entry(
        turn=row.turn,
        kind=row.kind if actions else None,
        actions=actions,
        resigned=resigned,
        chance=played.chance,
    )
    logged = canonical_json(msgspec.to_builtins(entry))
    digest = state_hash(state)
    events = preface + events_of(rules, row.seat_count, row.turn, played.step.effects)
    turn = rules.turn(state)
    goes_on = type(turn) is Await and turn.turn == row.turn
    asked = tuple(s for s in turn.seats if s not in (keeps or {})) if type(turn) is Await else ()
    over = turn if type(turn) is Over else None
    stops = tuple(seat for seat in running(row) if not (goes_on and seat in asked))
    return Change(
        game=row.game,
        writes=row.writes,
        status="over" if over else "active",
        turn=turn.turn if type(turn) is Await else row.turn,
        kind=turn.kind if type(turn) is Await else None,
        state=encode_state(state),
        pending="[]" if over else as_text(sorted((keeps or {}).items())),
        version=row.version + len(events) + _charged(row, stops),
        entries=row.entries + 1,
        draws=dice.drawn,
        head=next_head(row.head, logged, digest),
        entry=logged.decode(),
        state_hash=digest,
        events=events,
        combats=tuple((c.number, c.status, as_text(c)) for c in played.step.combats),
        asked=asked,
        released=tuple(s for s in awaited if s not in asked),
        result=result_of(over) if over else None,
        submission=submission,
        resigned=resigned,
        gone=gone,
        stops=stops,
    )


def resigned(
    place: Position[GameRow], seat: Seat, awaited: tuple[Seat, ...], told: HouseEventType | None = None
) -> Change:
    """The seat and its partners give up (C6); `told` names an event of the service's own that says so first."""
    row = place.row
    side = next(team for team in place.rules.teams(row.seat_count) if seat in team)
    played_now = {s: a for s, a in place.sealed.items() if s in side}
    keeps = {s: w for s, w in place.wire.items() if s not in side}
    if awaited and all(s in side for s in awaited):
        # Nobody else is to choose: their going resolves the turn with what the others have sealed.
        played_now, keeps = dict(place.sealed), {}
    dice = Dice(row.seed, row.entropy, row.draws)
    played = perform(place.rules, place.logged, sorted(played_now.items()), seat, dice.draw)
    return settled(
        place.rules,
        row,
        played,
        dice,
        actions=tuple((s, place.wire[s]) for s in sorted(played_now)),
        keeps=keeps,
        resigned=seat,
        gone=side,
        awaited=awaited,
        preface=() if told is None else (house_event(row.turn, HouseEvent(type=told, seat=seat)),),
    )
