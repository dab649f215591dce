"""What answers are made of."""

from typing import Any, Generic, TypedDict, TypeVar

T = TypeVar("T")
JSON = dict[str, Any]


class Page(TypedDict, Generic[T]):
    """Some of a list; `next` is the address of what follows, null at the end."""

    items: list[T]
    next: str | None
