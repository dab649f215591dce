"""Time banks: what each seat has for all of its choices, spent while its choice is awaited."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, timedelta
from typing import Any

import pytest

from holmgang.app.access import game_by_id
from holmgang.app.errors import GameNotActive, InvalidField, NotAwaited, StaleTurn
from holmgang.app.fairness.claims import read_record
from holmgang.app.fairness.verify import verify
from holmgang.app.play import submissions
from holmgang.app.play.resignation import resign
from holmgang.app.play.returns import return_to_seat
from holmgang.app.reading import queries
from holmgang.app.records.games import SeatClock
from holmgang.app.records.play import GameTime
from holmgang.engine.codec import encode_json
from holmgang.store.database import PostgresStore
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
    think,
    until,
)
from tests.integration.tables import seat_players
from tests.integration.test_absence import absent, rows, sql, told, work
from tests.integration.test_submissions import feed_is_gapless, log_replays


@pytest.fixture
def store(database: str) -> Iterator[PostgresStore]:
    store = PostgresStore(database, pool_size=4)
    yield store
    store.close()


def test_a_clock_runs_while_its_seat_is_awaited_and_each_choice_adds_the_increment(store: PostgresStore) -> None:
    table = seat_players(store, 2, ruleset="claim", **BANKS)
    (seat,) = table.position().awaited()
    before = clocks(table)
    since = before[seat].since
    assert since is not None
    assert before[1 - seat] == SeatClock(
        bank_ms=BANK_MS, turn_ms=None, since=None, deadline=None, leave_ms=0, on_leave_since=None
    )
    assert before[seat].deadline == since + timedelta(seconds=BANK) == table.row().deadline
    think(table, MINUTE)
    table.submit(seat)
    after = clocks(table)
    assert_spent(after[seat].bank_ms, MINUTE - INCREMENT)
    [charge] = charges(table)
    assert charge["seat"] == seat
    assert charge["added_ms"] == INCREMENT_MS
    assert charge["left_ms"] == after[seat].bank_ms == BANK_MS - charge["spent_ms"] + INCREMENT_MS
    (asked,) = table.position().awaited()
    assert [clock.since is not None for clock in after] == [seat == asked for seat in range(2)]
    feed_is_gapless(table)


def test_in_a_sealed_turn_each_clock_stops_with_the_choice_of_its_seat(store: PostgresStore) -> None:
    table = until(seat_players(store, 3, **BANKS), "placement")
    first, *others = table.position().awaited()
    before = banks(table)
    think(table, MINUTE)
    receipt = table.submit(first)
    assert clocks(table)[first].since is None
    assert_spent(banks(table)[first], MINUTE - INCREMENT, before[first] or 0)
    assert all(clocks(table)[seat].since is not None for seat in others)
    at_receipt, version = clocks(table), table.row().version
    think(table, MINUTE)
    other = next(
        action for action in iter(lambda: table.legal(first), None) if encode_json(action) != bytes(receipt.action)
    )
    with store.reading() as tables:
        submissions.replace(tables, table.secrets[first], table.game, receipt.id, 1, receipt.turn, other)
    assert clocks(table)[first] == at_receipt[first], "a replacement costs nothing"
    assert table.row().version == version, "and nobody can tell"
    for seat in others:
        table.submit(seat)
        assert_spent(banks_by_events(table)[seat], 2 * MINUTE - INCREMENT, before[seat] or 0)
    assert banks_by_events(table) == banks(table)
    feed_is_gapless(table)


def test_only_who_has_run_out_of_time_is_late(store: PostgresStore) -> None:
    table = until(seat_players(store, 3, **BANKS), "placement")
    late, *others = table.position().awaited()
    think(table, HOUR, late)
    with pytest.raises(NotAwaited), store.reading() as tables:
        submissions.check(tables, table.secrets[late], table.game, table.row().turn, table.legal(late))
    with store.reading() as tables:  # the others have time
        submissions.check(tables, table.secrets[others[0]], table.game, table.row().turn, table.legal(others[0]))
    turn = table.row().turn
    work(store)
    assert absent(table) == [late]
    assert table.row().turn == turn
    assert list(table.position().awaited()) == others
    assert told(table)[-3:] == ["bank_charged", "seat_absent", "choice_defaulted"]
    assert banks(table)[late] == 0
    assert table.row().deadline == min(at for seat in others if (at := clocks(table)[seat].deadline) is not None)
    assert table.turn(late).defaulted == (late,)
    for seat in others:
        table.submit(seat)
    assert table.row().turn > turn
    assert banks_by_events(table) == banks(table)
    feed_is_gapless(table)
    log_replays(table)


def test_who_chooses_too_late_is_late_though_no_worker_has_looked(store: PostgresStore) -> None:
    table = seat_players(store, 2, ruleset="claim", **BANKS)
    (seat,) = table.position().awaited()
    action, turn = table.legal(seat), table.row().turn
    think(table, HOUR)
    with pytest.raises(StaleTurn):
        table.submit(seat, action, turn)
    assert absent(table) == [seat]
    assert banks(table)[seat] == 0
    assert banks_by_events(table) == banks(table)


def test_the_turns_own_time_may_be_over_first_and_the_bank_stays(store: PostgresStore) -> None:
    table = seat_players(store, 2, ruleset="claim", turn_seconds=100, **BANKS)
    (seat,) = table.position().awaited()
    since = clocks(table)[seat].since
    assert since is not None
    assert table.row().deadline == since + timedelta(seconds=100)
    think(table, HOUR)
    work(store)
    assert absent(table) == [seat]
    assert banks(table)[seat] == BANK_MS - 100_000, "it ran until the turn was over, and no longer"
    assert banks_by_events(table) == banks(table)


def test_late_seats_forfeit_one_by_one_and_others_keep_their_time(store: PostgresStore) -> None:
    table = until(seat_players(store, 3, absence="forfeit", **BANKS), "placement")
    late, *others = table.position().awaited()
    think(table, HOUR, late)
    work(store)
    assert rows(table, "SELECT seat FROM seats WHERE game_id = %s AND resigned_at IS NOT NULL") == [(late,)]
    assert [seat for seat in others if clocks(table)[seat].since is not None] == list(table.position().awaited())
    assert banks_by_events(table) == banks(table)
    feed_is_gapless(table)


def test_a_rated_game_may_have_a_bank_in_place_of_a_time_for_turns(store: PostgresStore) -> None:
    table = seat_players(store, 2, ruleset="claim", rated=True, **BANKS)
    (seat,) = table.position().awaited()
    think(table, HOUR)
    work(store)
    assert absent(table) == [seat]
    while (row := table.row()).status == "active":  # whoever is there plays on; the absent seat is played for at once
        if 1 - seat in table.position().awaited():
            table.submit(1 - seat)
        else:
            work(store)
    assert row.status == "over"
    assert all(clock.since is None for clock in clocks(table))
    assert banks_by_events(table) == banks(table)


@pytest.mark.parametrize(
    ("terms", "where"),
    [
        ({"increment_seconds": 5}, "/increment_seconds"),
        ({"rated": True}, "/turn_seconds"),
        ({"clock": "runs"}, "/clock"),
        ({"leave_days": 3}, "/leave_days"),
        ({"leave_days": 3, "turn_seconds": 86_399}, "/leave_days"),
        ({"leave_days": 3, "turn_seconds": 86_400, "bank_seconds": 600}, "/leave_days"),
    ],
)
def test_terms_that_make_no_sense_are_refused(store: PostgresStore, terms: dict[str, Any], where: str) -> None:
    with pytest.raises(InvalidField) as refused:
        seat_players(store, 2, ruleset="claim", **terms)
    assert refused.value.extra["pointer"] == where


def test_who_returns_has_an_increment_at_least_and_no_more(store: PostgresStore) -> None:
    table = seat_players(store, 3, ruleset="claim", **BANKS)
    (seat,) = table.position().awaited()
    think(table, HOUR)
    work(store)
    assert absent(table) == [seat]
    with store.transaction() as tables:
        assert return_to_seat(tables, table.callers[seat], table.game, seat)
    assert banks(table)[seat] == INCREMENT_MS
    assert told(table)[-2:] == ["bank_charged", "seat_returned"]
    assert banks_by_events(table) == banks(table)
    feed_is_gapless(table)


def test_without_an_increment_an_empty_bank_is_the_end(store: PostgresStore) -> None:
    table = seat_players(store, 3, ruleset="claim", bank_seconds=BANK)
    (seat,) = table.position().awaited()
    think(table, HOUR)
    work(store)
    version = table.row().version
    with pytest.raises(GameNotActive), store.transaction() as tables:
        return_to_seat(tables, table.callers[seat], table.game, seat)
    assert table.row().version == version
    assert absent(table) == [seat]


def test_a_game_that_stood_still_fills_the_bank_of_who_returns(store: PostgresStore) -> None:
    table = seat_players(store, 2, ruleset="claim", bank_seconds=BANK, bots={1: "random"})
    work(store)
    assert table.position().awaited() == (0,)
    think(table, HOUR)
    work(store)
    assert told(table)[-1] == "clock_stopped"
    assert table.row().deadline is None
    assert banks(table) == [0, BANK_MS]
    table.submit(0)  # a choice that comes is taken, and is their return
    assert absent(table) == []
    assert_spent(banks(table)[0], 0)
    assert banks_by_events(table) == banks(table)
    feed_is_gapless(table)


def test_built_in_bots_spend_nothing(store: PostgresStore) -> None:
    table = seat_players(store, 2, ruleset="claim", bots={1: "greedy"}, **BANKS)
    for _ in range(3):
        work(store)
        table.submit(0)
    assert {charge["seat"] for charge in charges(table)} == {0}
    assert banks(table)[1] == BANK_MS


def test_who_resigns_stops_their_clock_and_ends_the_others_turn_or_not(store: PostgresStore) -> None:
    table = until(seat_players(store, 3, **BANKS), "placement")
    first, *others = table.position().awaited()
    think(table, MINUTE)
    before, since = banks(table), {seat: clocks(table)[seat].since for seat in others}
    with store.reading() as tables:
        resign(tables, table.secrets[first], table.game)
    assert_spent(banks(table)[first], MINUTE, before[first] or 0)
    assert charges(table)[-1]["added_ms"] == 0, "a resignation is no choice"
    assert {seat: clocks(table)[seat].since for seat in others} == since, "their turn goes on"
    assert banks_by_events(table) == banks(table)
    feed_is_gapless(table)


def test_an_archived_game_keeps_its_banks(store: PostgresStore) -> None:
    table = seat_players(store, 2, ruleset="claim", bots={1: "random"}, **BANKS)
    work(store)
    think(table, HOUR)
    work(store)
    sql(store, "UPDATE games SET touched_at = touched_at - interval '99 days' WHERE id = %s", table.game)
    sql(store, "UPDATE events SET at = at - interval '99 days' WHERE game_id = %s", table.game)
    with store.transaction() as tables:
        assert tables.archive(30, 10, "game_archived") == 1
    assert table.row().status == "archived"
    assert [clock.since for clock in clocks(table)] == [None, None]
    with store.transaction() as tables:
        assert return_to_seat(tables, table.callers[0], table.game, 0)
    assert table.row().status == "active"
    assert clocks(table)[0].since is not None
    assert banks(table) == [BANK_MS, BANK_MS], "it stood still: the bank is full again"
    assert table.row().deadline == clocks(table)[0].deadline
    assert banks_by_events(table) == banks(table)
    feed_is_gapless(table)


def test_game_turn_and_record_tell_it(store: PostgresStore) -> None:
    table = seat_players(store, 2, ruleset="claim", turn_seconds=HOUR, **BANKS)
    turn = table.turn(0)
    assert list(turn.clocks or ()) == clocks(table)
    with store.reading() as tables:
        game = game_by_id(tables, table.game)
    assert (game.bank_seconds, game.increment_seconds, game.leave_days) == (BANK, INCREMENT, None)
    assert game.clocks == turn.clocks
    table.play()
    with store.reading() as tables:
        record = queries.record(tables, table.caller(0))
    assert isinstance(record.time, GameTime)
    assert list(record.time.banks_ms or ()) == banks(table) == banks_by_events(table)
    verdict = verify(read_record(encode_json(record)))
    assert verdict.holds
    assert verdict.unchecked == ("/time",)


def test_a_game_without_banks_tells_nothing_of_them(store: PostgresStore) -> None:
    table = seat_players(store, 2, ruleset="claim", turn_seconds=60)
    assert table.turn(0).clocks is None
    table.play()
    assert "bank_charged" not in told(table)
    with store.reading() as tables:
        assert b'"time"' not in encode_json(queries.record(tables, table.caller(0)))


def test_all_times_of_clocks_are_whole_milliseconds(store: PostgresStore) -> None:
    table = seat_players(store, 2, ruleset="claim", **BANKS)
    for _ in range(10):
        for seat in table.position().awaited():
            since = clocks(table)[seat].since
            assert since is not None
            assert since.astimezone(UTC).microsecond % 1000 == 0
            table.submit(seat)
    first, last = rows(table, "SELECT min(at), max(at) FROM log WHERE game_id = %s")[0]
    passed = (last - first) / timedelta(milliseconds=1)
    assert abs(sum(charge["spent_ms"] for charge in charges(table)) - passed) <= 1, "no error adds up"
