"""The legal actions of one seat at one turn, as a set that need not be listed to be used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol, TypeVar

from .errors import Fault

Action_co = TypeVar("Action_co", covariant=True)


class Rng(Protocol):
    """A source of random numbers. `random.Random` is one; the engine itself never makes any."""

    def random(self) -> float:
        """A number in [0, 1)."""
        ...

    def randrange(self, stop: int, /) -> int:
        """A number in range(stop)."""
        ...


class MoveSpace(Protocol[Action_co]):
    """What a seat may do now. Depends only on what that seat sees.

    Iteration yields each distinct action once, in an order that depends on the position alone. Every legal action
    has a positive chance to be sampled.
    """

    def __contains__(self, action: Any, /) -> bool: ...

    def __iter__(self) -> Iterator[Action_co]: ...

    def count(self) -> int | None:
        """How many distinct actions there are; None where finding out would cost too much."""
        ...

    def sample(self, rng: Rng, /) -> Action_co: ...

    def why_not(self, action: Any, /) -> Fault | None:
        """The rule that forbids `action`, which has the right shape; None when it is legal."""
        ...

    def grammar(self) -> Mapping[str, Any]:
        """The bounds of the legal actions as a JSON-ready value, for clients that build their own."""
        ...
