"""What a player may be told who comes when their time is up, or when others have chosen for them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from holmgang.app.errors import GameNotActive, NotAwaited
from holmgang.app.play import resignation, submissions
from holmgang.store.database import PostgresStore
from tests.integration.tables import Table, seat_players
from tests.integration.test_absence import absent, pass_deadline, told, work
from tests.integration.test_submissions import feed_is_gapless, log_replays


@pytest.fixture
def store(database: str) -> Iterator[PostgresStore]:
    store = PostgresStore(database, pool_size=4)
    yield store
    store.close()


def resign(table: Table, seat: int) -> tuple[int, bool]:
    with table.store.reading() as tables:
        return resignation.resign(tables, table.secrets[seat], table.game)


def test_one_resigns_though_the_time_is_up_and_no_worker_has_looked(store: PostgresStore) -> None:
    """The turn is ended first, by the defaults of those who are late; the resignation is in the next."""
    table = seat_players(store, 4, turn_seconds=60)
    table.submit(0)
    pass_deadline(table)
    assert resign(table, 0) == (0, True)
    assert resign(table, 0) == (0, False)
    assert absent(table) == [1, 2, 3]
    assert told(table).count("choice_defaulted") == 3
    log_replays(table)
    feed_is_gapless(table)


def test_who_would_resign_too_late_has_forfeited(store: PostgresStore) -> None:
    table = seat_players(store, 3, turn_seconds=60, absence="forfeit")
    for seat in (1, 2):
        table.submit(seat)
    pass_deadline(table)
    assert resign(table, 0) == (0, False), "the clock was quicker, and it comes to the same"
    assert told(table).count("seat_forfeited") == 1


def test_nobody_resigns_from_a_game_that_the_clock_has_ended(store: PostgresStore) -> None:
    table = seat_players(store, 2, ruleset="claim", turn_seconds=60, absence="forfeit")
    (asked,) = table.position().awaited()
    pass_deadline(table)
    with pytest.raises(GameNotActive):
        resign(table, 1 - asked)
    assert table.row().status == "over"


def test_who_comes_back_is_told_that_the_choice_was_made_in_his_absence(store: PostgresStore) -> None:
    """In a sealed turn that still waits for others; there is no receipt of theirs to show."""
    table = seat_players(store, turn_seconds=60)
    for seat in (0, 2):
        table.submit(seat)
    pass_deadline(table)
    work(store)
    while table.row().kind != "placement":
        for seat in table.position().awaited():
            if seat != 1:
                table.submit(seat)
        work(store)
    work(store)
    turn = table.row().turn
    assert table.position().awaited() == (0, 2), "seat 1 is played for"
    mine = table.legal(0)
    for _ in range(2):
        with table.store.reading() as tables, pytest.raises(NotAwaited) as refused:
            submissions.submit(tables, table.secrets[1], table.game, turn, mine)
        assert "has been played for it" in refused.value.detail
        with table.store.reading() as tables, pytest.raises(NotAwaited):
            submissions.check(tables, table.secrets[1], table.game, turn, mine)
    for seat in (0, 2):
        table.submit(seat)
    assert table.row().turn > turn
    log_replays(table)
