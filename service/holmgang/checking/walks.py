"""A walk through a game: random play to its end, step by step, and what is told of it.

Walks take their chance from the caller: rules make no random numbers of their own.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct, field

from holmgang.engine.codec import encode_state, state_hash
from holmgang.engine.errors import IllegalAction
from holmgang.engine.moves import MoveSpace, Rng
from holmgang.engine.replay import Entry
from holmgang.engine.rules import AnyRules, Step, play
from holmgang.engine.turn import Await, Chance, Over, Seat, Turn

from .patience import still_going

MOST_STEPS = 50_000
MakeRng = Callable[[int], Rng]
"""A generator of random numbers from a seed: equal seeds give equal numbers."""


class Moment(Struct, frozen=True, kw_only=True):
    """One step of a walk: who did what in `before`. Exactly one of action, value and resigned is there."""

    before: Any
    turn: Turn
    step: Step[Any, Any]
    seat: Seat | None = None
    action: Any = None
    value: int | None = None
    resigned: Seat | None = None


class Place:
    """How far somebody has come in looking through a walk: the number of the moment that they look at."""

    at = 0

    def visit(self, number: int) -> None:
        self.at = number
        still_going()


class Walk(Struct, frozen=True):
    """A game as far as it was played. `last` is the state where it is over, or where the walk was cut off."""

    rules: AnyRules
    config: Any
    seats: int
    moments: tuple[Moment, ...]
    last: Any
    place: Place = field(default_factory=Place)

    def steps(self, every: int = 1) -> Iterator[Moment]:
        """Every so-many-th moment."""
        yield from self._visited(itertools.islice(enumerate(self.moments), 0, None, every))

    def decisions(self, every: int = 1) -> Iterator[Moment]:
        """Every so-many-th moment at which a seat makes a choice."""
        made = (pair for pair in enumerate(self.moments) if pair[1].action is not None)
        yield from self._visited(itertools.islice(made, 0, None, every))

    def states(self, every: int = 1) -> Iterator[Any]:
        """Every so-many-th state in which somebody is awaited, and the last."""
        asked = (pair for pair in enumerate(self.moments) if type(pair[1].turn) is Await)
        for moment in self._visited(itertools.islice(asked, 0, None, every)):
            yield moment.before
        self.place.visit(len(self.moments))
        yield self.last

    def _visited(self, numbered: Iterable[tuple[int, Moment]]) -> Iterator[Moment]:
        for number, moment in numbered:
            self.place.visit(number)
            yield moment

    def upto(self, number: int) -> Walk:
        """The same game, cut off before a moment."""
        last = self.moments[number].before if number < len(self.moments) else self.last
        return Walk(self.rules, self.config, self.seats, self.moments[:number], last)

    def over(self) -> Over | None:
        """The result; None where the walk was cut off."""
        turn = self.rules.turn(self.last)
        return turn if type(turn) is Over else None


class BrokenPromise(AssertionError):
    """What a law found not to hold, in words that say what was found."""


def expect(holds: object, found: str) -> None:
    if not holds:
        raise BrokenPromise(found)


def refusal(space: MoveSpace[Any], action: Any) -> str:
    """The rule and the sentence with which an action is refused; empty where it is legal."""
    fault = space.why_not(action)
    return "" if fault is None else str(IllegalAction(fault))


def walk(
    rules: AnyRules,
    config: Any,
    rng: Rng,
    *,
    state: Any = None,
    resigning: float = 0.0,
    most: int = MOST_STEPS,
    watch: Callable[[Any], object] | None = None,
    moments: list[Moment] | None = None,
) -> Walk:
    """Play at random until the game is over: uniformly whose choice comes next, `sample` for the choice.

    `state` starts elsewhere than at the beginning. `resigning` is the chance that, before a choice, some seat that
    has not yet resigned resigns. `watch` is called with every state. A walk longer than `most` steps breaks the law
    that random play ends. `moments` takes the walk's moments, for those who want what was played before the rules
    raised something; what was tried then is a note on the exception.
    """
    state = rules.initial(config) if state is None else state
    seats: int = config.seats
    staying = set(range(seats))
    moments = [] if moments is None else moments
    while type(turn := rules.turn(state)) is not Over:
        still_going()
        if watch is not None:
            watch(state)
        expect(len(moments) < most, f"random play did not end within {most} steps")
        if type(turn) is Chance:
            expect(turn.stop > 0, f"chance {turn.label} asks for a number below {turn.stop}")
            value = rng.randrange(turn.stop)
            with _noted("chance gives {} for {}", value, turn.label):
                step = rules.resolve(state, value)
            moments.append(Moment(before=state, turn=turn, value=value, step=step))
        elif resigning and len(staying) > 1 and rng.random() < resigning:
            seat = sorted(staying)[rng.randrange(len(staying))]
            staying.discard(seat)
            with _noted("seat {} resigns", seat):
                step = rules.resign(state, seat)
            moments.append(Moment(before=state, turn=turn, resigned=seat, step=step))
        else:
            assert type(turn) is Await
            expect(turn.seats, f"turn {turn.turn} ({turn.kind}) awaits nobody")
            seat = turn.seats[rng.randrange(len(turn.seats))]
            action = rules.moves(state, seat).sample(rng)
            with _noted("seat {} chooses {}", seat, action):
                step = play(rules, state, seat, action)
            moments.append(Moment(before=state, turn=turn, seat=seat, action=action, step=step))
        state = moments[-1].step.state
    if watch is not None:
        watch(state)
    return Walk(rules, config, seats, tuple(moments), state)


class _noted:  # noqa: N801 # used as a function; a generator for it would slow down random play
    """Notes on what is raised within what was tried."""

    def __init__(self, template: str, *values: Any) -> None:
        self.template, self.values = template, values

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is not None:
            error.add_note(self.template.format(*self.values))


def lines_of(game: Walk) -> list[str]:
    """The walk as lines of JSON, one a moment: `{"seat": 1, "action": {...}}`, `{"chance": "card", "value": 3}` or
    `{"resigned": 1}`. `again` plays them."""
    return [msgspec.json.encode(_line(moment)).decode() for moment in game.moments]


def _line(moment: Moment) -> dict[str, Any]:
    if type(moment.turn) is Chance:
        return {"chance": moment.turn.label, "value": moment.value}
    if moment.resigned is not None:
        return {"resigned": moment.resigned}
    return {"seat": moment.seat, "action": moment.action}


def again(rules: AnyRules, seats: int, options: Mapping[str, Any], lines: Iterable[str]) -> Walk:
    """The walk that `lines_of` wrote down, played again up to there."""
    config = rules.configure(seats, options)
    state, moments = rules.initial(config), []
    for line in lines:
        told, turn = msgspec.json.decode(line), rules.turn(state)
        if "chance" in told:
            moment = Moment(before=state, turn=turn, value=told["value"], step=rules.resolve(state, told["value"]))
        elif "resigned" in told:
            seat = told["resigned"]
            moment = Moment(before=state, turn=turn, resigned=seat, step=rules.resign(state, seat))
        else:
            assert type(turn) is Await
            seat, action = told["seat"], rules.decode(turn.kind, told["action"])
            moment = Moment(before=state, turn=turn, seat=seat, action=action, step=play(rules, state, seat, action))
        moments.append(moment)
        state = moment.step.state
    return Walk(rules, config, seats, tuple(moments), state)


def log_of(game: Walk) -> tuple[tuple[Entry, bytes | None], ...]:
    """The walk as a log, each entry with the state's digest after it; None while sealed choices wait outside it.

    A resignation within a sealed turn is logged at once, with the resigner's own choice, before the others'.
    """
    rows: list[tuple[Entry, bytes | None]] = []
    waiting: dict[Seat, Any] = {}
    chance: list[tuple[str, int]] = []
    head: dict[str, Any] = {"turn": 0}
    for moment in game.moments:
        turn = moment.turn
        state = moment.step.state
        if type(turn) is Chance:
            assert moment.value is not None
            chance.append((turn.label, moment.value))
        elif type(turn) is Await:
            after = game.rules.turn(state)
            wire = msgspec.to_builtins(moment.action)
            if moment.resigned is not None:
                own = {moment.resigned: waiting.pop(moment.resigned)} if moment.resigned in waiting else {}
                head = {"turn": turn.turn, "resigned": moment.resigned, "actions": own, "kind": turn.kind}
                done = not waiting or type(after) is not Await or after.turn != turn.turn
                if done and waiting:
                    early = Entry(turn=turn.turn, kind=turn.kind if own else None, actions=tuple(own.items()),
                                  resigned=moment.resigned)  # fmt: skip
                    rows.append((early, None))
                    head = {"turn": turn.turn, "kind": turn.kind, "actions": dict(waiting)}
                    waiting.clear()
                    if type(after) is Over:
                        return tuple(rows)
            else:
                assert moment.seat is not None
                waiting[moment.seat] = wire
                if type(after) is Await and after.turn == turn.turn:
                    continue
                head = {"turn": turn.turn, "kind": turn.kind, "actions": dict(waiting)}
                waiting.clear()
        if type(game.rules.turn(state)) is Chance:
            continue
        actions = tuple(sorted(head.get("actions", {}).items()))
        entry = Entry(
            turn=head["turn"],
            kind=head.get("kind") if actions else None,
            actions=actions,
            resigned=head.get("resigned"),
            chance=tuple(chance),
        )
        rows.append((entry, None if waiting else state_hash(state)))
        chance.clear()
    return tuple(rows)


def fingerprint(game: Walk) -> str:
    """A digest of all states, effects, combats and views of a walk: equal in every process and on every machine."""
    digest = hashlib.blake2b(digest_size=32)
    for moment in game.moments:
        digest.update(encode_state(moment.step.state))
        digest.update(msgspec.json.encode(moment.step.effects) + msgspec.json.encode(moment.step.combats))
    for state in game.states(every=7):
        for seat in (None, *range(game.seats)):
            digest.update(msgspec.json.encode(game.rules.view(state, seat)))
    return digest.hexdigest()
