"""Every pattern ends where the text ends, in Python as in JSON Schema."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holmgang import registry
from holmgang.engine.patterns import END
from tests.api_document import api_document
from tests.fuzz.mutating import ENDS

SOURCES = sorted(Path(registry.__file__).parent.parent.rglob("*.py"))
OF_A_LINE = {"service/holmgang/engine/rulebook.py": r"\s*$"}
"""Patterns that read a line, which has no break."""


def _patterns(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("pattern"), str):
            yield value["pattern"]
        value = list(value.values())
    if isinstance(value, list):
        for member in value:
            yield from _patterns(member)


PUBLISHED = sorted(
    {
        *_patterns(api_document()),
        *(one for rules in registry.all_latest() for one in _patterns(dict(rules.options_schema))),
    }
)


@pytest.mark.parametrize("pattern", PUBLISHED)
def test_published_patterns_mean_the_same_in_python_and_ecma(pattern: str) -> None:
    assert pattern.startswith("^")
    assert pattern.endswith(END)
    inner = pattern.removeprefix("^").removesuffix(END)
    assert not re.search(r"\\[AZzQEGK]|\(\?[^:]|[+*?}]\+", inner), "ECMA-262 reads this otherwise"
    assert not re.search(r"(?<!\\)[$^]", re.sub(r"\[(?:\\.|[^\]])*\]", "", inner))
    re.compile(inner)  # which finds an alternative that goes beyond a group below
    depth = 0
    for character in re.sub(r"\\.|\[(?:\\.|[^\]])*\]", "", inner):
        depth += (character == "(") - (character == ")")
        assert character != "|" or depth, "the ends belong to one alternative only"


@pytest.mark.parametrize("pattern", PUBLISHED)
def test_no_end_is_let_through(pattern: str) -> None:
    @given(st.from_regex(re.compile(pattern.removesuffix(END)), fullmatch=True), st.sampled_from(ENDS))
    def ends(text: str, end: str) -> None:
        assert re.search(pattern, text)
        for longer in (text + end, end + text):
            found = re.search(pattern, longer)
            assert found is None or found[0] == longer

    ends()


def _literal(node: ast.expr) -> str | None:
    """A pattern in the source, with nothing for what it is made of elsewhere."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) for part in node.values if isinstance(part, ast.Constant))
    return None


def _in_source(path: Path) -> Iterator[tuple[int, str, str]]:
    """Line, function and pattern of every regular expression that is written in a file."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call):
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            regular = isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", "") == "re"
            given = node.args[:1] if regular or called in ("Whole", "Regexp", "matching") else []
            given += [word.value for word in node.keywords if word.arg in ("pattern", "regex")]
            for each in given:
                if (text := _literal(each)) is not None:
                    yield node.lineno, called, text


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(SOURCES[0].parent)))
def test_no_pattern_in_the_source_ends_at_a_dollar_alone(path: Path) -> None:
    for line, called, text in _in_source(path):
        where = f"{path}:{line}: {text!r}"
        if called == "Whole":  # which adds the end
            text = text.removesuffix("$")
        for known, end in OF_A_LINE.items():
            if str(path).endswith(known):
                text = text.removesuffix(end)
        assert not re.search(r"(?<!\\)\$(?!\(\?!\\n\))", re.sub(r"\[(?:\\.|[^\]])*\]", "", text)), where
        assert called != "match" or text.endswith((END, r"\Z")), f"{where}: match lets any end through"


def test_the_sweep_finds_patterns() -> None:
    assert len(PUBLISHED) >= 6
    assert sum(len(list(_in_source(path))) for path in SOURCES) > 30
