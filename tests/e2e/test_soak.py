"""An hour of mixed play on the service as it is shipped: no errors, and nothing grows that should not.

SOAK_MINUTES makes it shorter or longer, SOAK_MOVES sets the moves a second.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

from bench import soak

MINUTES = float(os.environ.get("SOAK_MINUTES", "60"))
MOVES_A_SECOND = float(os.environ.get("SOAK_MOVES", str(soak.MOVES_A_SECOND)))
MB, MB_AN_HOUR = 4.0, 8.0
"""How much a process may grow: what a short run cannot tell from growth, and what an hour adds to that."""
POSTGRES_TIMES = 4
"""Postgres is nine processes and more."""
SLOWER = {"p50_ms": 1.5, "p99_ms": 3.0}
"""How many times as long requests may take in the last third as in the first, beyond what `/healthz` took longer: the
median, and the slowest of a hundred."""
ENOUGH = 100
"""So many requests of a kind in each third tell something."""


def test_slope_is_that_of_the_line_through_the_points() -> None:
    assert soak.slope([(0, 1), (1, 3), (2, 5)]) == pytest.approx(2)
    assert soak.slope([(0, 1), (1, 0), (2, 1), (3, 0)]) == pytest.approx(-0.2)
    assert soak.slope([(3, 1)]) == 0


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    return soak.measure(MINUTES, MOVES_A_SECOND)


@pytest.mark.slow
@pytest.mark.timeout(MINUTES * 60 + 900)
class TestSoak:
    def test_there_was_play(self, found: dict[str, Any]) -> None:
        assert found["moves_per_second"] > 0.8 * MOVES_A_SECOND, "a slower load shows less"
        assert found["events_streamed"] > 0
        assert found["webhooks_called"] > 0
        if found["minutes"] >= 15:
            assert set(found["games_over"]) == {ruleset for ruleset, _, _ in soak.TABLES}

    def test_nothing_went_wrong(self, found: dict[str, Any]) -> None:
        assert found["faults"] == {}
        assert found["complaints"] == []
        assert found["processes_replaced"] == []
        assert found["stopped"] == 0

    def test_memory_stays(self, found: dict[str, Any]) -> None:
        hours = found["minutes"] * (1 - soak.WARM_SHARE) / 60
        for name, memory in found["memory"].items():
            allowed = (MB + MB_AN_HOUR * hours) * (POSTGRES_TIMES if name == soak.POSTGRES else 1)
            assert memory["mb_per_hour"] * hours <= allowed, (name, memory)

    def test_connections_stay(self, found: dict[str, Any]) -> None:
        connections = found["connections"]
        assert connections["last_third"] <= connections["first_third"] + 1
        assert connections["after"] <= connections["first_third"] + 1

    def test_descriptors_stay(self, found: dict[str, Any]) -> None:
        """Those of Postgres are left out: it keeps files of tables open as long as it has descriptors to spare."""
        for name, count in found["descriptors"].items():
            if name != soak.POSTGRES:
                assert count["last_third"] <= count["first_third"] + soak.KEPT, (name, count)
                assert count["after"] <= count["before"] + soak.KEPT, (name, count)

    def test_nothing_gets_slower(self, found: dict[str, Any]) -> None:
        if found["minutes"] < 5:
            pytest.skip("A run of less than five minutes tells nothing of it.")
        for figure, slower in SLOWER.items():
            ratios = {
                kind: thirds[-1][figure] / thirds[0][figure]
                for kind, thirds in found["latency_by_thirds"].items()
                if len(thirds) == 3 and min(third["count"] for third in thirds) >= ENOUGH
            }
            assert {"move", soak.CONTROL} <= set(ratios)
            control = max(1.0, ratios[soak.CONTROL])
            assert all(ratio <= slower * control for ratio in ratios.values()), (figure, ratios)
