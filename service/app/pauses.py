"""Long work in short pieces, so that others of the process get on meanwhile."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

PIECE_SECONDS = 0.001
"""How long one works before the others are let in."""
_PAUSE_SECONDS = 1e-6
"""No matter how short: greenlets that have heard from the network get on meanwhile. In a pause of nothing they would
not."""


def with_pauses(items: Iterable[T]) -> Iterator[T]:
    """The same, with a pause whenever work on them has taken a while."""
    until = time.perf_counter() + PIECE_SECONDS
    for item in items:
        if time.perf_counter() >= until:
            time.sleep(_PAUSE_SECONDS)
            until = time.perf_counter() + PIECE_SECONDS
        yield item
