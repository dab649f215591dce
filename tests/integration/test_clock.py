"""The database's clock jumps: nobody loses by it, and no turn waits for ever.

The clock is one that the test can set: a function in a schema that is searched before Postgres' own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from typing import Any

import psycopg
import pytest

from holmgang.app.play.resignation import resign
from holmgang.bots.base import NAMES
from holmgang.store.database import PostgresStore, conninfo
from holmgang.worker.loop import CLAIM_SECONDS, Worker
from tests.citus.databases import alone, on_each_server
from tests.integration.tables import Table, seat_players
from tests.integration.test_absence import absent, deadline, pass_deadline, rows, sql, told, work
from tests.integration.test_submissions import feed_is_gapless, log_replays

TURN = 60
DAY = 86_400

CLOCK = """
CREATE SCHEMA jumping;
CREATE TABLE jumping.jump (seconds double precision);
INSERT INTO jumping.jump VALUES (0);
CREATE FUNCTION jumping.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
AS $$ SELECT pg_catalog.clock_timestamp() + make_interval(secs => (SELECT seconds FROM jumping.jump)) $$;
"""

Jump = Callable[[float], None]


@pytest.fixture
def jump(database: str) -> Iterator[Jump]:
    """Sets the clock so many seconds off the right time."""
    with ExitStack() as sessions:
        servers = [sessions.enter_context(alone(url)) for url in on_each_server(conninfo(database))]
        for server in servers:
            server.execute(CLOCK)
            name = psycopg.sql.Identifier(server.info.dbname)
            path = psycopg.sql.SQL("ALTER DATABASE {} SET search_path = jumping, pg_catalog, public")
            server.execute(path.format(name))
        yield lambda seconds: set_off(servers, seconds)


def set_off(servers: Iterable[psycopg.Connection[Any]], seconds: float) -> None:
    for server in servers:
        server.execute("UPDATE jumping.jump SET seconds = %s", [seconds])


@pytest.fixture
def store(database: str, jump: Jump) -> Iterator[PostgresStore]:
    store = PostgresStore(database, pool_size=4)
    yield store
    store.close()


def left(table: Table) -> float:
    """Seconds that the turn still has, by the database's clock."""
    (seconds,) = rows(table, "SELECT extract(epoch FROM deadline - clock_timestamp()) FROM games WHERE id = %s")[0]
    return float(seconds)


@pytest.fixture(params=["default", "forfeit"])
def table(request: pytest.FixtureRequest, store: PostgresStore) -> Table:
    """A game with a turn under way, and a worker that was at work a moment ago."""
    table = seat_players(store, turn_seconds=TURN, absence=request.param)
    table.submit(0)
    Worker(store).work()
    return table


def test_a_clock_that_jumps_forward_makes_nobody_late(table: Table, store: PostgresStore, jump: Jump) -> None:
    jump(DAY)
    with store.reading() as tables:
        assert tables.overdue(20) == [], "whichever comes first, the look or the pulse"
    table.submit(1)
    work(store)
    assert (absent(table), table.row().turn, table.row().status) == ([], 1, "active")
    assert 0 < left(table) <= TURN
    assert told(table).count("deadline_put_off") == 1
    table.submit(2)
    assert table.row().turn == 2
    log_replays(table)
    feed_is_gapless(table)


def test_who_resigns_after_the_jump_resigns_himself_alone(table: Table, store: PostgresStore, jump: Jump) -> None:
    jump(DAY)
    with store.reading() as tables:
        assert resign(tables, table.secrets[1], table.game) == (1, True)
    assert absent(table) == []
    assert "choice_defaulted" not in told(table)


@pytest.mark.parametrize("where", [DAY, -DAY])
def test_after_a_jump_deadlines_hold_as_before(table: Table, store: PostgresStore, jump: Jump, where: int) -> None:
    jump(where)
    work(store)
    table.submit(1)
    pass_deadline(table)
    work(store)
    assert told(table).count("choice_defaulted") + told(table).count("seat_forfeited") == 1
    assert table.row().turn == 2
    log_replays(table)


def test_a_clock_that_is_set_back_has_no_turn_wait_for_longer(table: Table, store: PostgresStore, jump: Jump) -> None:
    jump(-DAY)
    assert left(table) > DAY
    work(store)
    assert TURN - 15 < left(table) <= TURN, "no less than was left, and no more than a whole turn"
    before = deadline(table)
    work(store)
    assert deadline(table) == before, "once"
    assert told(table).count("deadline_put_off") == 1, "or who waits would show the wrong deadline"
    table.submit(1)
    table.submit(2)
    assert 0 < left(table) <= TURN
    feed_is_gapless(table)


def test_a_clock_that_goes_wrong_for_a_while_leaves_nothing_behind(
    table: Table, store: PostgresStore, jump: Jump
) -> None:
    for seconds in (DAY, 0):
        jump(seconds)
        work(store)
    assert (absent(table), table.row().turn) == ([], 1)
    assert 0 < left(table) <= TURN


def test_an_outage_is_noticed_also_after_the_clock_was_set_back(table: Table, store: PostgresStore, jump: Jump) -> None:
    jump(-DAY)
    work(store)
    before = deadline(table)
    sql(store, "UPDATE pulse SET at = at - interval '30 seconds'")
    sql(store, "UPDATE games SET deadline = deadline - interval '30 seconds' WHERE deadline IS NOT NULL")
    work(store)
    assert abs(deadline(table) - before) < timedelta(seconds=15)


def test_what_a_killed_worker_had_claimed_is_taken_up_though_the_clock_was_set_back(
    store: PostgresStore, jump: Jump
) -> None:
    table = seat_players(store, 3, bots={1: "random", 2: "random"})
    with store.transaction() as tables:
        assert len(tables.claim_tasks(10, CLAIM_SECONDS, NAMES)) == 2
        assert tables.claim_tasks(10, CLAIM_SECONDS, NAMES) == []
    jump(-DAY)
    work(store)
    assert table.position().awaited() == (0,)
