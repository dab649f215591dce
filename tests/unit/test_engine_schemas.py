"""JSON Schemas of the rules' types: every tool reads them, and a turn's have nothing to resolve."""

from __future__ import annotations

import json
from typing import Any, Literal

import jsonschema
import pytest
from msgspec import Struct
from msgspec import json as msgspec_json

from holmgang import registry
from holmgang.engine.rules import AnyRules
from holmgang.engine.schemas import inlined, standalone, tidy, unordered

RULES = registry.all_latest()


class Stone(Struct, frozen=True):
    """A stone,
    on the board."""

    colour: Literal["grey"]
    at: tuple[int, int]
    mark: tuple[str, int, str]
    default: tuple[int, int] = (0, 0)


class Lay(Struct, frozen=True, tag="lay"):
    stone: Stone
    discriminator: str


class Lift(Struct, frozen=True, tag="lift"):
    stones: list[Stone]


class Tree(Struct, frozen=True):
    under: Tree | None
    stone: Stone


STONE = {"colour": "grey", "at": [1, 2], "mark": ["a", 1, "b"]}
FITTING = [{"type": "lay", "stone": STONE, "discriminator": "d"}, {"type": "lift", "stones": [STONE, STONE]}]
WRONG = [
    {"type": "lay", "stone": {**STONE, "colour": "red"}, "discriminator": "d"},
    {"type": "lay", "stone": {**STONE, "at": [1, 2, 3]}, "discriminator": "d"},
    {"type": "lift", "stones": [{**STONE, "mark": [1, "a", "b"]}]},
    {"type": "throw", "stones": []},
]


def fits(value: Any, schema: dict[str, Any]) -> bool:
    jsonschema.Draft202012Validator.check_schema(schema)
    return bool(jsonschema.Draft202012Validator(schema).is_valid(value))


@pytest.mark.parametrize("made", [standalone, inlined, msgspec_json.schema])
def test_schemas_of_all_forms_take_the_same(made: Any) -> None:
    schema = made(Lay | Lift)
    assert all(fits(value, schema) for value in FITTING)
    assert not any(fits(value, schema) for value in WRONG)


def test_a_schema_says_what_all_tools_read() -> None:
    stone = standalone(Stone)["$defs"]["Stone"]
    assert stone["description"] == "A stone,\non the board."
    assert stone["properties"]["colour"] == {"const": "grey"}
    assert stone["properties"]["at"]["items"] == {"type": "integer"}
    assert stone["properties"]["default"]["items"] == {"type": "integer"}
    assert stone["properties"]["mark"]["items"] == {"anyOf": [{"type": "string"}, {"type": "integer"}]}
    assert tidy({"default": {"enum": [1]}}) == {"default": {"enum": [1]}}


def test_an_array_of_a_fixed_length_is_one_of_its_kinds_of_items() -> None:
    stone = unordered(standalone(Stone))["$defs"]["Stone"]["properties"]
    assert stone["at"] == {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2}
    assert stone["mark"]["items"] == {"anyOf": [{"type": "string"}, {"type": "integer"}]}
    assert unordered({"default": {"prefixItems": 1}}) == {"default": {"prefixItems": 1}}


def test_what_is_in_its_place_needs_no_reference() -> None:
    schema = inlined(Lay | Lift)
    assert "$" not in json.dumps(schema)
    assert "discriminator" in schema["anyOf"][0]["properties"]


def test_members_of_a_union_are_told_apart_once() -> None:
    schema = standalone(Lay | Lift)
    assert set(schema) == {"anyOf", "$defs"}
    assert [part["properties"]["type"] for part in schema["$defs"].values() if "type" in part["properties"]] == [
        {"const": "lay"},
        {"const": "lift"},
    ]


def test_a_type_that_holds_itself_keeps_its_definitions() -> None:
    assert inlined(Tree) == standalone(Tree)
    assert fits({"under": {"under": None, "stone": STONE}, "stone": STONE}, inlined(Tree))
    assert not fits({"under": {"under": 1, "stone": STONE}, "stone": STONE}, inlined(Tree))


@pytest.mark.parametrize("rules", RULES, ids=[rules.ruleset for rules in RULES])
def test_turns_of_the_house_have_schemas_without_references_that_are_no_longer(rules: AnyRules) -> None:
    for actions in rules.turn_kinds.values():
        assert '"$' not in json.dumps(inlined(actions))
        assert len(json.dumps(inlined(actions))) < len(json.dumps(msgspec_json.schema(actions)))
