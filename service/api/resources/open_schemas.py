"""The base of what the service answers: open schemas, to which fields may be added."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from marshmallow import fields

from service.app.play.gently import gently


class Answer(ma.Schema):
    class Meta:
        unknown = ma.INCLUDE


def about(text: str, **more: Any) -> dict[str, Any]:
    return {"description": text, **more}


def need(field: type[fields.Field[Any]], text: str = "", **more: Any) -> Any:
    return field(required=True, metadata=about(text) if text else {}, **more)


class Items(fields.List[Any]):
    """The things on a page, of which there may be many."""

    def __init__(self, each: type[ma.Schema]) -> None:
        super().__init__(fields.Nested(each), required=True)

    def _serialize(self, value: Any, attr: str | None, obj: Any, **kwargs: Any) -> list[Any] | None:
        if value is None:
            return None
        return [self.inner._serialize(each, attr, obj, **kwargs) for each in gently(value)]


class Page(Answer):
    next = need(fields.String, "The address of the next page; null on the last one.", allow_none=True)
