"""Time banks after an outage, and when the database's clock jumps: nobody is charged for what they could not use."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest

from holmgang.store.database import PostgresStore
from holmgang.store.functions import BESIDE
from holmgang.worker.loop import Worker
from tests.integration.banking import (
    BANK,
    BANK_MS,
    BANKS,
    HOUR,
    INCREMENT,
    INCREMENT_MS,
    MINUTE,
    assert_spent,
    banks,
    banks_by_events,
    charges,
    clocks,
    outage,
    think,
    until,
)
from tests.integration.tables import seat_players
from tests.integration.test_absence import absent, rows, sql, told
from tests.integration.test_clock import Jump, jump
from tests.integration.test_submissions import feed_is_gapless

__all__ = ["jump"]


@pytest.fixture
def store(database: str, jump: Jump) -> Iterator[PostgresStore]:
    store = PostgresStore(database, pool_size=4)
    yield store
    store.close()


def test_an_outage_costs_no_bank_anything(store: PostgresStore) -> None:
    table = seat_players(store, 2, ruleset="claim", **BANKS)
    (seat,) = table.position().awaited()
    Worker(store).work()
    think(table, MINUTE)
    outage(store, table, HOUR)
    before = told(table)
    Worker(store).work()
    assert told(table) == [*before, "deadline_put_off"]
    assert absent(table) == []
    table.submit(seat)
    assert_spent(banks(table)[seat], MINUTE - INCREMENT)
    assert banks_by_events(table) == banks(table)
    feed_is_gapless(table)


def test_who_chooses_before_a_worker_is_back_is_not_charged_for_the_outage(store: PostgresStore) -> None:
    table = seat_players(store, 2, ruleset="claim", **BANKS)
    (seat,) = table.position().awaited()
    Worker(store).work()
    think(table, MINUTE)
    outage(store, table, HOUR)
    table.submit(seat)
    assert_spent(banks(table)[seat], MINUTE - INCREMENT)
    (asked,) = table.position().awaited()
    Worker(store).work()
    table.submit(asked)
    assert banks(table)[asked] == pytest.approx(BANK_MS + (asked != seat) * INCREMENT_MS, abs=MINUTE * 1000)
    assert banks_by_events(table) == banks(table)


def test_a_clock_that_began_in_an_outage_has_lost_nothing(store: PostgresStore) -> None:
    table = seat_players(store, 2, ruleset="claim", **BANKS)
    Worker(store).work()
    sql(store, "UPDATE pulse SET at = at - interval '1 hour'")
    table.play(turns=1)
    (seat,) = table.position().awaited()
    think(table, MINUTE)
    Worker(store).work()
    table.submit(seat)
    assert (charges(table)[-1]["seat"], charges(table)[-1]["spent_ms"] < 5_000) == (seat, True)


def test_one_game_at_a_time_is_put_off_as_many_at_once_are(store: PostgresStore) -> None:
    """The function that does it where games are distributed, and the statement that does it elsewhere."""
    table = seat_players(store, 3, turn_seconds=900, **BANKS)
    until(table, "placement")
    Worker(store).work()
    think(table, MINUTE)
    outage(store, table, HOUR)
    of_one = "SELECT {call} FROM pulse".format(
        call=BESIDE.put_off.call(
            game=f"'{table.game}'::uuid",
            before="pulse.at",
            now="clock_timestamp()",
            begun="false",
            event="'{}'::json",
        ).as_string()
    )
    with store.pool.connection() as connection, connection.transaction(force_rollback=True):
        connection.execute(of_one.encode())
        (alone,) = connection.execute(b"SELECT clocks FROM games").fetchall()
        (late,) = connection.execute(b"SELECT deadline FROM games").fetchall()
    Worker(store).work()
    (together,) = rows(table, "SELECT clocks FROM games WHERE id = %s")
    assert [{**clock, "since": None, "deadline": None} for clock in alone[0]] == [
        {**clock, "since": None, "deadline": None} for clock in together[0]
    ]
    for one, other in zip(alone[0], together[0], strict=True):
        for name in ("since", "deadline"):
            apart = datetime.fromisoformat(other[name]) - datetime.fromisoformat(one[name])
            assert timedelta(0) <= apart < timedelta(seconds=5)
    assert min(datetime.fromisoformat(clock["deadline"]) for clock in alone[0]) == late[0]


@pytest.mark.parametrize("seconds", [-HOUR, HOUR])
def test_a_database_clock_that_jumps_costs_no_bank_anything(store: PostgresStore, jump: Jump, seconds: float) -> None:
    table = seat_players(store, 2, ruleset="claim", **BANKS)
    (seat,) = table.position().awaited()
    Worker(store).work()
    jump(seconds)
    Worker(store).work()
    deadline = clocks(table)[seat].deadline
    assert deadline == table.row().deadline
    (left,) = rows(table, "SELECT extract(epoch FROM deadline - clock_timestamp()) FROM games WHERE id = %s")[0]
    assert BANK - 10 < left <= BANK
    table.submit(seat)
    assert_spent(banks(table)[seat], -INCREMENT)
