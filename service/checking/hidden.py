"""The laws about hidden things: what a seat cannot see must not show in anything that it is given.

The pairs of states come from `determinize` with two generators: they agree in all that one seat sees and, mostly,
in nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from service.engine.codec import decode_state, encode_state
from service.engine.errors import IllegalAction, NotAwaited
from service.engine.rules import AnyRules, Step, play
from service.engine.turn import Await, Chance, Seat

from .walks import MakeRng, Moment, Walk, expect

Reveals = Callable[[Any], bool]
"""Whether an effect tells everybody what was hidden before: cards that are turned over, say. A matter of the game."""


def determinized_fit(game: Walk, make_rng: MakeRng, every: int = 1) -> None:
    """A state drawn from a view gives that very view, and to a spectator what the true state gives him."""
    rules = game.rules
    for number, state in enumerate(game.states(every)):
        public = rules.view(state, None)
        for seat in (None, *range(game.seats)):
            view = rules.view(state, seat)
            drawn = rules.determinize(view, make_rng(number))
            expect(rules.view(drawn, seat) == view, f"a state drawn from the view of {seat} gives it another view")
            expect(rules.view(drawn, None) == public, f"the view of {seat} does not settle what a spectator sees")
            expect(decode_state(encode_state(drawn), rules.state_type) == drawn, "a drawn state is not a state")
            expect(rules.turn(drawn) == rules.turn(state), f"a state drawn from the view of {seat} is at another turn")


def redaction_keeps_effects(game: Walk) -> None:
    """Nobody is spared an effect: a shell of the same type remains. A spectator is told no more than any seat."""
    rules = game.rules
    for moment in game.moments:
        for effect in moment.step.effects:
            public = rules.redact(effect, None)
            expect(type(public) is type(effect), f"a spectator sees {type(effect).__name__} as {public!r}")
            expect(rules.redact(public, None) == public, f"a second redaction changes {public}")
            for seat in range(game.seats):
                seen = rules.redact(effect, seat)
                expect(type(seen) is type(effect), f"seat {seat} sees {type(effect).__name__} as {seen!r}")
                expect(rules.redact(seen, seat) == seen, f"a second redaction changes {seen}")
                expect(rules.tell(seen), f"there are no words for {seen}")
                expect(rules.redact(seen, None) == public, f"a spectator is told of {effect} what seat {seat} is not")


def spectators_know_least(game: Walk, make_rng: MakeRng, every: int = 1) -> None:
    """What a spectator sees says nothing about what only one seat sees: no view names another seat's secrets.

    Two states drawn from a spectator's view differ in every hidden thing, and still give the same public view, the
    same turn and the same context.
    """
    rules = game.rules
    for number, state in enumerate(game.states(every)):
        view = rules.view(state, None)
        one, two = (rules.determinize(view, make_rng(2 * number + n)) for n in (0, 1))
        _see_alike(rules, one, two, None)


def hidden_things_do_not_show(
    game: Walk, make_rng: MakeRng, reveals: Reveals, every: int = 1, pool: Iterable[Any] = ()
) -> int:
    """Two states that differ only in what a seat cannot see look alike to it, now and after the next step.

    Alike are view, turn, context, the legal moves (count, listing where short, samples, bounds), the reasons why
    other moves are not legal, the errors for moves out of turn, and the redacted effects of the next step as far as
    none of them reveals something. `pool` holds further actions to be tried. Gives the number of next steps that were
    compared whole.
    """
    rules = game.rules
    tried = [m.action for m in game.decisions(max(1, len(game.moments) // 60))] + list(pool)
    whole = 0
    for number, moment in enumerate(game.decisions(every)):
        for seat in (None, *range(game.seats)):
            view = rules.view(moment.before, seat)
            one, two = (rules.determinize(view, make_rng(2 * number + n)) for n in (0, 1))
            _see_alike(rules, one, two, seat)
            if seat is not None:
                _move_alike(rules, one, two, seat, tried, make_rng, number)
            whole += _step_alike(rules, one, two, seat, moment, reveals)
    return whole


def _see_alike(rules: AnyRules, one: Any, two: Any, seat: Seat | None) -> None:
    here, there = rules.view(one, seat), rules.view(two, seat)
    who = "a spectator" if seat is None else f"seat {seat}"
    expect(msgspec.json.encode(here) == msgspec.json.encode(there), f"what is hidden from {who} shows in its view")
    expect(rules.turn(one) == rules.turn(two), f"what is hidden from {who} shows in the turn")
    if type(rules.turn(one)) is Await:
        context = [msgspec.json.encode(rules.context(view)) for view in (here, there)]
        expect(context[0] == context[1], f"what is hidden from {who} shows in the context")
    expect(rules.render(here) == rules.render(there), f"what is hidden from {who} shows in the picture")


def _move_alike(
    rules: AnyRules, one: Any, two: Any, seat: Seat, tried: list[Any], make_rng: MakeRng, number: int
) -> None:
    hint = f"what is hidden from seat {seat} shows in"
    turn = rules.turn(one)
    if type(turn) is Await and seat in turn.seats:
        here, there = rules.moves(one, seat), rules.moves(two, seat)
        count = here.count()
        expect(count == there.count(), f"{hint} the number of its moves")
        if count is not None and count <= 60:
            expect(list(here) == list(there), f"{hint} its moves")
        bounds = [msgspec.json.encode(space.grammar()) for space in (here, there)]
        expect(bounds[0] == bounds[1], f"{hint} the bounds of its moves")
        samples = [
            [space.sample(rng) for _ in range(3)] for space, rng in ((s, make_rng(number)) for s in (here, there))
        ]
        expect(samples[0] == samples[1], f"{hint} the samples of its moves")
        expect(rules.default(one, seat) == rules.default(two, seat), f"{hint} its default")
    for action in tried:
        expect(_refusal(rules, one, seat, action) == _refusal(rules, two, seat, action), f"{hint} an error")


def _refusal(rules: AnyRules, state: Any, seat: Seat, action: Any) -> tuple[str, ...]:
    """The error for an action, as a seat is told it; the action's kind is checked as for actions off the wire."""
    turn = rules.turn(state)
    try:
        if type(turn) is Await:
            action = rules.decode(turn.kind, msgspec.to_builtins(action))
        play(rules, state, seat, action)
    except NotAwaited as error:
        return ("not awaited", str(error))
    except IllegalAction as error:
        return ("illegal", error.rule, error.detail)
    return ("accepted",)


def _step_alike(rules: AnyRules, one: Any, two: Any, seat: Seat | None, moment: Moment, reveals: Reveals) -> int:
    """Make the moment's move in both states where it is legal in both; 1 if nothing was revealed by it."""
    assert moment.seat is not None
    try:
        steps = [play(rules, state, moment.seat, moment.action) for state in (one, two)]
    except IllegalAction:
        return 0  # the mover's own secrets differ, and in one of the two states he has not this choice
    told = [[rules.redact(effect, seat) for effect in step.effects] for step in steps]
    who = "a spectator" if seat is None else f"seat {seat}"
    for here, there, effect in zip(told[0], told[1], steps[0].effects, strict=False):
        if reveals(effect) or _is_news(rules, effect, seat):
            return 0
        expect(here == there, f"what is hidden from {who} shows in an effect: {here} or {there}")
    expect(len(told[0]) == len(told[1]), f"what is hidden from {who} shows in how many effects there are")
    expect(steps[0].combats == steps[1].combats, f"what is hidden from {who} shows in a combat")
    _see_alike(rules, steps[0].state, steps[1].state, seat)
    _chance_alike(rules, steps, seat, reveals)
    return 1


def _chance_alike(rules: AnyRules, steps: list[Step[Any, Any]], seat: Seat | None, reveals: Reveals) -> None:
    """After equal steps the same chance values are asked for, and lead to the same public effects."""
    states = [step.state for step in steps]
    while type(turn := rules.turn(states[0])) is Chance:
        steps = [rules.resolve(state, turn.stop // 2) for state in states]
        for pair in zip(steps[0].effects, steps[1].effects, strict=False):
            if any(reveals(effect) or _is_news(rules, effect, seat) for effect in pair):
                return
            here, there = (rules.redact(effect, seat) for effect in pair)
            expect(here == there, f"what is hidden from {seat} shows after a chance: {here} or {there}")
        states = [step.state for step in steps]
        expect(rules.turn(states[0]) == rules.turn(states[1]), f"what is hidden from {seat} shows in a turn")


def _is_news(rules: AnyRules, effect: Any, seat: Seat | None) -> bool:
    """Whether a seat is told more of an effect than a spectator: what it has just learnt may differ."""
    return bool(rules.redact(effect, seat) != rules.redact(effect, None))
