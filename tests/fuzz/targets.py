"""What a fuzzer led by coverage calls: bytes in, and nothing but the declared refusals out.

An input of `actions` is a line `ruleset/kind`, then an action as JSON; one of `records` is a record's JSON.
"""

from __future__ import annotations

import functools
import json
import random
from typing import Any

import msgspec

from holmgang import registry
from holmgang.api.operation.input import read_json
from holmgang.api.problems.faults import MalformedRequest
from holmgang.app.fairness.claims import Unreadable, read_record
from holmgang.app.fairness.verify import verify
from holmgang.engine.errors import IllegalAction, MalformedAction
from holmgang.engine.replay import settle
from holmgang.engine.rules import AnyRules, Step, play
from holmgang.engine.turn import Await
from tests.unit.records import Scribe

GAMES = 6
"""How many games are played at random to meet every kind of turn."""


@functools.cache
def positions() -> dict[str, tuple[AnyRules, Any, int]]:
    """By `ruleset/kind` a state in the middle of a game, and a seat that is asked there."""
    found: dict[str, tuple[AnyRules, Any, int]] = {}
    for game in registry.games():
        rules, tried = game.rules, game.laws.options
        for number in range(GAMES):
            rng = random.Random(number)
            seats = sorted(rules.seat_counts)[number % len(rules.seat_counts)]

            def draw(label: str, stop: int, rng: random.Random = rng) -> int:
                return rng.randrange(stop)

            options = tried[number % len(tried)]
            state = settle(rules, Step(rules.initial(rules.configure(seats, options)), ()), draw).step.state
            while type(turn := rules.turn(state)) is Await:
                for seat in turn.seats:
                    name = f"{rules.ruleset}/{turn.kind}"
                    if name not in found or rng.random() < 0.1:
                        found[name] = rules, state, seat
                    state = play(rules, state, seat, rules.moves(state, seat).sample(rng)).state
                state = settle(rules, Step(state, ()), draw).step.state
    assert {f"{rules.ruleset}/{kind}" for rules in registry.all_latest() for kind in rules.turn_kinds} == set(found)
    return found


def actions(data: bytes) -> None:
    """An action is read as a request's body is, judged at a position of its kind, and played if it is legal."""
    head, _, text = data.partition(b"\n")
    place = positions().get(head.decode("latin-1"))
    if place is None:
        return
    rules, state, seat = place
    kind = head.decode().partition("/")[2]
    try:
        value = read_json(text)
    except MalformedRequest:
        return
    try:
        action = rules.decode(kind, value)
    except (MalformedAction, IllegalAction):
        return
    wire = msgspec.to_builtins(action)
    assert rules.decode(kind, wire) == action, "an action is what it is written as"
    assert rules.decode(kind, json.loads(msgspec.json.encode(action))) == action
    rules.canonical(seat, action)
    fault = rules.moves(state, seat).why_not(action)
    if fault is None:
        play(rules, state, seat, action)
    else:
        assert fault.rule
        assert fault.detail


def records(data: bytes) -> None:
    """A record is read and verified; whatever it says, there is a verdict, or a sentence why there is none."""
    try:
        verdict = verify(read_record(data))
    except Unreadable:
        return
    assert verdict.holds == (verdict.difference is None)
    msgspec.json.encode(verdict)


TARGETS = {"actions": actions, "records": records}


def seeds(target: str) -> list[bytes]:
    """Inputs to begin with: legal actions of every kind, or whole records of short games of every ruleset."""
    rng = random.Random(1)
    if target == "actions":
        return [
            f"{name}\n".encode() + msgspec.json.encode(rules.moves(state, seat).sample(rng))
            for name, (rules, state, seat) in sorted(positions().items())
            for _ in range(3)
        ]
    found = []
    for rules in registry.all_latest():
        scribe = Scribe(rules, min(rules.seat_counts), 0).play(5)
        while not scribe.over:
            scribe.resign()
            scribe.play(1)
        found.append(msgspec.json.encode(scribe.record()))
    return found
