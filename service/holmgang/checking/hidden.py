"""The laws about hidden things: what a seat cannot see must not show in anything that it is given.

The pairs of states come from `determinize` with two generators: they agree in all that one seat sees and, mostly,
in nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import msgspec

from holmgang.engine.codec import decode_state, encode_state
from holmgang.engine.errors import IllegalAction, NotAwaited
from holmgang.engine.moves import Rng
from holmgang.engine.rules import AnyRules, Step, play
from holmgang.engine.turn import Await, Chance, Seat

from .walks import MakeRng, Moment, Walk, expect

OUTCOMES = 3
"""So many other outcomes of a step are looked at."""
Reveals = Callable[[Any], bool]
"""Whether an effect tells everybody what was hidden before: cards that are turned over, say. A matter of the game."""


def determinized_fit(
    game: Walk, make_rng: MakeRng, every: int = 1, check: Callable[[Any], object] = lambda _state: None
) -> None:
    """A state drawn from a view gives that very view, and to a spectator what the true state gives them. It passes the
    game's own `check` of states."""
    rules = game.rules
    for number, state in enumerate(game.states(every)):
        public = rules.view(state, None)
        for seat in (None, *range(game.seats)):
            view = rules.view(state, seat)
            drawn = rules.determinize(view, make_rng(number))
            of = f"the view of {_who(seat)}"
            given = rules.view(drawn, seat)
            expect(given == view, f"a state drawn from {of} gives another view: {_difference(given, view)}")
            given = rules.view(drawn, None)
            expect(given == public, f"{of} does not settle what a spectator sees: {_difference(given, public)}")
            expect(decode_state(encode_state(drawn), rules.state_type) == drawn, "a drawn state is not a state")
            expect(rules.turn(drawn) == rules.turn(state), f"a state drawn from {of} is at another turn")
            try:
                check(drawn)
            except AssertionError as broken:
                expect(False, f"no game can reach a state drawn from {of}: {broken}")


def _who(seat: Seat | None) -> str:
    return "a spectator" if seat is None else f"seat {seat}"


def _difference(found: Any, wanted: Any) -> str:
    """The first field in which two views differ."""
    for name in getattr(wanted, "__struct_fields__", ()):
        here, there = getattr(found, name, None), getattr(wanted, name)
        if here != there:
            return f"'{name}' is {here!r}, not {there!r}"
    return f"{found!r}, not {wanted!r}"


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
    other moves are not legal, the errors for moves out of turn, and the redacted effects of the next step, as far as
    none of them reveals something: of the choice that was made, and of a resignation. `pool` holds further actions to
    be tried. Gives the number of next steps that were compared whole.
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
            for step in (partial(_choose, rules, moment), partial(_resign, rules, moment)):
                whole += _step_alike(rules, step, one, two, seat, reveals)
    return whole


def _choose(rules: AnyRules, moment: Moment, state: Any) -> Step[Any, Any]:
    assert moment.seat is not None
    return play(rules, state, moment.seat, moment.action)


def _resign(rules: AnyRules, moment: Moment, state: Any) -> Step[Any, Any]:
    assert moment.seat is not None
    return rules.resign(state, moment.seat)


def _see_alike(rules: AnyRules, one: Any, two: Any, seat: Seat | None) -> None:
    here, there = rules.view(one, seat), rules.view(two, seat)
    who = _who(seat)
    same = msgspec.json.encode(here) == msgspec.json.encode(there)
    expect(same, f"what is hidden from {who} shows in its view: " + ("" if same else _difference(here, there)))
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


def _step_alike(
    rules: AnyRules,
    step: Callable[[Any], Step[Any, Any]],
    one: Any,
    two: Any,
    seat: Seat | None,
    reveals: Reveals,
) -> int:
    """Make the same step in both states where it is legal in both; 1 if nothing was revealed by it."""
    try:
        steps = [step(state) for state in (one, two)]
    except IllegalAction:
        return 0  # the mover's own secrets differ, and in one of the two states this choice is not there
    told = [[rules.redact(effect, seat) for effect in step.effects] for step in steps]
    who = _who(seat)
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
            expect(here == there, f"what is hidden from {_who(seat)} shows after a chance: {here} or {there}")
        states = [step.state for step in steps]
        expect(rules.turn(states[0]) == rules.turn(states[1]), f"what is hidden from {_who(seat)} shows in a turn")


def effects_tell_what_shows(game: Walk, rng: Rng, reveals: Reveals, every: int = 1) -> None:
    """Outcomes of a step that differ in hidden things alone are told alike: no effect says more than the view shows.

    Compared are other chance values, and other choices of others. Effects that tell a seat more than a spectator are
    meant for it, and those that reveal something for all.
    """
    rules = game.rules
    for moment in game.steps(every):
        if moment.resigned is not None:
            continue
        for _ in range(OUTCOMES):
            other = _otherwise(rules, moment, rng)
            for seat in (None, *range(game.seats)):
                if seat is None or seat != moment.seat:
                    _told_alike(rules, moment.step, other, seat, reveals)


def _otherwise(rules: AnyRules, moment: Moment, rng: Rng) -> Step[Any, Any]:
    """What else could have come of a moment."""
    if type(moment.turn) is Chance:
        return rules.resolve(moment.before, rng.randrange(moment.turn.stop))
    assert moment.seat is not None
    return rules.apply(moment.before, moment.seat, rules.moves(moment.before, moment.seat).sample(rng))


def _told_alike(rules: AnyRules, one: Step[Any, Any], two: Step[Any, Any], seat: Seat | None, reveals: Reveals) -> None:
    if one.state == two.state or rules.view(one.state, seat) != rules.view(two.state, seat):
        return
    for pair in zip(one.effects, two.effects, strict=False):
        if any(reveals(effect) or _is_news(rules, effect, seat) for effect in pair):
            return
        here, there = (rules.redact(effect, seat) for effect in pair)
        expect(here == there, f"{_who(seat)} is told what its view does not show: {here} or {there}")


def _is_news(rules: AnyRules, effect: Any, seat: Seat | None) -> bool:
    """Whether a seat is told more of an effect than a spectator: what it has just learnt may differ."""
    return bool(rules.redact(effect, seat) != rules.redact(effect, None))
