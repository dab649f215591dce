"""Tells a whole seeded game as text: turns, choices, events in words, the board each round, the result."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from service import registry
from service.checking.walks import Moment, walk
from service.engine.rules import AnyRules
from service.engine.turn import Await, Chance, Over

FOLDER = Path(__file__).parent
BOARD_AT = {"claim": "claim", "drakkars": "arrival", "eketorp": "placement"}
"""The turn kind that a round of the game begins with: there the board is shown."""


class Playthrough(NamedTuple):
    """`resigning`: the chance that a seat resigns before a choice."""

    ruleset: str
    name: str
    seats: int
    seed: int
    resigning: float = 0.0

    @property
    def path(self) -> Path:
        return FOLDER / self.ruleset / f"{self.name}.txt"


def wanted() -> list[Playthrough]:
    """One for each game and player count, and one of each game in which seats resign."""
    found = []
    for rules in registry.all_latest():
        counts = sorted(rules.seat_counts)
        found += [Playthrough(rules.ruleset, f"{n}-players", n, seed=n) for n in counts]
        found.append(Playthrough(rules.ruleset, f"{counts[-2]}-players-resigning", counts[-2], 8, resigning=0.02))
    return found


def tell(playthrough: Playthrough) -> str:
    """The text of the golden file."""
    rules = registry.latest(playthrough.ruleset)
    return "\n".join(_lines(rules, playthrough)) + "\n"


def _lines(rules: AnyRules, playthrough: Playthrough) -> Iterator[str]:
    config = rules.configure(playthrough.seats, {})
    game = walk(rules, config, random.Random(playthrough.seed), resigning=playthrough.resigning)
    yield f"{rules.title}, rules {rules.version}, {playthrough.seats} players, seed {playthrough.seed}"
    shown = 0
    for moment in game.moments:
        turn = moment.turn
        if type(turn) is Await and turn.kind == BOARD_AT[rules.ruleset] and turn.turn != shown:
            shown = turn.turn
            yield from ("", rules.render(rules.view(moment.before, None)), "")
        yield _heading(moment)
        for effect in moment.step.effects:
            yield f"    {rules.tell(effect)}"
    yield from ("", rules.render(rules.view(game.last, None)), "")
    over = rules.turn(game.last)
    assert type(over) is Over
    yield f"over: {over.reason}; scores {_words(over.scores)}; ranking {_words(over.ranking)}"


def _heading(moment: Moment) -> str:
    turn = moment.turn
    if type(turn) is Chance:
        return f"chance {turn.label}: {moment.value} of {turn.stop}"
    assert type(turn) is Await
    if moment.resigned is not None:
        return f"turn {turn.turn} {turn.kind}: seat {moment.resigned} resigns"
    return f"turn {turn.turn} {turn.kind}: seat {moment.seat}: {_tagged(msgspec.to_builtins(moment.action))}"


def _tagged(fields: dict[str, Any]) -> str:
    """`{"type": "viking_wounded", "seat": 1}` as `viking wounded: seat 1`."""
    name = str(fields.pop("type")).replace("_", " ")
    told = ", ".join(f"{key.replace('_', ' ')} {_words(value)}" for key, value in fields.items() if value is not None)
    return f"{name}: {told}" if told else name


def _words(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} {_words(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + " ".join(_words(inner) for inner in value) + "]"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "nobody" if value is None else str(value)
