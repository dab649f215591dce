"""What answers are made of."""

from typing import TYPE_CHECKING, Any, Generic, TypedDict, TypeVar

T = TypeVar("T")
JSON = dict[str, Any]

if TYPE_CHECKING:  # type checkers bring this package with them
    import typing_extensions

    Action = typing_extensions.TypeVar("Action", default=JSON)
else:
    Action = TypeVar("Action")
"""A game's actions; where the game is not said, JSON."""


class Page(TypedDict, Generic[T]):
    """Some of a list; `next` is the address of what follows, null at the end."""

    items: list[T]
    next: str | None
