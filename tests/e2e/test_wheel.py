"""The wheel, and what its extra `pettingzoo` brings to those who train, beside folders of any name."""

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


def test_it_is_small_and_has_one_package(wheel: Path) -> None:
    """Migrations, the web's files and the texts of three languages are in it."""
    assert wheel.stat().st_size < 2_000_000
    with ZipFile(wheel) as packed:
        tops = {name.partition("/")[0] for name in packed.namelist()}
    assert {name.partition("-")[0] for name in tops} == {"holmgang"}


def test_agents_are_trained(wheel: Path, tmp_path: Path) -> None:
    """The loop of the page about training, with the extra `pettingzoo`."""
    programs, packages = installed(wheel, tmp_path / "venv", "pettingzoo")
    assert not (packages / "click").exists()
    work = beside(tmp_path / "mine")
    loop, *_ = re.findall(r"```python\n(.*?)```", (REPOSITORY / "docs/pages/how-to/train.md").read_text("utf-8"), re.S)
    (work / "train.py").write_text(loop, encoding="utf-8")
    done = alone([programs / "python", "train.py"], work)
    assert done.returncode == 0, done.stderr
    assert "'seat_1'" in done.stdout
