"""A walk through a game: random play to its end, step by step, and what is told of it.

Walks take their chance from the caller: rules make no random numbers of their own.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec import Struct

from service.engine.codec import encode_state, state_hash
from service.engine.moves import Rng
from service.engine.replay import Entry
from service.engine.rules import AnyRules, Step, play
from service.engine.turn import Await, Chance, Over, Seat, Turn

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


class Walk(Struct, frozen=True):
    """A game played to its end. `last` is the state where it is over."""

    rules: AnyRules
    config: Any
    seats: int
    moments: tuple[Moment, ...]
    last: Any

    def decisions(self, every: int = 1) -> Iterator[Moment]:
        """Every so-many-th moment at which a seat makes a choice."""
        return itertools.islice((m for m in self.moments if m.action is not None), 0, None, every)

    def states(self, every: int = 1) -> Iterator[Any]:
        """Every so-many-th state in which somebody is awaited, and the last."""
        asked = (m.before for m in self.moments if type(m.turn) is Await)
        yield from itertools.islice(asked, 0, None, every)
        yield self.last


def expect(holds: object, promise: str) -> None:
    if not holds:
        raise AssertionError(promise)


def walk(
    rules: AnyRules,
    config: Any,
    rng: Rng,
    *,
    state: Any = None,
    resigning: float = 0.0,
    most: int = 50_000,
    watch: Callable[[Any], object] | None = None,
) -> Walk:
    """Play at random until the game is over: uniformly whose choice comes next, `sample` for the choice.

    `state` starts elsewhere than at the beginning. `resigning` is the chance that, before a choice, some seat that
    has not yet resigned resigns. `watch` is called with every state. A walk longer than `most` steps breaks the law
    that random play ends.
    """
    state = rules.initial(config) if state is None else state
    seats: int = config.seats
    staying = set(range(seats))
    moments: list[Moment] = []
    while type(turn := rules.turn(state)) is not Over:
        if watch is not None:
            watch(state)
        expect(len(moments) < most, f"random play did not end within {most} steps")
        if type(turn) is Chance:
            expect(turn.stop > 0, f"chance {turn.label} asks for a number below {turn.stop}")
            value = rng.randrange(turn.stop)
            moments.append(Moment(before=state, turn=turn, value=value, step=rules.resolve(state, value)))
        elif resigning and len(staying) > 1 and rng.random() < resigning:
            seat = sorted(staying)[rng.randrange(len(staying))]
            staying.discard(seat)
            moments.append(Moment(before=state, turn=turn, resigned=seat, step=rules.resign(state, seat)))
        else:
            assert type(turn) is Await
            expect(turn.seats, f"turn {turn.turn} ({turn.kind}) awaits nobody")
            seat = turn.seats[rng.randrange(len(turn.seats))]
            action = rules.moves(state, seat).sample(rng)
            step = play(rules, state, seat, action)
            moments.append(Moment(before=state, turn=turn, seat=seat, action=action, step=step))
        state = moments[-1].step.state
    if watch is not None:
        watch(state)
    return Walk(rules, config, seats, tuple(moments), state)


def log_of(game: Walk) -> tuple[tuple[Entry, bytes | None], ...]:
    """The walk as a log, each entry with the state's digest after it; None while sealed choices wait outside it.

    A resignation within a sealed turn is logged at once, with the resigner's own choice, before the others'.
    """
    rows: list[tuple[Entry, bytes | None]] = []
    waiting: dict[Seat, Any] = {}
    chance: list[tuple[str, int]] = []
    head: dict[str, Any] = {"turn": 0}
    for moment, following in zip(game.moments, (*game.moments[1:], None), strict=True):
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
        if following is not None and type(following.turn) is Chance:
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
