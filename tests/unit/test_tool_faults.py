"""The API document has nothing that some strangers' tool stumbles over."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from tests.api_document import api_document
from tests.tool_faults import tool_faults

TURN = ("paths", "/v1/games/{game}/turn", "get", "responses", "200", "content", "application/json", "examples", "yours")
SEAT = ("components", "schemas", "Seat", "properties", "seat")


def test_the_document_has_none() -> None:
    assert list(tool_faults(api_document())) == []


@pytest.mark.parametrize(
    ("place", "put", "told"),
    [
        pytest.param((*TURN, "value", "legal", "schema"), {"$ref": "#/$defs/Place"}, "$ref in a value", id="reference"),
        pytest.param((*TURN, "value", "view", "deep"), [{"x": {"$id": "a"}}], "$id in a value", id="deep"),
        pytest.param((*SEAT, "default"), {"$ref": "a"}, "$ref in a value", id="default"),
        pytest.param((*SEAT, "examples"), [{"$ref": "a"}], "$ref in a value", id="example of a schema"),
        pytest.param((*SEAT, "enum"), [1], "an enum of one value", id="enum"),
        pytest.param((*SEAT, "anyOf"), [{}], "a choice of one schema", id="choice"),
        pytest.param((*SEAT, "prefixItems"), [{}], "prefixItems, beside", id="tuple"),
        pytest.param((*SEAT[:3], "items"), False, "", id="no schema"),
        pytest.param((*SEAT[:2], "Index"), {"type": "object"}, "generators write", id="file"),
        pytest.param((*SEAT[:2], "Record"), {"type": "object"}, "a type of TypeScript", id="type"),
        pytest.param((*SEAT[:2], "sEat"), {"type": "object"}, "case alone", id="case"),
    ],
)
def test_what_is_put_into_it_is_found(place: tuple[str, ...], put: Any, told: str) -> None:
    document = deepcopy(api_document())
    within: Any = document
    for step in place[:-1]:
        within = within.setdefault(step, {})
    within[place[-1]] = put
    found = list(tool_faults(document))
    assert [told in each for each in found] == ([True] if told else [])
