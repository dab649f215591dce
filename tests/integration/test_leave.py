"""Leave in slow games: a player's clock stands while they are away, for so many days a game."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from holmgang.app.errors import GameNotActive, LimitReached, NotYours
from holmgang.app.play.leave import end_leave, go_on_leave
from holmgang.app.play.resignation import resign
from holmgang.store.database import PostgresStore
from holmgang.worker.loop import Worker
from tests.integration.banking import (
    HOUR,
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
from tests.integration.tables import Table, seat_players
from tests.integration.test_absence import absent, rows, sql, told, work
from tests.integration.test_submissions import feed_is_gapless

DAY = 86_400
DAY_MS = DAY * 1000
LEAVE: dict[str, Any] = {"turn_seconds": 3 * DAY, "leave_days": 5}
SLOW_BANK: dict[str, Any] = {"bank_seconds": 10 * DAY, "increment_seconds": 60, "leave_days": 5}


@pytest.fixture
def store(database: str) -> Iterator[PostgresStore]:
    store = PostgresStore(database, pool_size=4)
    yield store
    store.close()


def leave(table: Table, seat: int, by: int | None = None) -> bool:
    with table.store.transaction() as tables:
        return go_on_leave(tables, table.callers[seat if by is None else by], table.game, seat)


def come_back(table: Table, seat: int) -> bool:
    with table.store.transaction() as tables:
        return end_leave(tables, table.callers[seat], table.game, seat)


def last(table: Table) -> Any:
    return rows(table, "SELECT public FROM events WHERE game_id = %s ORDER BY seq DESC LIMIT 1")[0][0]


@pytest.mark.parametrize("terms", [LEAVE, SLOW_BANK])
def test_the_clock_stands_while_its_player_is_on_leave(store: PostgresStore, terms: dict[str, Any]) -> None:
    table = seat_players(store, 2, ruleset="claim", **terms)
    (seat,) = table.position().awaited()
    think(table, DAY)
    before = table.row().deadline
    assert leave(table, seat)
    assert last(table) == {"type": "leave_begun", "seat": seat, "left_ms": 5 * DAY_MS}
    clock = clocks(table)[seat]
    assert clock.on_leave_since is not None
    assert clock.since == clock.on_leave_since + timedelta(days=5), "then the clock runs on by itself"
    assert before is not None
    assert table.row().deadline == before + timedelta(days=5)
    assert not leave(table, seat), "already"
    think(table, 2 * DAY)
    assert come_back(table, seat)
    assert not come_back(table, seat)
    clock = clocks(table)[seat]
    assert_spent(clock.leave_ms, 2 * DAY, 5 * DAY_MS)
    assert last(table) == {"type": "leave_ended", "seat": seat, "left_ms": clock.leave_ms}
    left = table.row().deadline
    assert left is not None
    assert clock.since is not None
    limit_ms = clock.turn_ms if clock.bank_ms is None else clock.bank_ms
    assert left - clock.since == timedelta(milliseconds=limit_ms or 0)
    assert_spent(limit_ms, DAY, 3 * DAY_MS if clock.bank_ms is None else 10 * DAY_MS)
    if "bank_seconds" in terms:
        assert banks_by_events(table, 10 * DAY_MS) == banks(table)
    feed_is_gapless(table)


def test_a_leave_that_is_used_up_ends_by_itself_and_the_clock_runs_on(store: PostgresStore) -> None:
    table = seat_players(store, 2, ruleset="claim", **SLOW_BANK)
    (seat,) = table.position().awaited()
    leave(table, seat)
    think(table, 6 * DAY)
    with pytest.raises(LimitReached):
        leave(table, seat)
    table.submit(seat)
    assert_spent(charges(table)[-1]["left_ms"], DAY - 60, 10 * DAY_MS)
    assert (clocks(table)[seat].leave_ms, clocks(table)[seat].on_leave_since) == (0, None)
    with pytest.raises(LimitReached):
        leave(table, seat)
    assert banks_by_events(table, 10 * DAY_MS) == banks(table)
    feed_is_gapless(table)


def test_who_stays_away_longer_than_leave_and_time_is_late(store: PostgresStore) -> None:
    table = seat_players(store, 2, ruleset="claim", **LEAVE)
    (seat,) = table.position().awaited()
    leave(table, seat)
    think(table, 7 * DAY)
    work(store)
    assert absent(table) == []
    think(table, 2 * DAY)
    work(store)
    assert absent(table) == [seat]
    assert (clocks(table)[seat].leave_ms, clocks(table)[seat].on_leave_since) == (0, None)
    with pytest.raises(GameNotActive):
        leave(table, seat)


def test_a_turn_that_begins_in_a_leave_waits_for_its_end(store: PostgresStore) -> None:
    table = seat_players(store, 2, ruleset="claim", **LEAVE)
    (seat,) = table.position().awaited()
    other = 1 - seat
    leave(table, other)
    assert clocks(table)[other].since is None
    assert table.row().deadline == clocks(table)[seat].deadline
    while other not in table.position().awaited():
        table.submit(seat)
    clock = clocks(table)[other]
    assert clock.on_leave_since is not None
    assert clock.since == clock.on_leave_since + timedelta(days=5)
    assert clock.deadline == clock.since + timedelta(days=3)
    assert come_back(table, other)
    assert clocks(table)[other].turn_ms == 3 * DAY_MS
    since = clocks(table)[other].since
    assert since is not None
    assert table.row().deadline == since + timedelta(days=3)


def test_one_may_choose_on_leave_and_stays_on_it(store: PostgresStore) -> None:
    table = seat_players(store, 2, ruleset="claim", **SLOW_BANK)
    (seat,) = table.position().awaited()
    leave(table, seat)
    think(table, DAY)
    table.submit(seat)
    assert (charges(table)[-1]["spent_ms"], charges(table)[-1]["added_ms"]) == (0, 60_000)
    assert clocks(table)[seat].on_leave_since is not None
    assert banks_by_events(table, 10 * DAY_MS) == banks(table)


def test_in_a_sealed_turn_the_others_clocks_run_on(store: PostgresStore) -> None:
    table = until(seat_players(store, 3, **LEAVE), "placement")
    away, *others = table.position().awaited()
    leave(table, away)
    think(table, 4 * DAY)
    work(store)
    assert absent(table) == others
    assert list(table.position().awaited()) == [away]
    assert table.row().status == "active"


def test_leave_is_for_ones_own_seat_in_a_running_game_that_gives_some(store: PostgresStore) -> None:
    table = seat_players(store, 3, ruleset="claim", **LEAVE)
    with pytest.raises(NotYours):
        leave(table, 1, by=0)
    with store.reading() as tables:
        resign(tables, table.secrets[1], table.game)
    with pytest.raises(GameNotActive):
        leave(table, 1)
    assert leave(table, 0)
    table.play()
    assert table.row().status == "over"
    assert [clock.on_leave_since for clock in clocks(table)] == [None] * 3
    with pytest.raises(GameNotActive):
        leave(table, 2)
    without = seat_players(store, 2, ruleset="claim", turn_seconds=3 * DAY)
    for refused in (leave, come_back):
        version = without.row().version
        if refused is leave:
            with pytest.raises(LimitReached):
                refused(without, 0)
        else:
            assert not refused(without, 0)
        assert without.row().version == version


def test_polls_are_told_of_leave(store: PostgresStore) -> None:
    table = seat_players(store, 2, ruleset="claim", **LEAVE)
    (seat,) = table.position().awaited()
    versions = [table.row().version]
    for act in (leave, come_back):
        act(table, seat)
        versions.append(table.row().version)
    assert versions == [versions[0], versions[0] + 1, versions[0] + 2]
    feed_is_gapless(table)


def test_a_game_in_which_one_is_on_leave_is_not_idle(store: PostgresStore) -> None:
    table = seat_players(store, 2, ruleset="claim", **LEAVE)
    (seat,) = table.position().awaited()
    leave(table, seat)
    sql(store, "UPDATE games SET touched_at = touched_at - interval '99 days'")
    sql(store, "UPDATE events SET at = at - interval '99 days'")
    with store.transaction() as tables:
        assert tables.archive(30, 10, "game_archived") == 1
    assert table.row().status == "active"


def test_an_outage_takes_no_time_from_who_is_back_from_leave(store: PostgresStore) -> None:
    table = seat_players(store, 2, ruleset="claim", **LEAVE)
    (seat,) = table.position().awaited()
    Worker(store).work()
    leave(table, seat)
    think(table, 5 * DAY + MINUTE)
    outage(store, table, HOUR)
    Worker(store).work()
    assert told(table)[-1] == "deadline_put_off"
    (run,) = rows(
        table,
        f"SELECT extract(epoch FROM clock_timestamp() - (clocks -> {seat} ->> 'since')::timestamptz)::float8"
        " FROM games WHERE id = %s",
    )[0]
    assert run == pytest.approx(MINUTE, abs=5)
