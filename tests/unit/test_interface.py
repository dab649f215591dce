"""The interface of games: what the page calls public is there, stays as it is, and is all that games use."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from holmgang.cli.template import write
from holmgang.engine.game import INTERFACE
from tests.interface.signatures import KEPT, PAGE, REPOSITORY, listed, signatures

UNLISTED = "use something else, or make it public: list it in docs/pages/reference/game-interface.md, then make goldens"
TESTS = {"holmgang.registry"}
"""What tests of packages here use besides, to know that the house has found them."""


def used(text: str) -> Iterator[tuple[str, str]]:
    """The names of the house that a source imports: module and name."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and not node.level and str(node.module).partition(".")[0] == "holmgang":
            yield from ((str(node.module), each.name) for each in node.names)
        elif isinstance(node, ast.Import):
            yield from ((each.name, "") for each in node.names if each.name.partition(".")[0] == "holmgang")


def strangers(folder: Path, own: str = "-") -> list[str]:
    """What the sources in a folder use of the house and the page does not list. `own` is what the folder itself is."""
    public = listed()
    found = []
    for file in sorted(folder.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        for module, name in used(text):
            if module == own or module.startswith(f"{own}."):
                continue
            whole = f"{module}.{name}"
            if whole in public:
                found += [
                    f"{file.relative_to(folder)}: {whole}.{each}"
                    for each in re.findall(rf"\b{name}\.(\w+)", text)
                    if each not in public[whole]
                ]
            elif name not in public.get(module, ()) and whole not in TESTS:
                found.append(f"{file.relative_to(folder)}: {whole}")
    return found


def test_the_page_tells_the_version() -> None:
    assert f"This is version **{INTERFACE}**" in PAGE.read_text(encoding="utf-8")


def test_what_is_public_is_there() -> None:
    public = listed()
    assert len(public) > 20
    for module, names in public.items():
        loaded = import_module(module)
        assert [name for name in names if not hasattr(loaded, name)] == [], module
        assert len(names) == len(set(names)), module


def test_what_is_public_stays_as_it_is() -> None:
    """What differs here differs for every package: `make goldens` writes it anew, and the page says what is allowed."""
    assert signatures() == KEPT.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "game", [each.name for each in (REPOSITORY / "service/holmgang/games").iterdir() if each.is_dir()]
)
def test_the_games_of_the_house_use_what_is_public(game: str) -> None:
    assert strangers(REPOSITORY / "service/holmgang/games" / game, f"holmgang.games.{game}") == [], UNLISTED


@pytest.mark.parametrize("package", ["examples/tafl", "tests/games/toy"])
def test_packages_use_what_is_public(package: str) -> None:
    assert strangers(REPOSITORY / package) == [], UNLISTED


def test_the_new_game_uses_what_is_public(tmp_path: Path) -> None:
    write("longfire", tmp_path / "longfire")
    assert strangers(tmp_path / "longfire") == [], UNLISTED


def test_what_is_not_public_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "import holmgang.config\nfrom holmgang.engine.turn import Seat, Table\nfrom holmgang.app import games\n"
        "from holmgang.engine import tuples\ntuples.put, tuples.drop\n"
        "from holmgang.games.mine.rules import x\nimport servicing\n"
    )
    assert strangers(tmp_path, "holmgang.games.mine") == [
        "a.py: holmgang.config.",
        "a.py: holmgang.engine.turn.Table",
        "a.py: holmgang.app.games",
        "a.py: holmgang.engine.tuples.drop",
    ]
