"""What a problem says of itself, which is what authors read in logs and tracebacks."""

from __future__ import annotations

from typing import Any

import pytest

from holmgang.problems import Problem


def entry(pointer: str, detail: str) -> dict[str, str]:
    return {"code": "wrong", "pointer": pointer, "detail": detail}


@pytest.mark.parametrize(
    ("detail", "errors", "said"),
    [
        ("It is full.", [], "It is full."),
        ("'type' is missing.", [entry("/action/type", "'type' is missing.")], "'type' is missing. [/action/type]"),
        ("?limit: Too large.", [entry("?limit", "Too large.")], "?limit: Too large."),
        ("/a: No.", [entry("/a", "No."), entry("/b", "Never.")], "/a: No. [/b: Never.]"),
        ("No.", {"name": ["It is too long."]}, "No."),
        ("No.", None, "No."),
    ],
)
def test_it_says_everything_once(detail: str, errors: Any, said: str) -> None:
    problem = Problem(422, {"code": "invalid_field", "detail": detail, "errors": errors})
    assert str(problem) == f"422 invalid_field: {said}"
