"""What is made of the API document is current, and covers it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from holmgang import Problem
from tests.sdk.generating import DOCUMENT, files

FILES = files()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_it_is_current(file: Path) -> None:
    assert file.read_text(encoding="utf-8") == FILES[file], "say make openapi"


def test_a_problem_has_what_its_schema_has() -> None:
    told = set(json.loads(DOCUMENT.read_text(encoding="utf-8"))["components"]["schemas"]["Problem"]["properties"])
    assert told - set(vars(Problem(400, {}))) == {"type"}
