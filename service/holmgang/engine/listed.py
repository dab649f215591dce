"""Moves that are few enough to be listed whenever they are needed, as most board games have them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Generic, TypeVar

import msgspec

from .errors import Fault
from .moves import Rng

Action = TypeVar("Action")


class ListedMoves(Generic[Action]):
    """A `MoveSpace` of what `make` makes of each of `choices`, such as pairs of squares: distinct actions, in an order
    that depends on the position alone. Choices are listed when they are first needed, actions made where one is wanted.

    `why_not` gives the rule that an action of the right shape breaks, and None for those that are listed.
    """

    def __init__(
        self, choices: Iterable[Any], make: Callable[[Any], Action], why_not: Callable[[Action], Fault | None]
    ) -> None:
        self._source, self._make = choices, make
        self._why_not = why_not

    @cached_property
    def _choices(self) -> tuple[Any, ...]:
        return tuple(self._source)

    def __contains__(self, action: Any) -> bool:
        return self._why_not(action) is None

    def __iter__(self) -> Iterator[Action]:
        return map(self._make, self._choices)

    def count(self) -> int:
        return len(self._choices)

    def sample(self, rng: Rng) -> Action:
        choices = self._choices
        return self._make(choices[rng.randrange(len(choices))])

    def why_not(self, action: Any) -> Fault | None:
        return self._why_not(action)

    def grammar(self) -> Mapping[str, Any]:
        """All of them: clients are sent it where they are not sent the list, which is too long."""
        return {"actions": msgspec.to_builtins(list(self))}
