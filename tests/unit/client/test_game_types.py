"""The types of games in `holmgang.answers` against games that are played, and for a type checker."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random
from types import ModuleType, UnionType
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

import pytest

from holmgang import registry
from holmgang.bots import registry as bots
from holmgang.bots.guests import as_json
from holmgang.engine.replay import perform, settle
from holmgang.engine.rules import Step
from holmgang.engine.turn import Await

REPOSITORY = Path(__file__).parents[3]
GAMES = ("claim", "drakkars", "eketorp")
TYPED_BOT = """
from holmgang import Bot, any_action
from holmgang.answers import Legal, {game}

class Typed(Bot):
    def choose(self, view: {game}.View, legal: Legal[{game}.Action]) -> {game}.Action:
        seat: int | None = view["seat"]
        for action in legal.get("actions", []):
            if action["type"] == "{type}":
                {field}: {kind} = action["{field}"]
                return action
        return any_action(legal)

class Later(Bot):
    async def choose(self, view: {game}.View, legal: Legal[{game}.Action]) -> {game}.Action:
        return {{"type": "{type}", "{field}": {value}}}

def told(event: {game}.Event) -> str:
    if event["type"] == "game_ended":
        return event["reason"]
    return event["type"]
"""


SENT_BOT = """
from holmgang import Bot, TurnContext
from holmgang.answers import JSON, Legal

class Sent(Bot):
    rulesets = {rulesets}

    def choose(self, view: JSON, legal: Legal, turn: TurnContext) -> JSON:
        return {{"left": turn.seconds_left()}}

Sent().run("http://127.0.0.1:8000", games={games})
"""
hints_of = cache(get_type_hints)


def misfits(value: Any, hint: Any, where: str = "") -> Iterator[str]:
    """Where a value is not of the type, as a checker would take it."""
    origin, parts = get_origin(hint), get_args(hint)
    if hint is Any:
        return
    if is_typeddict(hint):
        if not isinstance(value, dict) or not hint.__required_keys__ <= value.keys() <= set(hint.__annotations__):
            yield f"{where}: {value!r:.80} is no {hint.__name__}"
            return
        hints = hints_of(hint)
        for name, member in value.items():
            yield from misfits(member, hints[name], f"{where}.{name}")
    elif origin in (UnionType, Union):
        if all(list(misfits(value, part)) for part in parts):
            yield f"{where}: {value!r:.80} is of no kind"
    elif origin is Literal:
        if value not in parts:
            yield f"{where}: {value!r:.80} is none of {parts}"
    elif origin is NotRequired:
        yield from misfits(value, parts[0], where)
    elif not isinstance(value, origin or hint) or (isinstance(value, bool) and hint is not bool):
        yield f"{where}: {value!r:.80} is no {hint}"
    elif origin is list:
        for number, member in enumerate(value):
            yield from misfits(member, parts[0], f"{where}[{number}]")
    elif origin is dict:
        for name, member in value.items():
            yield from misfits(member, parts[1], f"{where}.{name}")


def of(game: str) -> ModuleType:
    return import_module(f"holmgang.answers.{game}")


@pytest.mark.parametrize("game", GAMES)
def test_games_are_as_their_types_say(game: str) -> None:
    types, rules, seen = of(game), registry.latest(game), set()
    rng = Random(game)

    def draw(_label: str, stop: int) -> int:
        return rng.randrange(stop)

    for seats in (min(rules.seat_counts), max(rules.seat_counts)):
        played = settle(rules, Step(rules.initial(rules.configure(seats, {})), ()), draw)
        while isinstance(turn := rules.turn(played.step.state), Await):
            views = {seat: rules.view(played.step.state, seat) for seat in turn.seats}
            actions = [(seat, bots.find("random").choose(rules, view, rng)) for seat, view in views.items()]
            for hint, values in ((types.View, views.values()), (types.Action, dict(actions).values())):
                assert [fault for value in values for fault in misfits(as_json(value), hint)] == []
            seen |= {as_json(action)["type"] for _, action in actions}
            played = perform(rules, played.step.state, actions, None, draw)
            told = [as_json(rules.redact(each, seat)) for each in played.step.effects for seat in (0, None)]
            assert [fault for effect in told for fault in misfits(effect, types.Event)] == []
            seen |= {effect["type"] for effect in told}
    assert len(seen & kinds(types.Action)) > len(kinds(types.Action)) / 2
    assert len(seen & kinds(types.Event)) > len(kinds(types.Event)) / 3


def kinds(union: Any) -> set[str]:
    return {kind for each in get_args(union) for kind in get_args(get_type_hints(each)["type"])}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("union", ["Action", "Event"])
def test_type_tells_the_kinds_apart(game: str, union: str) -> None:
    parts = get_args(getattr(of(game), union))
    told = [kind for each in parts for kind in get_args(get_type_hints(each)["type"])]
    assert len(told) == len(set(told))


def test_a_checker_knows_them(tmp_path: Path) -> None:
    """A bot of each game passes in mypy's strict mode; a field that is not there, or of another kind, does not."""
    good = [
        TYPED_BOT.format(game=game, type=kind, field=field, kind=type_, value=value)
        for game, kind, field, type_, value in (
            ("claim", "move", "path", "list[str]", '["c4", "e6"]'),
            ("drakkars", "launch", "card", "int", "5"),
            ("eketorp", "play", "card", "int", "5"),
        )
    ]
    good += [SENT_BOT.format(rulesets=some, games=some) for some in ('["one"]', '("one", "two")', '{"one"}', "None")]
    bad = [
        TYPED_BOT.format(game="claim", type="move", field=field, kind=type_, value=value)
        for field, type_, value in (
            ("way", "list[str]", '["c4", "e6"]'),
            ("path", "list[int]", '["c4", "e6"]'),
            ("path", "list[str]", "1"),
        )
    ]
    bad += [
        SENT_BOT.format(rulesets=rulesets, games=games)
        for rulesets, games in (('"claim"', "None"), ("None", '"claim"'), ("None", "[1]"))
    ]
    for number, text in enumerate((*good, *bad)):
        (tmp_path / f"bot_{number}.py").write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *sorted(map(str, tmp_path.iterdir()))],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    found = sorted({Path(line.partition(":")[0]).name for line in done.stdout.splitlines() if ": error: " in line})
    assert found == sorted(f"bot_{len(good) + number}.py" for number in range(len(bad))), done.stdout
