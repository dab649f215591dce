"""A plugin of pytest: a test for each law of games, and for each number of players.

In the tests of a game's package, `holmgang_games = ["holmgang_tafl:GAME"]` in pytest's settings collects them; so does
`pytest --check-game tafl` anywhere. A law that is broken is reported as `holmgang check-game` does. Everybody who has
Holmgang's games and pytest loads this module: it imports nothing else before a game is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

GAMES = 5


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("holmgang", "laws of games (holmgang)")
    group.addoption(
        "--check-game",
        action="append",
        default=[],
        metavar="NAME",
        help="Test the laws of a game (a name, or package:GAME); may be given more than once.",
    )
    group.addoption(
        "--check-games",
        type=int,
        default=GAMES,
        metavar="N",
        help=f"Random games of each law ({GAMES}).",
    )
    parser.addini("holmgang_games", "Games of which the laws are tested whenever all tests are run.", "args", [])


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add the tests before others select among them. Who names files to be tested gets those, and nothing besides."""
    named = list(config.getoption("--check-game"))
    if config.args_source is not pytest.Config.ArgsSource.ARGS:
        named += config.getini("holmgang_games")
    for name in dict.fromkeys(named):
        items.extend(_laws_of(session, name))


def _laws_of(session: pytest.Session, name: str) -> Iterator[pytest.Item]:
    from holmgang.checking.finding import NoSuchGame, find
    from holmgang.checking.table import LAWS

    try:
        game = find(name)
    except NoSuchGame as fault:
        raise pytest.UsageError(str(fault)) from None
    parent = GameNode.from_parent(session, name=name, nodeid=f"holmgang::{name}")
    counts = sorted(game.rules.seat_counts)
    for law in LAWS:
        if law.scope == "game":
            yield LawItem.from_parent(parent, name=law.name, law=law, game=game, counts=counts[:1])
        else:
            for seats in counts:
                yield LawItem.from_parent(parent, name=f"{law.name}[{seats}]", law=law, game=game, counts=[seats])


class GameNode(pytest.Collector):
    """Under which the tests of a game stand."""

    def collect(self) -> list[pytest.Item]:
        return []


class LawItem(pytest.Item):
    """A law of a game, with a number of players."""

    def __init__(self, *, law: Any, game: Any, counts: list[int], **more: Any) -> None:
        super().__init__(**more)
        self.law, self.game, self.counts = law, game, counts

    def runtest(self) -> None:
        from holmgang.checking.running import try_law

        tried = try_law(self.law, self.game, self.counts, range(self.config.getoption("--check-games")))
        if tried.skipped is not None:
            pytest.skip(tried.skipped)
        if tried.finding is not None:
            raise LawBroken(tried.finding)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if not isinstance(excinfo.value, LawBroken):
            return super().repr_failure(excinfo, style)
        from holmgang.checking.report import told

        return told(excinfo.value.finding)

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, f"{self.game.name} {self.name}"


class LawBroken(Exception):
    def __init__(self, finding: Any) -> None:
        from holmgang.checking.report import found

        super().__init__(f"{finding.law.name}: {found(finding.error)}")
        self.finding = finding
