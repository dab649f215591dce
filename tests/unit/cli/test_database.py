"""The embedded database of a command: how many connections it must allow."""

from __future__ import annotations

import pytest

from holmgang.cli.database import LEAST_CONNECTIONS, SPARE_CONNECTIONS, max_connections
from holmgang.config import Settings


@pytest.mark.parametrize(
    ("workers", "pool_size", "held"),
    [(1, 2, 6), (4, 2, 15), (40, 2, 123), (64, 2, 195), (4, 100, 505), (64, 1000, 65_065)],
)
def test_every_process_has_its_pool_and_a_session_that_listens(workers: int, pool_size: int, held: int) -> None:
    allowed = max_connections(Settings(workers=workers, pool_size=pool_size))
    assert allowed == max(LEAST_CONNECTIONS, held + SPARE_CONNECTIONS)
