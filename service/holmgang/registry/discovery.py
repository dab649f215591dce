"""Where games are found: in the folders of `service/holmgang/games`, and in packages that have the entry point."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from importlib import import_module
from importlib.metadata import Distribution, EntryPoint, distributions
from pkgutil import iter_modules
from typing import Any, NamedTuple

from holmgang.engine.game import INTERFACE, Game
from holmgang.engine.rules import AnyRules, Rules

GROUP = "holmgang.games"
"""The group of entry points: `name = "package:GAME"` in a package's project file."""
HOUSE = "holmgang"
FOLDERS = "holmgang.games"
LEFT_OUT = "HOLMGANG_LEFT_OUT"
"""The variable of the environment in which a service tells its processes what came of trying the packages' games: a
JSON object from the names of those that failed to what is wrong (`service/holmgang/registry/trying.py`)."""
SHOWN = 200
"""Characters of somebody else's message that a sentence shows."""

NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
"""What a ruleset's name looks like: it stands in addresses, and names of the API document are made of it."""
MOST_LETTERS = 40
_SEPARATORS = re.compile(r"[-_.]+")
"""Of the names of packages, of which those are alike that differ in nothing else."""
_KINDS = {int: "whole number", str: "text"}
_ASKED = (*Rules.__annotations__, *(name for name in vars(Rules) if not name.startswith("_")))
"""What the interface asks of rules."""


class Refused(NamedTuple):
    """A package whose game cannot be played: the package, the name that its game would have, and a sentence that says
    why."""

    package: str
    name: str
    why: str


class Found(NamedTuple):
    """Games by name, in the order in which lists name them, and where each comes from."""

    games: Mapping[str, Game]
    origins: Mapping[str, str]
    refused: tuple[Refused, ...]


class Candidate(NamedTuple):
    """What may be a game: where it comes from, by what name, what gives its `GAME`, and how a refusal begins."""

    origin: str
    name: str
    load: Any
    called: str

    def refused(self, fault: str) -> Refused:
        return Refused(self.origin, self.name, f"{self.called} was left out: {fault}.")


def discover(packages: bool = True) -> Found:
    """All games that can be played, or the house's alone. The order in which they are found changes nothing."""
    games: dict[str, Game] = {}
    origins: dict[str, str] = {}
    refused: list[Refused] = []
    failed: dict[str, str] = json.loads(os.environ.get(LEFT_OUT, "{}"))
    for each, fault in candidates():
        if each.origin != HOUSE and not packages:
            continue
        game = None
        if fault is None and each.origin != HOUSE:
            fault = failed.get(each.name)
        if fault is None:
            game, fault = examine(each)
        if game is None:
            assert fault is not None
            refused.append(each.refused(fault))
        else:
            games[each.name], origins[each.name] = game, each.origin
    ordered = sorted(games, key=lambda name: (games[name].place, name))
    return Found({name: games[name] for name in ordered}, origins, tuple(refused))


def candidates() -> Iterator[tuple[Candidate, str | None]]:
    """All that may be games, with what is wrong already by their names. Nothing of theirs is imported.

    The house's names are the house's. A name that two packages claim is neither's, or else it would depend on what is
    installed beside a game, and in what order, which game's records its players go on with.
    """
    house = sorted(each.name for each in iter_modules(import_module(FOLDERS).__path__) if each.ispkg)
    for name in house:
        yield Candidate(HOUSE, name, partial(_of_folder, name), f"The folder service/holmgang/games/{name}"), None
    found, unread = packaged()
    yield from unread
    points = sorted(found, key=lambda point: (point.name, package_of(point)))
    claims = Counter(point.name for point in points)
    for point in points:
        package = package_of(point)
        others = [package_of(each) for each in points if each.name == point.name and each is not point]
        fault = None
        if point.name in house:
            fault = f"there is a game '{point.name}' already, of the house"
        elif claims[point.name] > 1:
            fault = f"the package {others[0]} claims the name '{point.name}' too, so that neither has it"
        elif not NAME.fullmatch(point.name) or len(point.name) > MOST_LETTERS:
            fault = (
                f"'{one_line(point.name)}' is no name for a game, which has at most {MOST_LETTERS} small letters, "
                "digits and single underscores, a letter first"
            )
        yield Candidate(package, point.name, point.load, f"The package {package}"), fault


def packaged() -> tuple[list[EntryPoint], list[tuple[Candidate, str]]]:
    """The entry points of games in packages; and the packages that have some that cannot be read, with the reason.

    As `importlib.metadata.entry_points` finds them, which one file that is no such list would end. Of a package that
    is there twice, the first on the path counts.
    """
    packages = list(distributions())
    if not any(_speaks_of_games(package) for package in packages):
        return [], []  # as nearly everywhere, and names take longer to read
    found: list[EntryPoint] = []
    unread: list[tuple[Candidate, str]] = []
    met: set[str] = set()
    for package in packages:
        name = str(package.metadata["Name"])
        if (key := _SEPARATORS.sub("-", name).lower()) in met:
            continue
        met.add(key)
        try:
            found += package.entry_points.select(group=GROUP)
        except Exception as raised:
            if _speaks_of_games(package):
                origin = f"{name} {package.version}"
                candidate = Candidate(origin, key, None, f"The package {origin}")
                unread.append((candidate, f"its entry points cannot be read: {told(raised)}"))
    return found, sorted(unread, key=lambda each: each[0].origin)


def _speaks_of_games(package: Distribution) -> bool:
    """Whether a package's list of entry points can be read and has our group in it."""
    try:
        return GROUP in (package.read_text("entry_points.txt") or "")
    except UnicodeError:
        return False


def package_of(point: EntryPoint) -> str:
    """The name and version of the package that has the entry point."""
    return point.value if point.dist is None else f"{point.dist.name} {point.dist.version}"


def examine(candidate: Candidate) -> tuple[Game | None, str | None]:
    """The game, or why it cannot be had, in words that go on after `was left out:`."""
    name = candidate.name
    try:
        game = candidate.load()
        fault = _fault(name, game)
    except (Exception, SystemExit) as raised:
        fault = f"its game '{name}' cannot be imported: {told(raised)}"
    return (game, None) if fault is None else (None, fault)


def misnamed(rules: AnyRules) -> str | None:
    """What is wrong with a ruleset's version, title and numbers of players, which addresses, lists and kept games are
    made of; None where nothing is."""
    for what in ("version", "title"):
        value = getattr(rules, what)
        if not (isinstance(value, str) and value.strip() and value.isprintable() and len(value) <= SHOWN):
            return f"`{what}` is {one_line(repr(value))}, which is no text in one short line"
    counts: Any = rules.seat_counts
    if not isinstance(counts, tuple) or not counts or not all(type(n) is int and n >= 2 for n in counts):
        return f"`seat_counts` is {one_line(repr(counts))}, no tuple of numbers of players, from 2 on"
    if list(counts) != sorted(set(counts)):
        return f"`seat_counts` is {one_line(repr(counts))}: each number once, from the least on"
    return None


def one_line(text: str) -> str:
    """Somebody else's words as part of a sentence."""
    words = " ".join("".join(c if c.isprintable() else " " for c in text).split()).rstrip(".")
    return words if len(words) <= SHOWN else f"{words[:SHOWN]}..."


def told(raised: BaseException) -> str:
    """What was raised, in one line."""
    words = one_line(str(raised))
    return f"{type(raised).__name__}: {words}" if words else type(raised).__name__


def _of_folder(name: str) -> Any:
    return import_module(f"{FOLDERS}.{name}").GAME


def _fault(name: str, game: Any) -> str | None:
    if not isinstance(game, Game):
        return f"its entry point '{name}' names no Game"
    for what, value, kind in (("place", game.place, int), ("blurb", game.blurb, str), ("name", game.name, str)):
        if not isinstance(value, kind):
            return f"the `{what}` of its Game is {one_line(repr(value))}, which is no {_KINDS[kind]}"
    if not (len(game.interface) == 2 and all(type(each) is int for each in game.interface)):
        return f"the `interface` of its Game is {one_line(repr(game.interface))}, which is no whole number, nor two"
    if not game.goes_with(INTERFACE):
        return f"it was made for {game.wanted} of the games' interface, and this is version {INTERFACE}"
    if game.name != name:
        return f"its entry point '{name}' names a game that calls itself '{one_line(game.name)}'"
    if not game.versions:
        return f"its game '{name}' has no rules"
    for rules in game.versions:
        lacking = [each for each in _ASKED if not hasattr(rules, each)]
        if lacking:
            return f"the rules of its game '{name}' lack {', '.join(lacking)}"
        if rules.ruleset != name:
            return f"the rules of its game '{name}' call themselves '{one_line(str(rules.ruleset))}'"
        odd = misnamed(rules)
        if odd is not None:
            return f"of the rules of its game '{name}', {odd}"
    if game.usual not in game.rules.seat_counts:
        return f"its game '{name}' is usually for {one_line(repr(game.usual))} players, which its rules do not take"
    twice, times = Counter(rules.version for rules in game.versions).most_common(1)[0]
    return None if times == 1 else f"its game '{name}' has two rules of version {twice}"
