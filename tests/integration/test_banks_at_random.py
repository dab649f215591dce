"""Whatever happens in a game with clocks for each seat: they say what the events say, and those run who are awaited."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any

import pytest

from holmgang.app.errors import Refusal
from holmgang.app.play.leave import end_leave, go_on_leave
from holmgang.app.play.resignation import resign
from holmgang.app.play.returns import return_to_seat
from holmgang.store.database import PostgresStore
from holmgang.worker.loop import Worker
from tests.integration.banking import banks, banks_by_events, clocks, outage, think
from tests.integration.tables import Table, seat_players
from tests.integration.test_absence import work
from tests.integration.test_submissions import feed_is_gapless

HOUR, DAY = 3600, 86_400
GAMES: dict[str, dict[str, Any]] = {
    "banks": {"ruleset": "eketorp", "bank_seconds": 3 * HOUR, "increment_seconds": HOUR},
    "banks without increment, and a bot": {"ruleset": "eketorp", "bank_seconds": 5 * HOUR, "bots": {2: "random"}},
    "banks and turns, rated": {
        "ruleset": "drakkars",
        "bank_seconds": 5 * HOUR,
        "turn_seconds": 4 * HOUR,
        "rated": True,
    },
    "forfeits": {"ruleset": "eketorp", "bank_seconds": 5 * HOUR, "absence": "forfeit", "clock": "runs"},
    "turns and leave": {"ruleset": "eketorp", "turn_seconds": DAY, "leave_days": 2},
    "banks and leave": {"ruleset": "drakkars", "bank_seconds": DAY, "increment_seconds": HOUR, "leave_days": 1},
}


@pytest.fixture
def store(database: str) -> Iterator[PostgresStore]:
    store = PostgresStore(database, pool_size=4)
    yield store
    store.close()


def hold(table: Table, bank_ms: int | None) -> None:
    """What is true of clocks at any time."""
    row = table.row()
    with table.store.reading() as tables:
        there = {
            holder.seat
            for holder in tables.holders(table.game)
            if holder.bot is None and holder.absent_since is None and holder.resigned_at is None
        }
    awaited = set(table.position().awaited()) if row.status == "active" else set()
    every = clocks(table)
    assert {seat for seat, clock in enumerate(every) if clock.since is not None} == awaited & there
    assert row.deadline == min((clock.deadline for clock in every if clock.deadline is not None), default=None)
    for clock in every:
        limits = [limit for limit in (clock.bank_ms, clock.turn_ms) if limit is not None]
        assert all(limit >= 0 for limit in limits)
        assert clock.leave_ms >= 0
        if clock.since is not None:
            assert clock.deadline is not None
            assert (clock.deadline - clock.since).total_seconds() == pytest.approx(min(limits) / 1000)
    if bank_ms is not None:
        assert banks_by_events(table, bank_ms) == banks(table)
    feed_is_gapless(table)


def resigns(table: Table, seat: int) -> None:
    with table.store.reading() as tables:
        resign(tables, table.secrets[seat], table.game)


def does(what: Callable[..., Any], table: Table, seat: int) -> None:
    with table.store.transaction() as tables:
        what(tables, table.callers[seat], table.game, seat)


def chooses(table: Table, rng: Random) -> None:
    if awaited := table.position().awaited():
        table.submit(rng.choice(awaited))


@pytest.mark.parametrize("name", GAMES)
def test_clocks_hold(store: PostgresStore, name: str) -> None:
    terms = dict(GAMES[name])
    rng = Random(name)
    for _ in range(2):
        table = seat_players(store, 4 if terms["ruleset"] == "drakkars" else 3, **terms)
        Worker(store).work()
        people = [seat for seat in range(table.row().seat_count) if seat not in terms.get("bots", {})]
        for _ in range(60):
            if table.row().status == "over":
                break
            seat = rng.choice(people)
            longest = 30 * HOUR if "leave_days" in terms else 3 * HOUR
            acts: dict[Callable[[], Any], int] = {
                partial(chooses, table, rng): 40,
                partial(think, table, rng.uniform(0, longest)): 15,
                partial(think, table, rng.uniform(0, longest), seat): 10,
                partial(work, store): 15,
                partial(does, return_to_seat, table, seat): 8,
                partial(does, go_on_leave, table, seat): 5,
                partial(does, end_leave, table, seat): 5,
                partial(outage, store, table, rng.uniform(20, longest)): 3,
                partial(resigns, table, seat): 1,
            }
            with contextlib.suppress(Refusal):
                rng.choices(list(acts), list(acts.values()))[0]()
            hold(table, terms["bank_seconds"] * 1000 if "bank_seconds" in terms else None)
