"""The table in docs/pages/how-to/faults.md: each row is shown by tests that there are."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
TABLE = REPOSITORY / "docs/pages/how-to/faults.md"
FAULT, SHOWN_BY = "fault", "shown by"
_NAMED = re.compile(r"`(test_\w+\.py)::(test_\w+)`")


def rows() -> dict[str, str]:
    """The cell that names tests, by fault."""
    lines = [line.strip("|").split("|") for line in TABLE.read_text().splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line] for line in lines]
    at = next(number for number, line in enumerate(cells) if line[0] == FAULT)
    assert cells[at][-1] == SHOWN_BY
    wide = [line for line in cells[at + 2 :] if len(line) == len(cells[at])]
    return {line[0]: line[-1] for line in wide}


def defined(file: str) -> set[str]:
    """The tests in a file of that name."""
    found = list(REPOSITORY.glob(f"tests/**/{file}"))
    assert len(found) == 1, f"{file} names {len(found)} files"
    return {node.name for node in ast.parse(found[0].read_text()).body if isinstance(node, ast.FunctionDef)}


def test_the_table_is_found() -> None:
    assert len(rows()) >= 10


@pytest.mark.parametrize("fault", rows())
def test_each_fault_is_shown_by_tests_that_there_are(fault: str) -> None:
    shown = rows()[fault]
    named = _NAMED.findall(shown)
    assert named
    assert _NAMED.sub("", shown).strip(" ,") == "", "nothing else stands there"
    missing = [name for file, name in named if name not in defined(file)]
    assert missing == []
