"""Which cases of a test are tried in each run, where all are alike; the others are left to the slow tests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet


def soon(cases: Iterable[Any], *first: Any) -> list[ParameterSet]:
    """The cases of `pytest.mark.parametrize`, of which all but `first` are marked slow. A tuple is several values."""
    found = list(cases)
    assert all(one in found for one in first), f"not all of {first} are among {found}"
    return [
        pytest.param(*(one if isinstance(one, tuple) else (one,)), marks=() if one in first else pytest.mark.slow)
        for one in found
    ]
