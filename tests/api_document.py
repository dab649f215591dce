"""The API document as the tests look at it: made once in each of their processes, and changed by nobody."""

from __future__ import annotations

from functools import cache
from typing import Any

import jsonschema

from holmgang.api.openapi import sharing
from holmgang.api.openapi.document import document


@cache
def api_document() -> dict[str, Any]:
    return document()


@cache
def operations() -> dict[str, dict[str, Any]]:
    """What the document says of each operation, by its id."""
    return {each["operationId"]: each for verbs in api_document()["paths"].values() for each in verbs.values()}


def resolved(value: dict[str, Any]) -> dict[str, Any]:
    return sharing.resolved(api_document(), value)


def parameters(operation: dict[str, Any]) -> list[dict[str, Any]]:
    return [resolved(each) for each in operation["parameters"]]


def check(value: Any, schema: dict[str, Any]) -> None:
    """The value fits a schema of the document, formats included."""
    whole = {**schema, "components": api_document()["components"]}
    validator = jsonschema.Draft202012Validator(whole, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER)
    validator.validate(value)
