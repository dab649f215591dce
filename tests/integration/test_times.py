"""What is written together is of one time: a game's times are those of its events, and events' never go back."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from psycopg.rows import dict_row

from holmgang.app.accounts.players import register
from holmgang.app.accounts.tokens import authenticate
from holmgang.app.games import invitations
from holmgang.app.games.seats import seat_bot
from holmgang.app.play import archive, deadlines, returns
from holmgang.app.play.resignation import resign
from holmgang.app.webhooks import webhooks
from holmgang.store.database import PostgresStore
from holmgang.store.functions import BESIDE
from tests.integration.tables import Table, let_news_be_delivered, new_game, seat_players
from tests.integration.test_absence import pass_deadline

TURN_SECONDS = 600


@pytest.fixture
def store(database: str) -> Iterator[PostgresStore]:
    store = PostgresStore(database, pool_size=4)
    yield store
    store.close()


class Times:
    """What the tables hold of a game."""

    def __init__(self, store: PostgresStore, table: Table) -> None:
        self._store, self._table = store, table
        (self.game,) = self.rows("SELECT * FROM games WHERE id = %(game)s")
        self.events = self.rows("SELECT * FROM events WHERE game_id = %(game)s ORDER BY seq")
        self.moments = {event["at"] for event in self.events}

    def rows(self, statement: str) -> list[dict[str, Any]]:
        with self._store.pool.connection() as connection, connection.cursor(row_factory=dict_row) as cursor:
            return list(cursor.execute(statement.encode(), {"game": self._table.game}).fetchall())

    def of(self, kind: str) -> list[datetime]:
        return [event["at"] for event in self.events if event["public"]["type"] == kind]


def check(store: PostgresStore, table: Table) -> None:
    """Everything that a game's rows say of when, beside its events. None of its deadlines was put off or brought on."""
    times = Times(store, table)
    game, moments = times.game, times.moments
    found = [event["at"] for event in times.events]
    assert found == sorted(found), "events never go back"
    assert [game["created_at"]] == times.of("game_created")
    assert [game["started_at"]] == times.of("game_started")
    log = [row["at"] for row in times.rows("SELECT at FROM log WHERE game_id = %(game)s ORDER BY seq")]
    assert log[0] == game["started_at"]
    assert log == sorted(log)
    assert set(log) <= moments
    if game["status"] == "over":
        assert game["ended_at"] == found[-1] == log[-1]
    if game["deadline"] is not None:
        assert game["deadline"] - timedelta(seconds=TURN_SECONDS) in moments
    for seat in times.rows("SELECT * FROM seats WHERE game_id = %(game)s"):
        (taken,) = (
            event["at"]
            for event in times.events
            if event["public"]["type"] == "seat_taken" and event["public"]["seat"] == seat["seat"]
        )
        assert seat["taken_at"] == taken
        for name in ("resigned_at", "absent_since"):
            assert seat[name] is None or seat[name] in moments
    for row in times.rows("SELECT * FROM submissions WHERE game_id = %(game)s AND revision = 1"):
        assert row["received_at"] in moments
    for row in times.rows("SELECT * FROM combats WHERE game_id = %(game)s"):
        assert row["opened_at"] in moments or row["status"] == "resolved"
        assert row["resolved_at"] is None or row["resolved_at"] in moments
    for row in times.rows("SELECT * FROM awaited WHERE game_id = %(game)s"):
        assert row["since"] in moments
    let_news_be_delivered(store)
    for row in times.rows("SELECT type, body::json AS body FROM deliveries"):
        told = datetime.fromisoformat(row["body"]["timestamp"].replace("Z", "+00:00"))
        of_events = {at.replace(microsecond=at.microsecond // 1000 * 1000) for at in moments}
        assert told in of_events, row["type"]


@pytest.mark.parametrize(("ruleset", "seats"), [("eketorp", 3), ("drakkars", 2), ("claim", 2)])
def test_a_whole_game_is_of_the_times_of_its_events(store: PostgresStore, ruleset: str, seats: int) -> None:
    table = seat_players(store, seats, ruleset=ruleset, turn_seconds=TURN_SECONDS)
    with store.transaction() as tables:
        webhooks.create(tables, table.callers[0], "http://127.0.0.1:9/", webhooks.EVENTS, private=True)
    for _ in range(12):
        table.play(turns=1)
        check(store, table)
    table.play()
    assert table.row().status == "over"
    check(store, table)


def test_a_start_is_told_of_at_the_time_of_the_start(store: PostgresStore) -> None:
    with store.transaction() as tables:
        owner = authenticate(tables, register(tables, "Ragna")[2])
        webhooks.create(tables, owner, "http://127.0.0.1:9/", webhooks.EVENTS, private=True)
        game = new_game(tables, owner, ruleset="claim", seats=2, options={}, turn_seconds=TURN_SECONDS).id
    with store.transaction() as tables:
        seat_bot(tables, owner, game, 1, "random")
    check(store, Table(store, game, [], [owner]))


def test_an_end_by_resignation_is_of_the_time_of_the_resignation(store: PostgresStore) -> None:
    table = seat_players(store, 2, ruleset="claim", turn_seconds=TURN_SECONDS)
    with store.reading() as tables:
        resign(tables, table.secrets[0], table.game)
    assert table.row().status == "over"
    check(store, table)


def test_absence_and_archive_are_of_the_times_of_their_events(store: PostgresStore) -> None:
    table = seat_players(store, turn_seconds=TURN_SECONDS)
    table.submit(0)
    pass_deadline(table)
    with store.transaction() as tables:
        assert deadlines.expire(tables, table.game)
    check(store, table)
    with store.transaction() as tables:
        assert returns.return_to_seat(tables, table.callers[1], table.game, 1)
    check(store, table)
    idle = seat_players(store)
    with store.reading() as tables:
        archive.archive(tables, 0, 10)
    assert idle.row().status == "archived"
    with store.transaction() as tables:
        assert returns.return_to_seat(tables, idle.callers[1], idle.game, 1)
    check(store, idle)


def test_all_that_a_return_writes_is_of_one_time(store: PostgresStore) -> None:
    """To a game that stood still: its player, its clock, and what they owe."""
    table = seat_players(store, turn_seconds=TURN_SECONDS)
    pass_deadline(table)
    with store.transaction() as tables:
        assert deadlines.expire(tables, table.game)
    assert table.row().deadline is None
    with store.transaction() as tables:
        assert returns.return_to_seat(tables, table.callers[2], table.game, 2)
    times = Times(store, table)
    assert [times.game["deadline"] - timedelta(seconds=TURN_SECONDS)] == times.of("seat_returned")
    check(store, table)


def test_an_invitation_lasts_as_long_as_was_asked_for(store: PostgresStore) -> None:
    with store.transaction() as tables:
        owner = authenticate(tables, register(tables, "Ragna")[2])
        game = new_game(tables, owner, ruleset="claim", seats=2, options={}, visibility="private").id
        made, _ = invitations.create(tables, owner, game, seat=None, uses=1, expires_in=60, expires_at=None)
    assert made.expires_at is not None
    assert made.expires_at - made.created_at == timedelta(seconds=60)


def test_one_reading_of_the_clock_says_whether_a_choice_is_in_time_and_when_it_came() -> None:
    """Messages to webhooks tell the event's time, and are sent in the order of their own."""
    own = sum(line.count("greatest(w.held_until, clock_timestamp())") for line in BESIDE.move.definition.splitlines())
    assert BESIDE.move.definition.count("clock_timestamp()") - own == 1
