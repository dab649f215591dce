"""docs/pages/tutorials/training-an-agent.md, as it stands there: the agent that it trains wins, and the curve is drawn.

Its packages are large and not on every index, so they are in an environment of their own, which is made from
`locks/training.lock`; where they cannot be had, the test is left out and says what pip said.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.fenced import REPOSITORY, blocks_of

PAGE = "docs/pages/tutorials/training-an-agent.md"
TEXT = (REPOSITORY / PAGE).read_text(encoding="utf-8")
SCRIPT = "\n\n".join(block.text for block in blocks_of(PAGE, TEXT) if block.language == "python")
MINUTES = 10
"""Of CPU: what two cores would have at hand is twice that."""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of an environment with what the tutorial needs."""
    folder = tmp_path_factory.mktemp("training")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = folder / "bin/python"
    lock = REPOSITORY / "locks/training.lock"
    command = [
        str(python),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--require-hashes",
        "--only-binary",
        ":all:",
        "-r",
        str(lock),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1200, check=False)
    if done.returncode:
        pytest.skip(f"The packages for training cannot be installed here: {done.stderr.strip()[-400:]}")
    return python


@pytest.mark.slow
@pytest.mark.timeout(4000)
def test_the_agent_of_the_tutorial_wins_four_games_of_five(python: Path, tmp_path: Path) -> None:
    """What is bounded is its CPU: how long that takes is the machine's."""
    (tmp_path / "train_claim.py").write_text(SCRIPT, encoding="utf-8")
    done = subprocess.run(
        [python, "train_claim.py"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(REPOSITORY / "service"), "PATH": os.environ["PATH"], "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=3900,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    (low,) = re.findall(r"against random: [\d.]+% won \(([\d.]+)% to", done.stdout)
    assert float(low) > 80, done.stdout
    spent = [int(seconds) for seconds in re.findall(r"words +(\d+) s of CPU", done.stdout)]
    assert len(spent) >= 5
    assert max(spent) < 60 * MINUTES
    assert "<svg" in (tmp_path / "learning-curve.svg").read_text(encoding="utf-8")
    assert (tmp_path / "claim.zip").stat().st_size > 10_000


def test_the_tutorial_shows_what_it_measured() -> None:
    """The picture is the script's own, and small; the figures are beside it."""
    (picture,) = re.findall(r"!\[[^\]]+\]\(\.\./(assets/[\w-]+\.svg)\)", TEXT)
    drawn = (REPOSITORY / "docs/pages" / picture).read_text(encoding="utf-8")
    assert len(drawn) < 40_000
    assert "<svg" in drawn
    told = [int(share) for share in re.findall(r"(\d+)% won", TEXT)]
    assert max(told) >= 80
    compile(SCRIPT, PAGE, "exec")


def test_the_script_asks_for_nothing_that_the_lock_does_not_have() -> None:
    lock = (REPOSITORY / "locks/training.lock").read_text(encoding="utf-8")
    for package in ("sb3-contrib", "stable-baselines3", "torch", "gymnasium", "numpy", "pettingzoo", "matplotlib"):
        assert re.search(rf"^{package}==", lock, re.M), package
