"""Marks that give a test its id: a rule id and a slug."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


def rule(test_id: str) -> Callable[[Any], Any]:
    """Name a test `E4.7.2-defender-moves-on`, in the way of a parametrised test with one case."""
    return pytest.mark.parametrize((), [pytest.param(id=test_id)])


def cases(names: str, rows: dict[str, Any]) -> Callable[[Any], Any]:
    """Parametrise `names` by rows whose keys are test ids. A row of one name is the value itself."""
    many = "," in names
    return pytest.mark.parametrize(
        names, [pytest.param(*(row if many else (row,)), id=test_id) for test_id, row in rows.items()]
    )
