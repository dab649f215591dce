"""Games as the service would show them, played here by chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import msgspec

from holmgang import registry
from holmgang.engine.legal import legal
from holmgang.engine.replay import perform, settle
from holmgang.engine.rules import Step
from holmgang.engine.turn import Await
from holmgang.mcp.sight import Sight

GAME = "01a22985-0d1d-737d-a118-804e10406049"


def facts(ruleset: str, names: Sequence[str], **more: Any) -> Any:
    seats = [
        {"seat": n, "player": f"player-{n}", "name": name, "bot": None, "absent_since": None, "resigned_at": None}
        for n, name in enumerate(names)
    ]
    rules = registry.latest(ruleset)
    teams = [list(side) for side in rules.teams(len(names))]
    told = {"id": GAME, "ruleset": ruleset, "ruleset_version": rules.version, "seats": seats, "teams": teams}
    return {**told, "status": "active", "result": None, "turn": 1, "started_at": "then", "version": 0, **more}


def turn(**more: Any) -> Any:
    told = {"status": "active", "turn": 1, "kind": "move", "yours": False, "awaited": [], "seat": None}
    return {**told, "deadline": None, "submitted": [], "legal": None, "server_time": "now", **more}


def sights(ruleset: str, names: Sequence[str], seed: int) -> Iterator[Sight]:
    """What each seat sees whenever it owes a choice, to the end of a game."""
    rules, rng = registry.latest(ruleset), Random(seed)

    def draw(label: str, stop: int) -> int:
        return rng.randrange(stop)

    state = settle(rules, Step(rules.initial(rules.configure(len(names), {})), ()), draw).step.state
    number = 0
    while type(asked := rules.turn(state)) is Await:
        seat = min(asked.seats)
        number += 1
        view = msgspec.to_builtins(rules.view(state, seat))
        space = rules.moves(rules.determinize(rules.view(state, seat), Random(0)), seat)
        may = msgspec.to_builtins(legal(rules, asked.kind, space, rng))
        at = {"turn": number, "kind": asked.kind, "yours": True, "awaited": [seat], "seat": seat}
        yield Sight(facts(ruleset, names), turn(**at, legal=may, view=view))
        state = perform(rules, state, [(seat, space.sample(rng))], None, draw).step.state
