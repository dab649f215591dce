"""The laws about play that every game keeps, as functions over a walk through a game.

A law returns nothing when it holds and raises AssertionError with the broken promise otherwise. Laws about what is
hidden are in `hidden`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

import msgspec

from holmgang.engine.codec import decode_state, encode_state, state_hash
from holmgang.engine.moves import Rng
from holmgang.engine.replay import Entry, replay
from holmgang.engine.rules import AnyRules, Step, play
from holmgang.engine.turn import Await, Chance, Over, Seat

from .walks import Moment, Walk, expect, log_of, refusal, walk


def play_ends(game: Walk) -> None:
    """The end has a score for each seat and ranks each seat once."""
    over = game.over()
    if over is None:
        return
    expect(len(over.scores) == game.seats, f"{len(over.scores)} scores for {game.seats} seats")
    ranked = sorted(itertools.chain.from_iterable(over.ranking))
    expect(ranked == list(range(game.seats)), f"the ranking {over.ranking} is not one of {game.seats} seats")
    expect(all(over.ranking), "the ranking has an empty group")
    expect(over.reason, "the end has no reason")


def turns_count_up(game: Walk) -> None:
    """Asked turns count 1, 2, 3...; a chance shows the last asked one; within a turn the awaited only get fewer."""
    asked = 0
    awaited: frozenset[Seat] = frozenset()
    resigned: set[Seat] = set()
    resignations = False
    for moment in game.steps():
        turn = moment.turn
        if type(turn) is Chance:
            expect(turn.turn == asked, f"chance {turn.label} shows turn {turn.turn} after turn {asked}")
            continue
        assert type(turn) is Await
        expect(turn.turn in (asked, asked + 1), f"turn {turn.turn} follows turn {asked}")
        if turn.turn == asked:
            fewer = frozenset(turn.seats) < awaited
            same = frozenset(turn.seats) == awaited and resignations
            expect(fewer or same, f"turn {asked} awaits {turn.seats} after {sorted(awaited)}")
        expect(turn.sealed or len(turn.seats) == 1, f"open turn {turn.turn} awaits {turn.seats}")
        expect(not resigned & set(turn.seats), f"turn {turn.turn} awaits a seat that resigned: {turn.seats}")
        expect(turn.kind in game.rules.turn_kinds, f"unknown turn kind {turn.kind}")
        asked, awaited, resignations = turn.turn, frozenset(turn.seats), moment.resigned is not None
        if moment.resigned is not None:
            resigned.add(moment.resigned)


def values_round_trip(game: Walk, every: int = 1) -> None:
    """States, effects, combats, actions and views come back equal from their encoded forms."""
    rules = game.rules
    for state in (moment.before for moment in game.steps(every)):
        again = decode_state(encode_state(state), rules.state_type)
        expect(again == state, "a state changes on its way through the codec")
        expect(state_hash(again) == state_hash(state), "a state's digest changes on its way through the codec")
        for seat in (None, *range(game.seats)):
            view = rules.view(state, seat)
            expect(_through_json(view, rules.view_type) == view, f"the view of {seat} changes on its way through JSON")
    for moment in game.steps(every):
        for effect in moment.step.effects:
            expect(_through_json(effect, rules.effect_type) == effect, f"{effect} changes on its way through JSON")
        for combat in moment.step.combats:
            expect(_through_json(combat, rules.combat_type) == combat, f"{combat} changes on its way through JSON")
    for moment in game.decisions():
        assert type(moment.turn) is Await
        wire = msgspec.to_builtins(moment.action)
        decoded = rules.decode(moment.turn.kind, msgspec.json.decode(msgspec.json.encode(wire)))
        expect(decoded == moment.action, f"{moment.action} decodes to {decoded}")
        assert moment.seat is not None
        plain = rules.canonical(moment.seat, decoded)
        expect(
            rules.canonical(moment.seat, plain) == plain,
            f"the canonical form of {moment.action} has another canonical form",
        )


def _through_json(value: Any, kind: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value), type=kind)


def log_replays(game: Walk) -> None:
    """The log, read back from JSON, leads through the same states."""
    rows = log_of(game)
    entries = [msgspec.json.decode(msgspec.json.encode(entry), type=Entry) for entry, _ in rows]
    replayed = zip(replay(game.rules, game.config, entries), rows, strict=True)
    for number, ((entry, played), (_, digest)) in enumerate(replayed):
        if digest is not None:
            expect(state_hash(played.step.state) == digest, f"log row {number} ({entry}) leads to another state")


def samples_are_legal(game: Walk, rng: Rng, every: int = 1) -> None:
    """What is sampled, and the default action, is in the space, and no rule forbids it. The grammar is JSON."""
    for moment in game.decisions(every):
        for seat in moment.turn.seats if type(moment.turn) is Await else ():
            space = game.rules.moves(moment.before, seat)
            for action in (space.sample(rng), game.rules.default(moment.before, seat)):
                expect(space.why_not(action) is None, f"{action} is refused: {refusal(space, action)}")
                expect(action in space, f"{action} is not in the space it comes from")
            msgspec.json.encode(space.grammar())


def iteration_agrees(game: Walk, most: int = 500, every: int = 1) -> None:
    """A space of up to `most` actions yields exactly `count()` of them, all different and legal, always alike."""
    for moment in game.decisions(every):
        assert moment.seat is not None
        space = game.rules.moves(moment.before, moment.seat)
        count = space.count()
        if count is None or count > most:
            continue
        listed = list(space)
        plain = {msgspec.json.encode(game.rules.canonical(moment.seat, action)) for action in listed}
        expect(len(listed) == count, f"{len(listed)} actions are listed, {count} are counted")
        expect(len(plain) == count, f"{count} actions are listed, {len(plain)} of them different")
        for action in listed:
            expect(space.why_not(action) is None, f"{action} is listed, but refused: {refusal(space, action)}")
        expect(list(game.rules.moves(moment.before, moment.seat)) == listed, "the order of listing changes")


def sampling_reaches_all(game: Walk, rng: Rng, most: int = 20, every: int = 1) -> None:
    """Each action of a space of up to `most` comes out, sooner or later, when the space is sampled."""
    for moment in game.decisions(every):
        assert moment.seat is not None
        space = game.rules.moves(moment.before, moment.seat)
        count = space.count()
        if count is None or count > most:
            continue
        missing = {msgspec.json.encode(game.rules.canonical(moment.seat, action)) for action in space}
        for _ in range(200 * count):
            missing.discard(msgspec.json.encode(game.rules.canonical(moment.seat, space.sample(rng))))
            if not missing:
                break
        expect(not missing, f"{sorted(missing)} never come out of {200 * count} samples")


def sealed_order_is_free(game: Walk, rng: Rng, every: int = 1) -> None:
    """The order in which sealed choices come in changes neither state nor effects nor combats."""
    seen: set[int] = set()
    for moment in game.decisions(every):
        turn = moment.turn
        assert type(turn) is Await
        if not turn.sealed or len(turn.seats) < 2 or turn.turn in seen:
            continue
        seen.add(turn.turn)
        choices = {seat: game.rules.moves(moment.before, seat).sample(rng) for seat in turn.seats}
        orders = (turn.seats, turn.seats[::-1], turn.seats[1:] + turn.seats[:1])
        first, *others = [_submit(game.rules, moment.before, ((s, choices[s]) for s in order)) for order in orders]
        for other in others:
            expect(state_hash(other.state) == state_hash(first.state), f"turn {turn.turn}: order changes the state")
            expect(other == first, f"turn {turn.turn}: order changes effects or combats")


def _submit(rules: AnyRules, state: Any, choices: Iterable[tuple[Seat, Any]]) -> Step[Any, Any]:
    effects: tuple[Any, ...] = ()
    combats: tuple[Any, ...] = ()
    for seat, action in choices:
        expect(not effects, "a sealed choice has effects before the last one is in")
        step = play(rules, state, seat, action)
        state, effects, combats = step.state, step.effects, step.combats
    return Step(state, effects, combats)


def resignation_is_safe(game: Walk, rng: Rng, every: int = 1) -> None:
    """From any moment a seat may resign: the game goes on to its end without it, and it does not win (C6)."""
    for moment in game.steps(every):
        seat = rng.randrange(game.seats)
        state = game.rules.resign(moment.before, seat).state
        rest = walk(game.rules, game.config, rng, state=state)
        for later in rest.moments:
            awaited = later.turn.seats if type(later.turn) is Await else ()
            expect(seat not in awaited, f"seat {seat} is awaited after it resigned")
        over = game.rules.turn(rest.last)
        assert type(over) is Over
        expect(seat not in over.ranking[0], f"seat {seat} resigned and won: {over}")


def last_seat_wins(game: Walk, rng: Rng, every: int = 1) -> None:
    """When all seats but one resign, the game is over and that seat has won (C7)."""
    for moment in game.steps(every):
        state, staying = moment.before, list(range(game.seats))
        while len(staying) > 1 and type(game.rules.turn(state)) is not Over:
            state = game.rules.resign(state, staying.pop(rng.randrange(len(staying)))).state
            while type(turn := game.rules.turn(state)) is Chance:
                state = game.rules.resolve(state, rng.randrange(turn.stop)).state
        over = game.rules.turn(state)
        expect(type(over) is Over, f"seats {staying} are left and the game goes on: {over}")
        assert type(over) is Over
        expect(set(over.ranking[0]) & set(staying), f"{over.ranking[0]} won although only {staying} stayed")


def combats_are_numbered(game: Walk) -> None:
    """Combats count 1, 2, 3...; one that is over stays as it is; none is open when the game is."""
    known: dict[int, Any] = {}
    for moment in game.steps():
        for combat in moment.step.combats:
            expect(combat.number <= len(known) + 1, f"combat {combat.number} follows combat {len(known)}")
            before = known.get(combat.number)
            closed = before is not None and before.status != "open"
            expect(not closed or before == combat, f"combat {combat.number} changes after it was over")
            expect(combat.status in ("open", "resolved", "abandoned"), f"unknown status {combat.status}")
            ends = type(game.rules.turn(moment.step.state)) is Over
            expect(combat.status != "abandoned" or ends, f"combat {combat.number} is abandoned and the game goes on")
            known[combat.number] = combat
    expect(sorted(known) == list(range(1, len(known) + 1)), f"numbers of combats have gaps: {sorted(known)}")
    still = [number for number, combat in known.items() if combat.status == "open"]
    expect(not still or game.over() is None, f"combats {still} are still open at the end")


def states_stay(game: Walk, every: int = 1) -> None:
    """What the rules are given they leave as it is, and what they are asked twice they answer alike."""
    rules = game.rules
    for moment in game.steps(every):
        state = moment.before
        kept = encode_state(state)
        for seat in (None, *range(game.seats)):
            view = rules.view(state, seat)
            shown = msgspec.json.encode(view)
            expect(rules.view(state, seat) == view, f"one state gives two views to {seat}")
            rules.render(view)
            expect(msgspec.json.encode(view) == shown, f"to show a view of {seat} as text changes it")
        for seat in moment.turn.seats if type(moment.turn) is Await else ():
            rules.moves(state, seat).count()
            rules.default(state, seat)
        expect(encode_state(state) == kept, "a state is changed by those who look at it")
        steps = [_once_more(rules, moment) for _ in range(2)]
        expect(encode_state(state) == kept, "a state is changed by the step that leaves it")
        for step in steps:
            expect(encode_state(step.state) == encode_state(moment.step.state), "the same step leads to two states")
            expect(step == moment.step, "the same step has two effects")


def _once_more(rules: AnyRules, moment: Moment) -> Step[Any, Any]:
    if moment.value is not None:
        return rules.resolve(moment.before, moment.value)
    if moment.resigned is not None:
        return rules.resign(moment.before, moment.resigned)
    assert moment.seat is not None
    return rules.apply(moment.before, moment.seat, moment.action)
