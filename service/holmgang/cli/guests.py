"""Bots by name for games without a service: the built-in ones, and those that people write for `holmgang.Bot`.

A person's bot gets the JSON that the API would give its seat, and answers with JSON, as over HTTP.
"""

from __future__ import annotations

import asyncio
import atexit
import importlib
import importlib.util
import inspect
import json
import random
import sys
import traceback
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import holmgang
from holmgang.bots import registry
from holmgang.bots.base import Bot, imagined
from holmgang.client._choices import written
from holmgang.engine.codec import encode_json
from holmgang.engine.errors import IllegalAction, MalformedAction
from holmgang.engine.legal import legal
from holmgang.engine.moves import Rng
from holmgang.engine.rules import AnyRules
from holmgang.engine.turn import Await


class NoSuchBot(Exception):
    """The name is of no bot that can play the game; the message is for a person."""


class BadChoice(Exception):
    """A person's bot failed, or chose something illegal. `rule` is None for what is not against one."""

    def __init__(self, bot: str, seat: int, turn: int, kind: str, rule: str | None, detail: str) -> None:
        super().__init__(bot, seat, turn, kind, rule, detail)  # all of it, so that it crosses processes
        self.bot, self.seat, self.turn, self.kind, self.rule, self.detail = bot, seat, turn, kind, rule, detail

    def __str__(self) -> str:
        rule = "" if self.rule is None else f", rule {self.rule}"
        return f"{self.bot} on seat {self.seat}, turn {self.turn} ({self.kind}){rule}: {self.detail}"


def find(name: str, ruleset: str) -> Callable[[], Bot]:
    """What makes bots of that name, which is a built-in one's, `module:Class` or `path/file.py:Class`.

    Built-in bots keep nothing, and are the same each time. A person's bot is made anew, so that what it keeps in one
    game, on one seat, has no part in another.
    """
    if ":" not in name:
        if not registry.plays(name, ruleset):
            raise NoSuchBot(
                f"No bot '{name}' plays {ruleset}. Bots that do: {', '.join(registry.playing(ruleset))};"
                " or yours, as module:Class or path/file.py:Class."
            )
        return lambda: registry.find(name)
    kind = _class(name)
    if kind.rulesets is not None and ruleset not in kind.rulesets:
        raise NoSuchBot(f"{name} does not play {ruleset}: its rulesets are {', '.join(kind.rulesets) or 'none'}.")
    return lambda: Guest(name, _made(name, kind))


def _class(name: str) -> type[holmgang.Bot]:
    place, _, attribute = name.rpartition(":")
    try:
        module = _from_file(Path(place)) if place.endswith(".py") else _from_path(place)
    except (Exception, SystemExit) as fault:
        raise NoSuchBot(f"{place} cannot be imported: {_told(fault, place)}") from fault
    kind = getattr(module, attribute, None)
    if not isinstance(kind, type) or not issubclass(kind, holmgang.Bot):
        what = "has no" if kind is None else "has something else than a subclass of holmgang.Bot as"
        raise NoSuchBot(f"{place} {what} {attribute}.")
    if kind.choose is holmgang.Bot.choose:
        raise NoSuchBot(f"{name} needs a method choose(view, legal).")
    return kind


def _from_path(module: str) -> ModuleType:
    """As `python -m` finds it: in the folder one is in as well."""
    _look_in(Path.cwd())
    return importlib.import_module(module)


@cache
def _from_file(file: Path) -> ModuleType:
    """As `python file.py` would run it, but for its `__name__`: its neighbours can be imported. Run once a process."""
    if not file.is_file():
        raise FileNotFoundError("there is no such file")
    name = f"holmgang_guest_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file.resolve())
    assert spec is not None
    assert spec.loader is not None
    _look_in(file.resolve().parent)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _look_in(folder: Path) -> None:
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))


def _made(name: str, kind: type[holmgang.Bot]) -> holmgang.Bot:
    try:
        return kind()
    except (Exception, SystemExit) as fault:
        raise NoSuchBot(f"{name} cannot be made by calling it: {_told(fault, name)}") from fault


def _told(fault: BaseException, _place: str) -> str:
    """What went wrong and where: the last line of the person's own code that it went through."""
    said = "".join(traceback.format_exception_only(fault)).strip()
    own = [frame for frame in traceback.extract_tb(fault.__traceback__) if not _ours(frame.filename)]
    return f"{said} (line {own[-1].lineno} of {own[-1].filename})" if own else said


def _ours(filename: str) -> bool:
    """Whether a file is of the service, of Python or of an installed package."""
    path = Path(filename)
    return (
        filename.startswith("<")
        or "site-packages" in path.parts
        or any(path.is_relative_to(folder) for folder in (_SERVICE, _PYTHON))
    )


_SERVICE = Path(__file__).resolve().parents[1]
_PYTHON = Path(random.__file__).resolve().parent


class Guest:
    """A person's bot as one of ours."""

    def __init__(self, name: str, bot: holmgang.Bot) -> None:
        self.name = name
        self.bot = bot

    def choose(self, rules: AnyRules, view: Any, rng: Rng) -> Any:
        """BadChoice where the bot fails or chooses something illegal."""
        state = imagined(rules, view, rng)
        turn = rules.turn(state)
        assert type(turn) is Await
        space = rules.moves(state, view.seat)
        key = str(rng.randrange(1 << 62))
        # Bots that draw without a seed of their own, as any_action does, draw alike when a game is played again.
        random.seed(key)

        def bad(rule: str | None, detail: str) -> BadChoice:
            return BadChoice(self.name, view.seat, turn.turn, turn.kind, rule, detail)

        sampler = random.Random(key)  # noqa: S311 # a simulation is to be repeatable
        try:
            chosen = self.bot.choose(as_json(view), as_json(legal(rules, turn.kind, space, sampler)))
            if inspect.isawaitable(chosen):
                chosen = _runner().run(_awaited(chosen))
        except (Exception, SystemExit) as fault:
            raise bad(None, f"choose failed: {_told(fault, self.name)}") from fault
        try:
            action = rules.decode(turn.kind, written(chosen))
        except (TypeError, ValueError) as fault:
            raise bad(None, f"the choice is no action: {fault}.") from fault
        except MalformedAction as fault:
            raise bad(None, f"the choice has not an action's shape: {fault}") from fault
        except IllegalAction as fault:
            raise bad(fault.rule, fault.detail) from fault
        if (why := space.why_not(action)) is not None:
            raise bad(why.rule, why.detail)
        return action


@cache
def _runner() -> asyncio.Runner:
    """One event loop for all choices, as there is one over HTTP."""
    runner = asyncio.Runner()
    atexit.register(runner.close)
    return runner


async def _awaited(chosen: Any) -> Any:
    return await chosen


def as_json(value: Any) -> Any:
    """What a client reads of it."""
    return json.loads(encode_json(value))
