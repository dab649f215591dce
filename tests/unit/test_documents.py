"""The API document follows from the games that there are: with any of them it is valid, and so are its examples."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from holmgang import registry
from holmgang.cli.main import holmgang
from tests.games import install, known
from tests.packages import package

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
COMMITTED = ROOT / "openapi" / "openapi.json"
CLASHING = """
from msgspec import Struct

from holmgang.engine.rules import Combat
from holmgang.games.claim.rules.rules import ClaimRules


class Page(Struct, frozen=True):
    words: str


class Fight(Combat, frozen=True, kw_only=True):
    page: Page | None = None


class Pebbles(ClaimRules):
    ruleset, title, combat_type = "{name}", "Named", Fight
"""
"""Rules that call one of their types as the house calls one of its own in a game that is called `game`."""
ALIKE = """
from msgspec import Struct

from holmgang.engine.rules import Combat
from holmgang.games.claim.rules.rules import ClaimRules


class Options(Struct, frozen=True):
    words: str


class Fight(Combat, frozen=True, kw_only=True):
    options: Options | None = None


class Pebbles(ClaimRules):
    ruleset, title, combat_type = "{name}", "Named", Fight
    turn_kinds = {"again": ClaimRules.turn_kinds["placement"], **ClaimRules.turn_kinds}
"""
"""Rules with two kinds of turn whose actions are of one type, and a part that is called as the options are."""


def made(**given: Any) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.documents", json.dumps(given)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    assert told["faults"] == []
    return told


def installed_tafl(folder: Path) -> Path:
    """What pip notes of the example when it is installed as it lies there."""
    noted = folder / "holmgang_tafl-1.0.dist-info"
    noted.mkdir()
    (noted / "METADATA").write_text("Metadata-Version: 2.1\nName: holmgang-tafl\nVersion: 1.0\n")
    (noted / "entry_points.txt").write_text("[holmgang.games]\ntafl = holmgang_tafl:GAME\n")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("name", registry.names())
def test_any_game_may_be_gone(name: str) -> None:
    told = made(dropped=[name])
    assert told["games"] == [each for each in registry.names() if each != name]
    assert told["ruleset"]["example"] == told["games"][0]
    assert name not in json.dumps(told).lower().replace('"claimed', "")


@pytest.mark.slow
@pytest.mark.parametrize("name", registry.names())
def test_any_game_may_be_alone(name: str) -> None:
    assert made(dropped=[each for each in registry.names() if each != name])["games"] == [name]


@pytest.mark.slow
def test_any_game_may_come_first() -> None:
    told = made(backwards=True)
    assert told["games"] == list(reversed(registry.names()))
    assert told["ruleset"]["example"] == told["games"][0]


@pytest.mark.parametrize(
    ("whole", "first"),
    [
        pytest.param(True, None, id="whole"),
        pytest.param(False, "toy", id="rules alone, first", marks=pytest.mark.slow),
        pytest.param(True, "toy", id="whole, first", marks=pytest.mark.slow),
        pytest.param(False, None, id="rules alone", marks=pytest.mark.slow),
    ],
)
def test_a_game_may_be_added(tmp_path: Path, whole: bool, first: str | None) -> None:
    told = made(paths=[str(install(tmp_path, whole=whole))], first=first)
    assert "toy" in told["games"]
    assert {"ToyView", "ToyPlayAction", "ToyOptions"} <= set(told["schemas"])
    assert told["ruleset"]["example"] == told["games"][0]


@pytest.mark.slow
def test_a_game_without_combats_sealed_turns_or_context_may_be_all_there_is(tmp_path: Path) -> None:
    paths = [str(installed_tafl(tmp_path)), str(ROOT / "examples" / "tafl")]
    told = made(paths=paths, dropped=list(registry.names()))
    assert told["games"] == ["tafl"]
    assert "getTurn" in told["answered"]
    assert "getCombat" not in told["answered"]
    assert "getCombat" in made(paths=paths, first="tafl")["answered"]


@pytest.mark.slow
def test_names_of_schemas_do_not_clash(tmp_path: Path) -> None:
    package(tmp_path, "game", rules=CLASHING)
    package(tmp_path, "game_game", rules=CLASHING)
    told = made(paths=[str(tmp_path)])
    assert {"GamePage", "GameGamePage", "GameGameView", "GameGameGameView"} <= set(told["schemas"])
    assert made(paths=[str(tmp_path)], first="game")["ruleset"]["example"] == "game"


@pytest.mark.slow
def test_kinds_of_turn_may_share_a_type_and_parts_be_called_as_anything(tmp_path: Path) -> None:
    package(tmp_path, "pebbles", rules=ALIKE)
    told = made(paths=[str(tmp_path)], first="pebbles")
    assert {"PebblesAgainAction", "PebblesPlacementAction", "PebblesOptions"} <= set(told["schemas"])
    assert "PebblesOptionsPart" in told["schemas"]


def test_the_written_document_has_the_games_of_the_house(tmp_path: Path) -> None:
    with known(install(tmp_path)):
        checked = CliRunner().invoke(holmgang, ["openapi", "--check", str(COMMITTED)])
        assert checked.exit_code == 0, checked.output
        served = CliRunner().invoke(holmgang, ["openapi", "--packages"]).output
        assert "ToyView" in json.loads(served)["components"]["schemas"]
        assert CliRunner().invoke(holmgang, ["openapi", "--check", str(COMMITTED), "--packages"]).exit_code == 1
        assert "toy" in registry.names()
    assert "ToyView" not in CliRunner().invoke(holmgang, ["openapi", "--packages"]).output
