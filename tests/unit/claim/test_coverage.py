"""Every rule id has a test, and the players' text tells every rule."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from holmgang.games import claim

from .rule_ids import RULE_IDS

FOLDER = Path(__file__).parent


@pytest.fixture(scope="module")
def tested() -> set[str]:
    """The rule ids that the ids of the collected tests begin with."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", str(FOLDER)]
    done = subprocess.run(command, cwd=FOLDER.parents[2], capture_output=True, text=True, check=True)
    return set(re.findall(r"\[([KC]\d[\d.]*)-[^\]]+\]$", done.stdout, flags=re.MULTILINE))


def test_every_rule_has_a_test(tested: set[str]) -> None:
    assert [rule_id for rule_id in RULE_IDS if rule_id not in tested] == []


def test_rules_text_tells_every_rule_once() -> None:
    text = Path(claim.__file__).with_name("RULES.md").read_text()
    told = re.findall(r"^(?:#+|-) \*\*([KC]\d[\d.]*)\*\*", text, flags=re.MULTILINE)
    assert sorted(told) == sorted([*RULE_IDS, *(f"C{n}" for n in range(1, 8))])
