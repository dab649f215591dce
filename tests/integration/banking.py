"""Games with time banks, for tests: what is left, what events say, and time that passes."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

from holmgang.app.records.games import SeatClock
from holmgang.store.database import PostgresStore
from tests.integration.tables import Table
from tests.integration.test_absence import rows, sql

BANK, INCREMENT = 600, 7
BANK_MS, INCREMENT_MS = BANK * 1000, INCREMENT * 1000
BANKS: dict[str, Any] = {"bank_seconds": BANK, "increment_seconds": INCREMENT}
MINUTE, HOUR = 60.0, 3600.0


def clocks(table: Table) -> list[SeatClock]:
    found = table.row().clocks
    assert found is not None
    return list(found)


def charges(table: Table) -> list[dict[str, Any]]:
    every = "SELECT public FROM events WHERE game_id = %s AND public ->> 'type' = 'bank_charged' ORDER BY seq"
    return [event for (event,) in rows(table, every)]


def banks_by_events(table: Table, bank_ms: int = BANK_MS) -> list[int]:
    """What is left to each seat, by the sum of what the events say."""
    banks = [bank_ms] * table.row().seat_count
    for charge in charges(table):
        banks[charge["seat"]] += charge["added_ms"] - charge["spent_ms"]
        assert banks[charge["seat"]] == charge["left_ms"]
    return banks


def banks(table: Table) -> list[int | None]:
    return [clock.bank_ms for clock in clocks(table)]


def shifted(value: str | None, seconds: float) -> str | None:
    return None if value is None else (datetime.fromisoformat(value) - timedelta(seconds=seconds)).isoformat()


def think(table: Table, seconds: float, *seats: int) -> None:
    """As if so much time had passed for the clocks that run: all, or those of these seats."""
    (found,) = rows(table, "SELECT clocks FROM games WHERE id = %s")[0]
    for seat, clock in enumerate(found):
        if not seats or seat in seats:
            for name in ("since", "deadline", "on_leave_since"):
                clock[name] = shifted(clock[name], seconds)
    until = min((clock["deadline"] for clock in found if clock["deadline"] is not None), default=None)
    statement = "UPDATE games SET clocks = %s, deadline = %s WHERE id = %s"
    sql(table.store, statement, json.dumps(found), until, table.game)  # type: ignore[arg-type]


def until(table: Table, kind: str) -> Table:
    """The game at a turn in which several seats choose in secret."""
    table.play(until=kind)
    assert len(table.position().awaited()) > 1
    return table


def assert_spent(left: int | None, seconds: float, bank_ms: int = BANK_MS) -> None:
    """Up to what the test took, in which nothing may be given back."""
    assert left is not None
    assert -5_000 <= left - (bank_ms - seconds * 1000) <= 0


def outage(store: PostgresStore, table: Table, seconds: float) -> None:
    """As if so much time had passed in which neither players nor workers could do anything."""
    think(table, seconds)
    sql(store, f"UPDATE pulse SET at = at - make_interval(secs => {seconds})")
