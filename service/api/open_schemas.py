"""The base of what the service answers: open schemas, to which fields may be added."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from marshmallow import fields


class Answer(ma.Schema):
    class Meta:
        unknown = ma.INCLUDE


def about(text: str, **more: Any) -> dict[str, Any]:
    return {"description": text, **more}


def need(field: type[fields.Field[Any]], text: str = "", **more: Any) -> Any:
    return field(required=True, metadata=about(text) if text else {}, **more)


class Page(Answer):
    next = need(fields.String, "The address of the next page; null on the last one.", allow_none=True)
