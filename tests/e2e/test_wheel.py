"""What the extras of the wheel bring to authors of bots: simulations and training, beside folders of any name."""

from __future__ import annotations

import re
from pathlib import Path
from zipfile import ZipFile

import pytest

from .wheels import REPOSITORY, alone, beside, built, installed

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("wheel"))


def blocks(page: str, pattern: str) -> list[str]:
    return re.findall(pattern, (REPOSITORY / "docs/pages" / page).read_text(encoding="utf-8"), re.S)


def test_it_is_small_and_has_one_package(wheel: Path) -> None:
    """Migrations, the web's files and the texts of three languages are in it."""
    assert wheel.stat().st_size < 2_000_000
    with ZipFile(wheel) as packed:
        tops = {name.partition("/")[0] for name in packed.namelist()}
    assert {name.partition("-")[0] for name in tops} == {"holmgang"}


def test_a_bot_is_simulated(wheel: Path, tmp_path: Path) -> None:
    """The bot of the page about simulations, with the extra `play`."""
    programs, packages = installed(wheel, tmp_path / "venv", "play")
    assert not (packages / "flask").exists()
    work = beside(tmp_path / "mine")
    (bot,) = blocks("how-to/simulate.md", r"<<'END'\n(.*?)\nEND\n")
    (work / "hasty.py").write_text(bot, encoding="utf-8")
    simulation = "simulate --game claim --bots hasty.py:Hasty,random --games 4 --processes 2"
    done = alone([programs / "holmgang", *simulation.split()], work)
    assert done.returncode == 0, done.stderr
    assert "Hasty" in done.stdout
    version = alone([programs / "holmgang", "--version"], work)
    assert re.fullmatch(r"holmgang, version [0-9.]+\n", version.stdout)
    refused = alone([programs / "holmgang", "serve"], work)
    assert refused.returncode == 1
    assert "pip install 'holmgang[server]'" in refused.stderr


def test_agents_are_trained(wheel: Path, tmp_path: Path) -> None:
    """The loop of the page about training, with the extra `pettingzoo`."""
    programs, packages = installed(wheel, tmp_path / "venv", "pettingzoo")
    assert not (packages / "click").exists()
    work = beside(tmp_path / "mine")
    loop, *_ = blocks("how-to/train.md", r"```python\n(.*?)```")
    (work / "train.py").write_text(loop, encoding="utf-8")
    done = alone([programs / "python", "train.py"], work)
    assert done.returncode == 0, done.stderr
    assert "'seat_1'" in done.stdout
