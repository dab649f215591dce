"""The example of docs/pages/how-to/train.md, as it stands there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from holmgang import registry
from tests.unit.games import SETTINGS

REPOSITORY = Path(__file__).parents[3]
TEXT = (REPOSITORY / "docs/pages/how-to/train.md").read_text(encoding="utf-8")


def test_the_example_plays_a_game() -> None:
    script, _ = re.findall(r"```python\n(.*?)```", TEXT, re.S)
    command = [sys.executable, "-c", script]
    played = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, timeout=120, check=False)
    assert played.returncode == 0, played.stderr
    assert re.fullmatch(r"\{'seat_[01]': -?1\.0, 'seat_[01]': -?1\.0\}\n", played.stdout), played.stdout


def test_it_tells_how_many_words_there_are() -> None:
    sizes = {ruleset: [] for ruleset in registry.names()}  # type: dict[str, list[int]]
    for setting in SETTINGS:
        sizes[setting.ruleset].append(
            len(registry.game(setting.ruleset).language(setting.rules, setting.config()).words)
        )
    for ruleset, counts in sizes.items():
        (told,) = re.findall(rf"\| `{ruleset}` \| ([^:]*):", TEXT)
        assert [int(number) for number in re.findall(r"\d+", told)] == (
            counts if len(counts) <= 3 else [min(counts), max(counts)]
        )
