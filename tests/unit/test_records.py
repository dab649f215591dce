"""What the tests of records are made with keeps its own word."""

from __future__ import annotations

import gc
import itertools

import pytest

from tests.unit.records import briefly


class Leftover:
    """Garbage for the collector whose finalizer takes a while, as that of a pool of connections does."""

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        sum(range(200))


def litter() -> None:
    for _ in itertools.repeat(None):
        Leftover()


def test_what_goes_round_for_ever_is_ended_and_not_by_way_of_a_finalizer() -> None:
    with pytest.raises(TimeoutError), briefly():
        litter()
    assert gc.isenabled()


def test_what_ends_in_time_is_left_alone() -> None:
    with briefly(10.0):
        done = sum(range(1000))
    assert done == 499_500
    assert gc.isenabled()
