"""Pointers of malformed actions lead to the fault."""

from __future__ import annotations

from typing import Any

import pytest

from holmgang import registry
from holmgang.engine.errors import MalformedAction


@pytest.mark.parametrize(
    ("action", "pointer"),
    [
        ({"type": "place", "fields": {"Z": 1}, "sieges": []}, "/fields/Z"),
        ({"type": "place", "fields": {"A": "one"}, "sieges": []}, "/fields/A"),
        ({"type": "place", "fields": {}, "sieges": ["9:ram"]}, "/sieges/0"),
        ({"type": "place", "fields": {}}, "/sieges"),
        ({"fields": {}, "sieges": []}, "/type"),
        ([], ""),
    ],
)
def test_pointers(action: Any, pointer: str) -> None:
    with pytest.raises(MalformedAction) as malformed:
        registry.latest("eketorp").decode("placement", action)
    assert malformed.value.pointer == pointer
