"""The toy game of the tests, as a package: it is found, and keeps the laws."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from holmgang import registry
from tests import games


def test_it_is_found_whole_and_forgotten(tmp_path: Path) -> None:
    with games.known(games.install(tmp_path / "there")):
        toy = registry.game("toy")
        assert registry.names()[-1] == "toy"
        assert registry.origin("toy") == "holmgang-toy 1.0"
        assert toy.judge is not None
        assert toy.file("RULES.md") is not None
        assert toy.laws.options != ({},)
    assert "toy" not in registry.names()
    assert games.MODULE not in sys.modules


def test_it_is_found_with_its_rules_alone(bare_toy: Path) -> None:
    toy = registry.game("toy")
    assert toy.judge is toy.face is toy.language is None
    assert toy.rulebook == ""


@pytest.mark.parametrize("whole", [True, False])
def test_pip_takes_the_wheel(tmp_path: Path, whole: bool) -> None:
    wheel = games.wheel(tmp_path, whole=whole)
    target = tmp_path / "target"
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", target, wheel], check=True
    )
    with games.known(target):
        assert registry.game("toy").has_judge is whole
