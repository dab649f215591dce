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
import time
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import holmgang
from holmgang.client._choices import written
from holmgang.client._several import several
from holmgang.client._turn import TurnContext, way_to_ask
from holmgang.engine.codec import encode_json
from holmgang.engine.errors import IllegalAction, MalformedAction
from holmgang.engine.legal import legal
from holmgang.engine.moves import Rng
from holmgang.engine.rules import AnyRules
from holmgang.engine.turn import Await
from holmgang.registry import latest

from . import registry
from .base import Bot, imagined


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


def listed(names: str) -> tuple[str, ...]:
    """The bots that are named between commas, each by its whole name. NoSuchBot where one is missing."""
    found = tuple(name.strip() for name in names.split(","))
    if not any(found):
        raise NoSuchBot("No bot is named.")
    if not all(found):
        raise NoSuchBot(f"There is a comma too many in '{names}', or a bot too few.")
    return tuple(map(whole, found))


def own(name: str) -> bool:
    """Whether a name is of a person's bot."""
    return ":" in name or name.endswith(".py")


def whole(name: str) -> str:
    """The name with its class, which need not be said of a file with one bot. NoSuchBot if it has none, or several."""
    if not name.endswith(".py"):
        return name
    classes = _classes(_module(name))
    if not classes:
        raise NoSuchBot(f"{name} has no bot: no subclass of holmgang.Bot with a method choose(view, legal).")
    if len(classes) > 1:
        raise NoSuchBot(f"{name} has several bots. Say which: {' or '.join(f'{name}:{each}' for each in classes)}.")
    return f"{name}:{classes[0]}"


def find(name: str, ruleset: str) -> Callable[[], Bot]:
    """What makes bots of that name, which is a built-in one's, `module:Class`, `path/file.py:Class`, or `path/file.py`
    where that has one bot. NoSuchBot if it is none's that plays the game.

    Built-in bots keep nothing, and are the same each time. A person's bot is made anew, so that what it keeps in one
    game, on one seat, has no part in another.
    """
    if not own(name):
        if not registry.plays(name, ruleset):
            raise NoSuchBot(
                f"No bot '{name}' plays {latest(ruleset).title}. Bots that do: {', '.join(registry.playing(ruleset))};"
                " or yours, as module:Class or path/file.py:Class."
            )
        return lambda: registry.find(name)
    name = whole(name)
    kind = class_of(name, ruleset)
    return lambda: Guest(name, made(name, kind))


def class_of(name: str, ruleset: str | None) -> type[holmgang.Bot]:
    """The class of a person's bot that is named whole. NoSuchBot if there is none that plays the game, or any."""
    kind = _class(name)
    try:
        rulesets = None if kind.rulesets is None else several("rulesets", kind.rulesets)
    except TypeError as why:
        raise NoSuchBot(f"{name}: {why}") from None
    if rulesets is not None and ruleset is not None and ruleset not in rulesets:
        raise NoSuchBot(f"{name} does not play {ruleset}: its rulesets are {', '.join(rulesets) or 'none'}.")
    return kind


def _class(name: str) -> type[holmgang.Bot]:
    place, _, attribute = name.rpartition(":")
    module = _module(place)
    kind = getattr(module, attribute, None)
    if not isinstance(kind, type) or not issubclass(kind, holmgang.Bot):
        what = "has no" if kind is None else "has something else than a subclass of holmgang.Bot as"
        others = _classes(module)
        raise NoSuchBot(f"{place} {what} {attribute}." + (f" Its bots: {', '.join(others)}." if others else ""))
    if kind.choose is holmgang.Bot.choose:
        raise NoSuchBot(f"{name} needs a method choose(view, legal).")
    return kind


def _module(place: str) -> ModuleType:
    if place.endswith(".py") and not Path(place).is_file():
        raise NoSuchBot(f"There is no file {place}, seen from {Path.cwd()}.")
    try:
        return _from_file(Path(place).resolve()) if place.endswith(".py") else _from_path(place)
    except (Exception, SystemExit) as fault:
        raise NoSuchBot(f"{place} cannot be imported: {told(fault)}") from fault


def _classes(module: ModuleType) -> list[str]:
    """The bots that a module has of its own."""
    return [
        name
        for name, kind in vars(module).items()
        if isinstance(kind, type)
        and issubclass(kind, holmgang.Bot)
        and kind.__module__ == module.__name__
        and kind.choose is not holmgang.Bot.choose
    ]


def _from_path(module: str) -> ModuleType:
    """As `python -m` finds it: in the folder one is in as well."""
    _look_in(Path.cwd())
    return importlib.import_module(module)


@cache
def _from_file(file: Path) -> ModuleType:
    """As `python file.py` would run it, but for its `__name__`: its neighbours can be imported. Run once a process."""
    name = f"holmgang_guest_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    _look_in(file.parent)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _look_in(folder: Path) -> None:
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))


def made(name: str, kind: type[holmgang.Bot]) -> holmgang.Bot:
    """One of a person's class. NoSuchBot if it cannot be made."""
    try:
        bot = kind()
    except (Exception, SystemExit) as fault:
        raise NoSuchBot(f"{name} cannot be made by calling it: {told(fault)}") from fault
    try:
        way_to_ask(bot.choose)
    except TypeError as why:
        raise NoSuchBot(f"{name} cannot be asked: {why}.") from None
    return bot


def told(fault: BaseException) -> str:
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
        self.ask = way_to_ask(bot.choose)

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
            shown = as_json(view), as_json(legal(rules, turn.kind, space, sampler))
            chosen = self.ask(*shown, _context(rules, view.seat, turn))
            if inspect.isawaitable(chosen):
                chosen = _runner().run(_awaited(chosen))
        except (Exception, SystemExit) as fault:
            raise bad(None, f"choose failed: {told(fault)}") from fault
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


def _context(rules: AnyRules, seat: int, turn: Await) -> TurnContext:
    """What a simulation can tell of a turn: it keeps no clock, so there is no deadline."""
    return TurnContext(
        ruleset=rules.ruleset,
        game="",
        seat=seat,
        number=turn.turn,
        kind=turn.kind,
        deadline=None,
        _server_time=datetime.now(UTC),
        _came=time.monotonic(),
    )


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
