"""Schemas that are made of Structs: all that a Struct says of a field is in what is read and in the document."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from apispec import APISpec
from marshmallow import ValidationError
from msgspec import UNSET, Meta, Struct, UnsetType

from holmgang.api.openapi.document import Schemas
from holmgang.api.operation import schemas
from holmgang.api.operation.shapes import Page, PageQuery
from holmgang.app.records.games import Invitation
from holmgang.engine.rules import of_rules
from tests.api_document import api_document


class Noted(Invitation, frozen=True):
    """An invitation with a note."""

    note: str | None
    """What its maker wrote
    on it."""
    marks: list[Annotated[int, Meta(ge=1)]]
    until: datetime | UnsetType = UNSET


class NewNote(Struct, frozen=True, kw_only=True):
    text: Annotated[str, Meta(min_length=1, max_length=5)]
    """What to write."""
    to: UUID | None = None
    colour: Literal["red", "blue"] = "blue"
    times: Annotated[int, Meta(ge=1, le=3)] = 1
    lines: list[str] = []
    at: datetime | None = None
    action: Annotated[Any, of_rules("Action")] = None


class NotesQuery(PageQuery, frozen=True, kw_only=True):
    loud: bool = False


def written(*made: type[Any]) -> dict[str, Any]:
    spec = APISpec("test", "1", "3.1.0", plugins=[Schemas()])
    for schema in made:
        spec.components.schema(schema.__name__, schema=schema)
    found: dict[str, Any] = spec.to_dict()["components"]["schemas"]
    return found


def test_a_field_that_is_added_to_a_record_is_in_its_schema() -> None:
    told = written(schemas.answered(Noted))["Noted"]
    assert told["description"] == "An invitation with a note."
    known = api_document()["components"]["schemas"]["Invitation"]
    assert told["properties"] == known["properties"] | {
        "note": {"type": ["string", "null"], "description": "What its maker wrote on it."},
        "marks": {"type": "array", "items": {"type": "integer", "minimum": 1}},
        "until": {"type": "string", "format": "date-time"},
    }
    assert set(told["required"]) == {*known["required"], "note", "marks"}


def test_a_page_is_named_after_what_it_holds() -> None:
    made = schemas.answered(Page[Noted])
    assert made.__name__ == "NotedPage"
    assert written(made)["NotedPage"]["properties"]["items"]["items"] == {"$ref": "#/components/schemas/Noted"}


def test_a_body_says_all_of_its_fields() -> None:
    told = written(schemas.body(NewNote))["NewNote"]
    assert told["additionalProperties"] is False
    assert told["required"] == ["text"]
    assert told["properties"] == {
        "text": {"type": "string", "minLength": 1, "maxLength": 5, "description": "What to write."},
        "to": {"type": ["string", "null"], "format": "uuid", "default": None},
        "colour": {"type": "string", "enum": ["red", "blue"], "default": "blue"},
        "times": {"type": "integer", "minimum": 1, "maximum": 3, "default": 1},
        "lines": {"type": "array", "items": {"type": "string"}},
        "at": {"type": ["string", "null"], "format": "date-time", "default": None},
        "action": {"anyOf": [{"$ref": "#/components/schemas/AnyAction"}], "default": None},
    }


def test_what_was_read_is_the_struct() -> None:
    schema, to = schemas.body(NewNote)(), UUID(int=7)
    assert schema.load({"text": "hail"}) == NewNote(text="hail")
    sent = {"text": "a", "to": str(to), "colour": "red", "times": 3, "lines": ["b"], "at": "2030-01-31T12:00:00Z"}
    at = datetime(2030, 1, 31, 12, tzinfo=UTC)
    assert schema.load(sent) == NewNote(text="a", to=to, colour="red", times=3, lines=["b"], at=at)
    assert schemas.query(NotesQuery)().load({"limit": "7", "loud": "true"}) == NotesQuery(limit=7, loud=True)


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"text": ""},
        {"text": "abcdef"},
        {"text": None},
        {"text": "a", "to": "7"},
        {"text": "a", "colour": "green"},
        {"text": "a", "times": 4},
        {"text": "a", "times": "1"},
        {"text": "a", "lines": [1]},
        {"text": "a", "at": "2030"},
        {"text": "a", "more": 1},
    ],
    ids=repr,
)
def test_what_a_struct_does_not_allow_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        schemas.body(NewNote)().load(wrong)
