"""Every rule id has a test, and the players' text tells every rule."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from holmgang.games import eketorp

from .rule_ids import RULE_IDS

FOLDER = Path(__file__).parent
RULES_TEXT = Path(eketorp.__file__).with_name("RULES.md")


@pytest.fixture(scope="module")
def tested() -> set[str]:
    """The rule ids that the ids of the collected tests begin with."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", str(FOLDER)]
    done = subprocess.run(command, cwd=FOLDER.parents[2], capture_output=True, text=True, check=True)
    return set(re.findall(r"\[([EC]\d[\d.]*)-[^\]]+\]$", done.stdout, flags=re.MULTILINE))


def test_every_rule_has_a_test(tested: set[str]) -> None:
    assert [rule_id for rule_id in RULE_IDS if rule_id not in tested] == []


def test_no_test_names_an_unknown_rule(tested: set[str]) -> None:
    assert tested <= set(RULE_IDS)


def told() -> list[str]:
    """The ids of RULES.md: bold and first in a heading or a bullet."""
    return re.findall(r"^(?:#+|-) \*\*([EC]\d[\d.]*)\*\*", RULES_TEXT.read_text(), flags=re.MULTILINE)


def test_rules_text_tells_every_rule_once() -> None:
    assert sorted(told()) == sorted(RULE_IDS)
