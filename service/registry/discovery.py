"""Where games are found: in the folders of `service/games`, and in packages that have the entry point."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pkgutil import iter_modules
from typing import Any, NamedTuple

from service.engine.game import INTERFACE, Game

GROUP = "holmgang.games"
"""The group of entry points: `name = "package:GAME"` in a package's project file."""
HOUSE = "holmgang"
FOLDERS = "service.games"


class Refused(NamedTuple):
    """A package whose game cannot be played, and a sentence that says why."""

    package: str
    why: str


class Found(NamedTuple):
    """Games by name, in the order in which lists name them, and where each comes from."""

    games: Mapping[str, Game]
    origins: Mapping[str, str]
    refused: tuple[Refused, ...]


def discover() -> Found:
    """All games that can be played. The order in which they are found changes nothing."""
    games: dict[str, Game] = {}
    origins: dict[str, str] = {}
    refused: list[Refused] = []
    for origin, name, load in _candidates():
        try:
            game = load()
            fault = _fault(name, game, games)
        except Exception as raised:
            fault = f"its game '{name}' cannot be imported: {type(raised).__name__}: {raised}"
        if fault is not None:
            refused.append(Refused(origin, f"The package {origin} was left out: {fault}."))
            continue
        games[name], origins[name] = game, origin
    ordered = sorted(games, key=lambda name: (games[name].place, name))
    return Found({name: games[name] for name in ordered}, origins, tuple(refused))


def _candidates() -> Iterator[tuple[str, str, Any]]:
    """Where a game comes from, its name, and what gives it: those of the house first, which nobody can displace."""
    for name in sorted(module.name for module in iter_modules(import_module(FOLDERS).__path__) if module.ispkg):
        yield HOUSE, name, partial(_of_folder, name)
    points = entry_points(group=GROUP)
    for point in sorted(points, key=lambda point: (point.name, _package(point))):
        yield _package(point), point.name, point.load


def _package(point: EntryPoint) -> str:
    return point.value if point.dist is None else f"{point.dist.name} {point.dist.version}"


def _of_folder(name: str) -> Any:
    return import_module(f"{FOLDERS}.{name}").GAME


def _fault(name: str, game: Any, taken: Mapping[str, Game]) -> str | None:
    """Why a game cannot be had, in words that go on after `was left out:`."""
    if not isinstance(game, Game):
        return f"its entry point '{name}' names no Game"
    if game.interface != INTERFACE:
        return f"it was made for version {game.interface} of the games' interface, and this is version {INTERFACE}"
    if game.name != name:
        return f"its entry point '{name}' names a game that calls itself '{game.name}'"
    if name in taken:
        return f"there is a game '{name}' already, of {taken[name].package}"
    wrong = next((rules for rules in game.versions if rules.ruleset != name), None)
    return None if wrong is None else f"the rules of its game '{name}' call themselves '{wrong.ruleset}'"
