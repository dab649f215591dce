"""What is made of the API document is current, and covers it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from holmgang import Problem
from tests.sdk.generating import DOCUMENT, files, kind_of

FILES = files()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_it_is_current(file: Path) -> None:
    assert file.read_text(encoding="utf-8") == FILES[file], "say make openapi"


def test_a_problem_has_what_its_schema_has() -> None:
    told = set(json.loads(DOCUMENT.read_text(encoding="utf-8"))["components"]["schemas"]["Problem"]["properties"])
    assert told - set(vars(Problem(400, {}))) == {"type"}


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"const": "move"}, 'Literal["move"]'),
        ({"enum": ["move"]}, 'Literal["move"]'),
        ({"const": True}, "Literal[True]"),
        ({"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}]}, "list[int | str]"),
        ({"type": "array", "prefixItems": [{"type": "integer"}] * 2, "items": {"type": "integer"}}, "list[int]"),
        ({"anyOf": [{"$ref": "#/x/A"}, {"$ref": "#/x/B"}, {"type": "null"}]}, "A | B | None"),
    ],
)
def test_a_schema_as_python_writes_it(schema: dict[str, Any], kind: str) -> None:
    assert kind_of(schema, str) == kind


def test_types_of_games_are_not_loaded_with_the_client() -> None:
    loaded = (
        "import sys, holmgang.answers; holmgang.Bot; print([name for name in sys.modules if name.endswith('claim')])"
    )
    assert subprocess.check_output([sys.executable, "-c", loaded], text=True) == "[]\n"
