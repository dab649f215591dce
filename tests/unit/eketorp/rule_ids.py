"""Every rule id of Eketorp, and the mark that gives a test its id: a rule id and a slug."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_LISTED = """
E1 E1.1 E1.2 E1.3 E1.4 E1.5
E2 E2.1 E2.2 E2.3 E2.4 E2.5
E3 E3.1 E3.2 E3.3
E4 E4.1 E4.2 E4.3 E4.4 E4.5 E4.6 E4.7 E4.7.1 E4.7.2 E4.7.3 E4.7.4 E4.7.5 E4.8
E5 E5.1 E5.2 E5.3 E5.4
E6 E6.1 E6.2 E6.3 E6.4
E7
C1 C2 C3 C4 C5 C6 C7
"""
RULE_IDS = tuple(_LISTED.split())


def rule(test_id: str) -> Callable[[Any], Any]:
    """Name a test `E4.7.2-defender-moves-on`, in the way of a parametrised test with one case."""
    return pytest.mark.parametrize((), [pytest.param(id=test_id)])


def cases(names: str, rows: dict[str, Any]) -> Callable[[Any], Any]:
    """Parametrise `names` by rows whose keys are test ids. A row of one name is the value itself."""
    many = "," in names
    return pytest.mark.parametrize(
        names, [pytest.param(*(row if many else (row,)), id=test_id) for test_id, row in rows.items()]
    )
