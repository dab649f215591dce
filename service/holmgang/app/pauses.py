"""Long work in short pieces, so that others of the process get on meanwhile."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

PIECE_SECONDS = 0.001
"""How long to work before others get their turn."""
_PAUSE_SECONDS = 1e-6
"""However short, it lets greenlets run that wait for the network. A sleep of 0 would not."""


def with_pauses(items: Iterable[T]) -> Iterator[T]:
    """Yield the items, and pause whenever work on them has taken a while."""
    until = time.perf_counter() + PIECE_SECONDS
    for item in items:
        if time.perf_counter() >= until:
            time.sleep(_PAUSE_SECONDS)
            until = time.perf_counter() + PIECE_SECONDS
        yield item
