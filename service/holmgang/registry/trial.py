"""`python -m holmgang.registry.trial NAME`: some moves of a package's game, in a process of their own.

Whoever tries games starts this (`trying.py`) and reads its report: a line before each thing that is
tried, and at the end `well`, or `fault` with what is wrong. A process that ends or is stopped before has come as far as
its last line says.
"""

from __future__ import annotations

import os
import resource
import sys
import traceback
from collections.abc import Callable
from random import Random
from typing import Any, TextIO

import msgspec

from holmgang.engine.codec import decode_state, encode_state, state_hash
from holmgang.engine.legal import legal
from holmgang.engine.palette import THEMES
from holmgang.engine.rulebook import read_rules
from holmgang.engine.rules import AnyRules, Step, play
from holmgang.engine.turn import Await, Chance, Over

from .discovery import candidates, examine, told

STEPS = 40
"""So many steps of a game are made: choices and chance values."""
EVERY = 8
"""After so many the whole table is looked at."""
SEED = 1
MEMORY = 2 << 30
"""Bytes that a game may take while it is tried, where the system keeps count: the machine has others to serve."""
WELL, FAULT = "well", "fault "


class Failed(Exception):
    """What is wrong, in words that go on after `was left out:`."""


class Trial:
    """One game, tried; what is being done is written to `report`."""

    def __init__(self, name: str, report: TextIO) -> None:
        self._name, self._report = name, report
        self._where = ""
        self._rng = Random(SEED)  # noqa: S311 # a trial is to be repeatable

    def _do(self, what: str, do: Callable[..., Any], *arguments: Any) -> Any:
        self._report.write(f"{what}{self._where}\n")
        self._report.flush()
        try:
            return do(*arguments)
        except (Exception, SystemExit) as raised:
            traceback.print_exc()
            raise Failed(
                f"its game '{self._name}' failed when it was tried, in {what}{self._where}: {told(raised)}"
            ) from None

    def _need(self, right: bool, what: str) -> None:
        if not right:
            raise Failed(f"its game '{self._name}' failed when it was tried: {what}{self._where}")

    def run(self) -> None:
        """Try everything that a service needs of the game. Raises Failed."""
        candidate, fault = next((each, fault) for each, fault in candidates() if each.name == self._name)
        game = None
        if fault is None:
            self._report.write("its import\n")
            self._report.flush()
            game, fault = examine(candidate)
        if game is None:
            raise Failed(fault)
        self._do("its rulebook", lambda: read_rules(game.rulebook))
        judge = self._do("its judge", lambda: game.judge)
        for rules in game.versions:
            self._where = f" (version {rules.version})" if len(game.versions) > 1 else ""
            self._do("what it says of itself", _describe, rules)
            for seats in sorted({rules.seat_counts[0], rules.seat_counts[-1]}):
                self._play(rules, seats, judge)

    def _play(self, rules: AnyRules, seats: int, judge: Any) -> None:
        version = self._where
        config = self._do("`configure`", rules.configure, seats, {})
        self._do("`options`", lambda: msgspec.json.encode(rules.options(config)))
        self._do("`teams`", rules.teams, seats)
        state = self._do("`initial`", rules.initial, config)
        for step in range(STEPS):
            self._where = f" after {step} steps with {seats} seats{version}"
            turn = self._do("`turn`", rules.turn, state)
            if step % EVERY == 0 or type(turn) is Over:
                self._look(rules, state, seats, turn, judge)
            if type(turn) is Over:
                break
            state = self._step(rules, state, seats, turn)
        if type(turn) is not Over:
            self._took(rules, seats, self._do("`resign`", rules.resign, state, 0))
        self._where = version

    def _step(self, rules: AnyRules, state: Any, seats: int, turn: Any) -> Any:
        if type(turn) is Chance:
            return self._took(rules, seats, self._do("`resolve`", rules.resolve, state, self._rng.randrange(turn.stop)))
        self._need(type(turn) is Await and bool(turn.seats), "`turn` is none")
        self._need(turn.kind in rules.turn_kinds, f"there is no kind of turn '{turn.kind}'")
        seat = turn.seats[0]
        space = self._do("`moves`", rules.moves, state, seat)
        self._do("`legal`", lambda: msgspec.json.encode(legal(rules, turn.kind, space, self._rng)))
        action = self._do("`sample`", space.sample, self._rng)
        sent = self._do("`decode`", lambda: rules.decode(turn.kind, msgspec.to_builtins(action)))
        self._do("`canonical`", rules.canonical, seat, sent)
        return self._took(rules, seats, self._do("`apply`", play, rules, state, seat, sent))

    def _took(self, rules: AnyRules, seats: int, step: Step[Any, Any]) -> Any:
        for effect in step.effects:
            for viewer in (*range(seats), None):
                seen = self._do("`redact`", rules.redact, effect, viewer)
                self._do("`tell`", rules.tell, seen)
                self._do("the effects' JSON", msgspec.json.encode, seen)
        self._do("the combats' JSON", msgspec.json.encode, step.combats)
        kept = self._do("its state", lambda: decode_state(encode_state(step.state), rules.state_type))
        self._need(state_hash(kept) == state_hash(step.state), "its state is another when it was stored")
        return kept

    def _look(self, rules: AnyRules, state: Any, seats: int, turn: Any, judge: Any) -> None:
        for viewer in (*range(seats), None):
            view = self._do("`view`", rules.view, state, viewer)
            self._do("the view's JSON", msgspec.json.encode, view)
            self._do("`context`", lambda view=view: msgspec.json.encode(rules.context(view)))
            self._need(type(self._do("`render`", rules.render, view)) is str, "`render` gives no text")
            for theme in THEMES:
                picture = self._do("`picture`", rules.picture, view, theme)
                self._need(str(picture).startswith("<svg"), "`picture` gives no SVG")
        if type(turn) is not Await:
            return
        seat = turn.seats[0]
        self._do("`default`", lambda: play(rules, state, seat, rules.default(state, seat)))
        guess = self._do("`determinize`", rules.determinize, rules.view(state, seat), self._rng)
        if judge is not None:
            choice = self._do("its judge's `choose`", judge.choose, rules, guess, seat, self._rng)
            self._do("its judge's choice", play, rules, guess, seat, choice)
            self._do("its judge's `value`", lambda: float(judge.value(guess, seat)))


def _describe(rules: AnyRules) -> None:
    """What the API's document and the ruleset's page are made of."""
    msgspec.json.encode((rules.title, rules.version, rules.seat_counts, dict(rules.options_schema)))
    msgspec.json.encode([(part.rule, part.what, part.option) for part in rules.reconstructed])
    for of in (*rules.turn_kinds.values(), rules.view_type, rules.effect_type, rules.combat_type):
        msgspec.json.schema(of)


def main(name: str) -> None:
    """Try a game. What it prints goes to standard error, for standard output is the report's."""
    report = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    most = resource.getrlimit(resource.RLIMIT_DATA)[1]
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY if most == resource.RLIM_INFINITY else min(MEMORY, most), most))
    try:
        Trial(name, report).run()
    except Failed as failed:
        report.write(f"{FAULT}{failed}\n")
    else:
        report.write(f"{WELL}\n")
    report.flush()
    os._exit(0)  # whatever it may have started: nothing of it is waited for


if __name__ == "__main__":
    main(sys.argv[1])
