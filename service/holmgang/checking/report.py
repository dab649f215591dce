"""What is said of a law that a game breaks: the promise, what was found, the smallest game, and what to do."""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path

from holmgang import registry
from holmgang.engine.game import Game
from holmgang.engine.messages import how_many

from .patience import TooLong
from .running import Finding
from .walks import BrokenPromise, lines_of

SHOWN = 40
"""Steps of a game that are shown; of longer ones, the last."""
FRAMES = 4


def told(finding: Finding) -> str:
    """The report, in lines for people."""
    return "\n".join(_lines(finding))


def _lines(finding: Finding) -> Iterator[str]:
    law, trial, game = finding.law, finding.trial, finding.trial.game
    called = game.name if game in registry.games() else f"{game.package}:GAME"
    yield f"{game.name} breaks the law {law.name} ({law.cites})."
    yield f"  Promised: {law.promise}"
    yield f"  Found:    {found(finding.error)}"
    yield from (f"            while {note}" for note in getattr(finding.error, "__notes__", ()))
    for frame in _frames(finding.error, game):
        place = f"{frame.filename}, line {frame.lineno}, in {frame.name}"
        yield f"            {place}: {frame.line}"
    yield f"  To do:    {law.advice}"
    if law.scope != "game":
        options = json.dumps(finding.options)
        told = "" if trial.walk is None else f", seed {trial.seed}, options {options}"
        yield f"  Where:    {how_many(trial.seats, 'player')}{told}"
    if trial.walk is not None:
        yield from _played(finding)
    seeds = "" if law.scope != "walk" else f" --seats {trial.seats} --seed {trial.seed} --games 1"
    yield f"  Again:    holmgang check-game {called} --law {law.name}{seeds}"


def found(error: BaseException) -> str:
    """What went wrong, in a line."""
    if isinstance(error, BrokenPromise | TooLong):
        return str(error)
    return f"{type(error).__name__}: {error}".rstrip(": ")


def _frames(error: BaseException, game: Game) -> list[traceback.FrameSummary]:
    """The last places in the game's own files that the exception came through."""
    modules = [sys.modules.get(game.package), sys.modules.get(type(game.rules).__module__)]
    folders = {Path(module.__file__).parent for module in modules if module is not None and module.__file__}
    trace = traceback.extract_tb(error.__traceback__)
    return [frame for frame in trace if any(Path(frame.filename).is_relative_to(each) for each in folders)][-FRAMES:]


def _played(finding: Finding) -> Iterator[str]:
    walk = finding.trial.played
    lines = lines_of(walk)
    steps = how_many(len(lines), "step")
    yield f"  Played:   {steps} until then, one a line, as `holmgang.checking.walks.again` reads them"
    if len(lines) > SHOWN:
        yield f"    ... {how_many(len(lines) - SHOWN, 'step')} before"
    yield from (f"    {line}" for line in lines[-SHOWN:])
    yield "  The state after them, as everybody sees it:"
    try:
        text = walk.rules.render(walk.rules.view(walk.last, None))
    except Exception as error:
        text = f"it cannot be shown: {found(error)}"
    yield from (f"    {line}" for line in str(text).splitlines())
