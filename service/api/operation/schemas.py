"""The bases of schemas: closed ones of what is sent, open ones of what is answered, to which fields may be added."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from marshmallow import fields, validate

from service.api.operation.fields import MAX_INT, Ident, QueryCount
from service.app.pauses import with_pauses


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
        return [self.inner._serialize(each, attr, obj, **kwargs) for each in with_pauses(value)]


class Page(Answer):
    next = need(fields.String, "The address of the next page; null on the last one.", allow_none=True)


PAGE, MAX_PAGE = 50, 200


SLUG = validate.Length(min=1, max=64)


class Body(ma.Schema):
    """Unknown fields are refused."""

    class Meta:
        unknown = ma.RAISE


class Nothing(Body):
    """An empty object."""


def wait() -> QueryCount:
    return QueryCount(
        load_default=None,
        validate=validate.Range(min=1, max=50),
        metadata={
            "description": "Seconds to hold the request until there is news for you. `Prefer: wait=20` does the same."
        },
    )


def as_seat() -> QueryCount:
    return QueryCount(
        load_default=None,
        validate=validate.Range(min=0, max=99),
        metadata={"description": "Look as this seat: for who created a practice game. Such requests do not wait."},
    )


def at() -> QueryCount:
    return QueryCount(
        load_default=None,
        validate=validate.Range(min=0, max=MAX_INT),
        metadata={
            "description": "Of a finished game: as it was after the log's row of this number, from 0 for its start; "
            "anybody may add `as_seat`. Such requests do not wait."
        },
    )


class WaitQuery(Body):
    wait = wait()


class PageQuery(Body):
    limit = QueryCount(
        load_default=PAGE,
        validate=validate.Range(min=1, max=MAX_PAGE),
        metadata={"description": "The most items that a page holds."},
    )


class CursorQuery(PageQuery):
    cursor = Ident(
        load_default=None, metadata={"description": "Where the page begins: taken from `next` of the one before."}
    )
