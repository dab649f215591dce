"""Deadlines that are put off after an outage, of more games than one batch takes: each once, whatever comes between."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from holmgang.app.play.deadlines import OUTAGE_SECONDS
from holmgang.app.records.play import HouseEventType
from holmgang.store.database import PostgresStore, conninfo
from holmgang.worker import loop
from holmgang.worker.loop import Worker
from tests.integration.tables import Table, multiply, seat_players
from tests.integration.test_absence import sql
from tests.integration.test_clock import DAY, Jump, jump
from tests.integration.working import at_work
from tests.waiting import wait_until

__all__ = ["jump"]

CROWD = 10
LATE: HouseEventType = "deadline_put_off"
MINUTE, HOUR = 60.0, 3600.0
LEFT = (
    "SELECT id, extract(epoch FROM deadline - clock_timestamp())::float8 FROM games WHERE deadline IS NOT NULL"
    " ORDER BY id"
)
PUT_OFF = "SELECT game_id, count(*) FROM events WHERE public ->> 'type' = 'deadline_put_off' GROUP BY game_id"


@pytest.fixture
def store(database: str, jump: Jump, monkeypatch: pytest.MonkeyPatch) -> Iterator[PostgresStore]:
    monkeypatch.setattr(loop, "_PUT_OFF", 3)
    store = PostgresStore(database, pool_size=4)
    yield store
    store.close()


@pytest.fixture
def games(store: PostgresStore, database: str) -> Table:
    """Some games whose deadlines are minutes off, two at a time, and a worker that was at work a moment ago."""
    table = seat_players(store, turn_seconds=DAY)
    with psycopg.connect(conninfo(database), autocommit=True) as connection:
        deadline = "date_trunc('minute', clock_timestamp()) + make_interval(mins => 5 + n / 2)"
        multiply(connection, table, CROWD - 1, deadline=deadline)
    sql(store, "UPDATE games SET deadline = clock_timestamp() + interval '4 minutes' WHERE id = %s", table.game)
    Worker(store).work()
    return table


def every(store: PostgresStore, statement: str) -> dict[Any, Any]:
    with store.pool.connection() as connection:
        return dict(connection.execute(statement.encode()).fetchall())


def pass_time(store: PostgresStore, seconds: float) -> None:
    """As if so much time had passed in which nobody did anything."""
    for table, columns in (("games", ("deadline", "put_off_at")), ("pulse", ("at", "putting_off_since", "put_off_at"))):
        changes = ", ".join(f"{column} = {column} - make_interval(secs => {seconds})" for column in columns)
        sql(store, f"UPDATE {table} SET {changes}")


def batch(store: PostgresStore) -> None:
    """What a worker does before it is killed."""
    with store.transaction() as tables:
        assert not tables.beat(OUTAGE_SECONDS, LATE, 3).finished


def hold(store: PostgresStore) -> bool:
    """Whether deadlines hold."""
    row = sql(store, "SELECT clock_timestamp() - at < interval '10 seconds', putting_off_since IS NULL FROM pulse")
    assert row in ((True, True), (False, False)), "a pulse that is set tells of no putting-off"
    return bool(row[0])


def assert_all_have(store: PostgresStore, before: dict[Any, float], times: dict[int, int]) -> None:
    """The time that was left, up to what the test took, and by so many events: how many games have how many."""
    after = every(store, LEFT)
    assert after.keys() == before.keys()
    assert [game for game in after if abs(after[game] - before[game]) > 8] == []
    told = list(every(store, PUT_OFF).values())
    assert {count: told.count(count) for count in set(told)} == times
    versions = "SELECT g.id, g.version - (SELECT max(seq) FROM events e WHERE e.game_id = g.id) FROM games g"
    assert set(every(store, versions).values()) == {0}


def test_all_are_put_off_in_batches(store: PostgresStore, games: Table) -> None:
    before = every(store, LEFT)
    pass_time(store, HOUR)
    Worker(store).work()
    assert hold(store)
    assert_all_have(store, before, {1: CROWD})
    Worker(store).work()
    assert_all_have(store, before, {1: CROWD})


def test_nobody_is_late_until_all_are_put_off(store: PostgresStore, games: Table) -> None:
    pass_time(store, HOUR)
    batch(store)
    assert not hold(store)
    with store.reading() as tables:
        assert tables.overdue(CROWD) == []
    assert not games.row().late


def test_another_worker_goes_on_where_one_was_killed(store: PostgresStore, games: Table) -> None:
    before = every(store, LEFT)
    pass_time(store, HOUR)
    batch(store)
    batch(store)
    Worker(store).work()
    assert hold(store)
    assert_all_have(store, before, {1: CROWD})


def test_an_outage_in_the_middle_is_made_up_for_as_well(store: PostgresStore, games: Table) -> None:
    """Twice: those that were put off before it are put off by as much as it took, the others by the whole."""
    before = every(store, LEFT)
    for _ in range(2):
        pass_time(store, HOUR)
        batch(store)
    pass_time(store, MINUTE)
    Worker(store).work()
    assert hold(store)
    after = every(store, PUT_OFF)
    assert_all_have(store, before, {n: list(after.values()).count(n) for n in set(after.values())})
    assert sum(after.values()) == CROWD + 2 * 3


def test_the_next_outage_is_one_of_its_own(store: PostgresStore, games: Table) -> None:
    before = every(store, LEFT)
    for _ in range(2):
        pass_time(store, HOUR)
        Worker(store).work()
    assert_all_have(store, before, {2: CROWD})


def test_two_workers_at_once(store: PostgresStore, games: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "_PUT_OFF", 1)
    before = every(store, LEFT)
    pass_time(store, HOUR)
    threads = [threading.Thread(target=Worker(store).work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    Worker(store).work()
    assert hold(store)
    assert_all_have(store, before, {1: CROWD})


def test_a_game_that_somebody_holds_is_waited_for(store: PostgresStore, games: Table, database: str) -> None:
    before = every(store, LEFT)
    pass_time(store, HOUR)
    worker = Worker(store)
    with psycopg.connect(conninfo(database)) as other:
        other.execute("SELECT FROM games WHERE id = %s FOR UPDATE", [games.game])
        for _ in range(2):
            worker.work()
            assert not hold(store)
            assert sum(every(store, PUT_OFF).values()) == CROWD - 1
    worker.work()
    assert hold(store)
    assert_all_have(store, before, {1: CROWD})


def test_a_turn_that_ends_meanwhile_is_put_off_by_no_more_than_its_time(store: PostgresStore, games: Table) -> None:
    pass_time(store, HOUR)
    batch(store)
    games.play(turns=1)
    Worker(store).work()
    assert hold(store)
    assert DAY - 8 < every(store, LEFT)[games.game] <= DAY


def test_a_clock_that_is_set_back(store: PostgresStore, games: Table, jump: Jump) -> None:
    jump(-2 * DAY)
    batch(store)
    Worker(store).work()
    assert hold(store)
    assert [left for left in every(store, LEFT).values() if not DAY - 8 < left <= DAY] == []
    assert set(every(store, PUT_OFF).values()) == {1}
    pass_time(store, HOUR)
    Worker(store).work()
    assert [left for left in every(store, LEFT).values() if not DAY - 16 < left <= DAY] == []


def test_a_running_worker_comes_to_an_end_of_it(store: PostgresStore, games: Table, database: str) -> None:
    """Also where somebody holds a game for a while."""
    pass_time(store, HOUR)
    with psycopg.connect(conninfo(database)) as other:
        other.execute("SELECT FROM games WHERE id = %s FOR UPDATE", [games.game])
        with at_work(store, Worker(store)):
            wait_until(lambda: sum(every(store, PUT_OFF).values()) == CROWD - 1, "all others are put off")
            assert not hold(store)
            other.rollback()
            wait_until(lambda: hold(store), "deadlines hold")
    assert set(every(store, PUT_OFF).values()) == {1}
