"""`examples/tafl` is a package that anybody could have written: small, made of what is public, and a sound game."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from holmgang import registry
from holmgang.checking.running import try_law
from holmgang.checking.table import LAWS, Law
from holmgang.engine.game import Game
from holmgang.languages.catalogue import DOMAINS, FOLDER, Domain
from holmgang.languages.gathering import kept, said_by
from holmgang.languages.placeholders import fills
from tests import games
from tests.games import TAFL
from tests.languages.checking import OTHERS

PACKAGE = TAFL / "holmgang_tafl"
MOST_LINES = 850


@pytest.fixture(scope="module")
def tafl(installed_tafl: Path) -> Iterator[Game]:
    with games.known(installed_tafl):
        yield registry.game("tafl")


def test_pip_installs_it_and_it_is_found(tafl: Game) -> None:
    assert registry.origin("tafl") == "holmgang-tafl 1.0"
    assert registry.refused() == ()
    for path in PACKAGE.rglob("*"):
        if path.is_file() and path.suffix != ".pyc":
            assert tafl.file(*path.relative_to(PACKAGE).parts) is not None, f"{path.name} is not in the wheel"


def test_it_is_small() -> None:
    files = [path for path in TAFL.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files) <= MOST_LINES


def test_it_needs_nothing_but_the_house(tafl: Game) -> None:
    """That it uses what is public alone is tested with all packages, in test_interface.py."""
    used: set[str] = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                used.update(name.name.split(".")[0] for name in node.names)
            elif isinstance(node, ast.ImportFrom) and not node.level:
                used.add(str(node.module).split(".")[0])
    assert used - sys.stdlib_module_names == {"holmgang", "msgspec"}


@pytest.mark.slow
def test_its_own_tests_pass(installed_tafl: Path) -> None:
    """As they do for who has installed it, with the laws among them."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--check-games", "1"],
        env={**os.environ, "PYTHONPATH": str(installed_tafl)}, cwd=TAFL, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout.split(" passed")[0].split()[-1]) > len(LAWS)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_it_keeps_the_law(tafl: Game, law: Law) -> None:
    """Once at least with each of the options that it names, which are all there are."""
    tried = try_law(law, tafl, tafl.rules.seat_counts, range(len(tafl.laws.options)), search=0)
    assert tried.finding is None, tried.finding
    assert tried.games


def test_its_laws_try_every_choice_of_every_option(tafl: Game) -> None:
    configs = [tafl.rules.options(tafl.rules.configure(2, options)) for options in tafl.laws.options]
    for name, about in tafl.rules.options_schema["properties"].items():
        assert {config[name] for config in configs} == set(about["enum"]), name


def cited(text: str) -> list[str]:
    return sorted(re.findall(r"\b[TC]\d[.\d]*\b", text))


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("domain", DOMAINS)
def test_all_it_says_is_translated(tafl: Game, language: str, domain: Domain) -> None:
    own, house = kept(PACKAGE / "locale", language, domain), kept(FOLDER, language, domain)
    said = {(found.context, found.message) for found in said_by(tafl, domain)}
    there = {(one.context, one.id) for one in own if one.id}
    assert there <= said
    assert said - there <= {(one.context, one.id) for one in house}
    for one in own:
        if one.id:
            assert one.string
            assert domain == "rules" or fills(str(one.id), str(one.string)), one.id
            assert sorted(re.findall("`[^`]+`", str(one.id))) == sorted(re.findall("`[^`]+`", str(one.string))), one.id
            assert cited(str(one.id)) == cited(str(one.string)), one.id
