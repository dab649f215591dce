"""What many operations are asked and answer."""

from typing import Annotated, Any, Generic, TypeVar
from uuid import UUID

from msgspec import Meta, Struct

from .fields import MAX_INT
from .terms import PAGE

S = TypeVar("S", bound=Struct)
T = TypeVar("T")

MAX_PAGE = 200

Slug = Annotated[str, Meta(min_length=1, max_length=64)]
Wait = Annotated[
    int,
    Meta(
        ge=1,
        le=50,
        description="Seconds to hold the request until there is news for you. `Prefer: wait=20` does the same.",
    ),
]
AsSeat = Annotated[
    int,
    Meta(ge=0, le=99, description="Look as this seat: for the creator of a practice game. Such requests do not wait."),
]
At = Annotated[
    int,
    Meta(
        ge=0,
        le=MAX_INT,
        description="Show a finished game as it was after this row of the log; 0 is the start. Anyone may add "
        "`as_seat`. Such requests do not wait.",
    ),
]
AfterTurn = Annotated[
    int,
    Meta(
        ge=0,
        le=MAX_INT,
        description="Show the game as you saw it once this turn had ended, also while it goes on; 0 is the start. "
        "With `at` it counts for nothing.",
    ),
]
PLACE = Meta(description="Where the page begins: taken from `next` of the one before.")


def shown_as(of: type[S], record: Struct, **more: Any) -> S:
    """The Struct with these fields; all others it has from the record, by their names."""
    return of(**{name: getattr(record, name) for name in of.__struct_fields__ if name not in more}, **more)


class Page(Struct, Generic[T], frozen=True):
    items: list[T]
    next: str | None
    """The address of the next page; null on the last one."""


class Nothing(Struct, frozen=True):
    """An empty object."""


class WaitQuery(Struct, frozen=True, kw_only=True):
    wait: Wait | None = None


class PageQuery(Struct, frozen=True, kw_only=True):
    limit: Annotated[int, Meta(ge=1, le=MAX_PAGE)] = PAGE
    """The most items that a page holds."""


class CursorQuery(PageQuery, frozen=True, kw_only=True):
    cursor: Annotated[UUID, PLACE] | None = None
