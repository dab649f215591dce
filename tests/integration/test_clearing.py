"""What is deleted: games that ended without a choice of a person, and answers that were kept a day."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

import psycopg
import pytest

from holmgang.app.access import game_by_id
from holmgang.app.accounts.players import register
from holmgang.app.accounts.tokens import authenticate, create_token
from holmgang.app.errors import NotFound
from holmgang.app.games import invitations
from holmgang.app.play import archive, deadlines, resignation, returns
from holmgang.store.clearing import EMPTY, FORGET_ANSWERS
from holmgang.store.database import PostgresStore, conninfo
from holmgang.store.games import EMPTY_GAMES
from holmgang.store.tables import metadata
from holmgang.worker.loop import Worker
from tests.integration.tables import Table, multiply, new_game, scan, seat_players
from tests.integration.test_absence import pass_deadline
from tests.integration.test_archive import archived, rows

DAYS = 7
OF_A_GAME = [table for table in metadata.tables.values() if "game_id" in table.columns]


@pytest.fixture
def store(database: str) -> Iterator[PostgresStore]:
    store = PostgresStore(database, pool_size=4)
    yield store
    store.close()


def resign(table: Table, seat: int = 0) -> Table:
    with table.store.reading() as tables:
        resignation.resign(tables, table.secrets[seat], table.game)
    return table


def resigned(store: PostgresStore, **terms: Any) -> Table:
    """Created, a bot seated, and resigned from at once."""
    return resign(seat_players(store, 2, ruleset="claim", bots={1: "random"}, **terms))


def age(table: Table, days: int = DAYS) -> Table:
    rows(table, "UPDATE games SET empty_since = empty_since - make_interval(days => %(d)s) WHERE id = %(game)s", d=days)
    return table


def look(store: PostgresStore, days: int = DAYS) -> int:
    with store.transaction() as tables:
        return tables.forget_empty_games(days, 100)


def left_of(table: Table) -> dict[str, int]:
    """How many rows of every table speak of the game."""
    found = {}
    for each in OF_A_GAME:
        found[each.name] = len(rows(table, f"SELECT 1 FROM {each.name} WHERE game_id = %(game)s"))
    found["games"] = len(rows(table, "SELECT 1 FROM games WHERE id = %(game)s"))
    return {name: count for name, count in found.items() if count}


def test_a_game_that_was_resigned_from_at_once_is_deleted_with_all_that_is_its(store: PostgresStore) -> None:
    table = seat_players(store, 2, ruleset="claim", bots={1: "random"}, visibility="private", turn_seconds=600)
    with store.transaction() as tables:
        owner = table.callers[0]
        invitations.create(tables, owner, table.game, seat=None, uses=1, expires_in=None, expires_at=None)
        create_token(tables, owner, "bot", ["play"], table.game, None)
        kept, _ = create_token(tables, owner, "for all", ["play"], None, None)
    resign(table)
    assert set(left_of(table)) >= {"games", "seats", "invitations", "tokens", "log", "events"}
    assert look(store) == 0
    age(table, DAYS - 1)
    assert look(store) == 0
    age(table, 1)
    assert look(store) == 1
    assert left_of(table) == {}
    with store.reading() as tables:
        assert [token.id for token in tables.tokens(owner.player, None, 9)][-1] == kept.id
        assert tables.player(owner.player) is not None
        with pytest.raises(NotFound):
            game_by_id(tables, table.game)


def _played(store: PostgresStore) -> Table:
    table = seat_players(store, 2, ruleset="claim")
    table.submit(table.position().awaited()[0])
    return resign(table)


def _sealed(store: PostgresStore) -> Table:
    table = seat_players(store, 3)
    table.submit(1)
    for seat in (0, 2):
        resign(table, seat)
    return table


def _chosen_last(store: PostgresStore) -> Table:
    """The one choice of a person is the one that ends the game: it is written by the same statement."""
    table = seat_players(store, 2, ruleset="claim")
    while table.row().status == "active":
        rows(table, "DELETE FROM submissions WHERE game_id = %(game)s")
        table.submit(table.position().awaited()[0])
    assert len(rows(table, "SELECT 1 FROM submissions WHERE game_id = %(game)s")) == 1
    return table


@pytest.mark.parametrize("made", [_played, _sealed, _chosen_last])
def test_one_choice_of_a_person_keeps_a_game(store: PostgresStore, made: Callable[[PostgresStore], Table]) -> None:
    table = made(store)
    assert table.row().status == "over"
    before = left_of(table)
    rows(table, "UPDATE games SET empty_since = coalesce(empty_since, ended_at) - interval '99 days'")
    assert look(store) == 0, "whatever the row says, the receipt is looked for"
    assert left_of(table) == before


@pytest.mark.parametrize("made", [_played, _sealed, _chosen_last])
def test_it_does_not_count_as_empty(store: PostgresStore, made: Callable[[PostgresStore], Table]) -> None:
    table = made(store)
    assert rows(table, "SELECT empty_since FROM games WHERE id = %(game)s") == [(None,)]


def test_rated_games_are_kept(store: PostgresStore) -> None:
    table = age(resigned(store, rated=True, turn_seconds=600), 99)
    while Worker(store).work():
        pass
    assert look(store) == 0
    assert {"games", "rating_changes", "log"} <= set(left_of(table))


def test_what_bots_choose_and_what_is_played_for_the_absent_keeps_no_game(store: PostgresStore) -> None:
    """Bots have receipts; the absent have none."""
    table = seat_players(store, 3, bots={1: "random", 2: "random"}, turn_seconds=600, absence="bot:random")
    worker = Worker(store)
    for _ in range(3):
        while worker.work():
            pass
        pass_deadline(table)
        with store.transaction() as tables:
            deadlines.expire(tables, table.game)
    assert rows(table, "SELECT 1 FROM submissions WHERE game_id = %(game)s")
    resign(table)
    while table.row().status == "active":
        worker.work()
    age(table, DAYS)
    assert look(store) == 1
    assert left_of(table) == {}


def _open(store: PostgresStore) -> Table:
    with store.transaction() as tables:
        owner = authenticate(tables, register(tables, "Ragna")[2])
        made = new_game(tables, owner, ruleset="claim", seats=2, options={}, visibility="private")
    return Table(store, made.id, [], [owner])


@pytest.mark.parametrize("made", [_open, seat_players])
def test_whoever_comes_back_finds_the_game_that_was_archived(
    store: PostgresStore, made: Callable[[PostgresStore], Table]
) -> None:
    """Though nobody has chosen anything, and whatever its row says: it has not ended."""
    table = archived(made(store))
    rows(table, "UPDATE games SET empty_since = coalesce(empty_since, clock_timestamp()) WHERE id = %(game)s")
    age(table, 9999)
    assert look(store, 1) == 0
    with store.transaction() as tables:
        returns.return_to_seat(tables, table.callers[0], table.game, 0)
    assert table.row().status in ("open", "active")
    assert look(store, 1) == 0


def test_archived_games_do_not_count_as_empty(store: PostgresStore) -> None:
    table = archived(seat_players(store))
    assert rows(table, "SELECT empty_since FROM games WHERE id = %(game)s") == [(None,)]


def test_a_game_that_somebody_holds_is_passed_over(store: PostgresStore) -> None:
    table = age(resigned(store))
    with store.transaction() as tables:
        assert tables.game_row(table.game, lock=True) is not None
        assert look(store) == 0
    assert look(store) == 1


def test_nobody_is_invited_to_a_game_that_is_deleted_meanwhile(store: PostgresStore) -> None:
    table = age(resigned(store, visibility="private"))
    with store.transaction() as tables:
        owned = invitations.own_game(tables, table.callers[0], table.game)
        assert look(store) == 1
        tables.add_invitation(owned.id, UUID(int=1), b"digest", None, 1, None, None)
        assert tables.invitation(owned.id, UUID(int=1)) is None
        with pytest.raises(NotFound):
            invitations.own_game(tables, table.callers[0], table.game)


def test_the_worker_deletes_after_the_days_that_are_set(store: PostgresStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holmgang.worker.loop._LOOKED_AT", 2)
    old, young = [age(resigned(store), 3) for _ in range(5)], age(resigned(store), 2)
    while Worker(store, empty_days=4).work():
        pass
    assert all(left_of(table) for table in old)
    worker = Worker(store, empty_days=3)
    while worker.work():
        pass
    assert not any(left_of(table) for table in old)
    assert left_of(young)


@pytest.mark.plain_postgres("the plan of one table")
def test_they_are_found_by_an_index_among_a_hundred_thousand(store: PostgresStore, database: str) -> None:
    table = age(resigned(store))
    with psycopg.connect(conninfo(database), autocommit=True) as connection:
        multiply(
            connection,
            table,
            100_000,
            empty_since="CASE WHEN n %% 100 = 0 THEN clock_timestamp() END",
        )
        found = scan(connection, "games_empty_since_idx", EMPTY, days=DAYS, limit=200)
        assert found["Actual Rows"] == 1
        scan(connection, "games_creator_empty_since_idx", EMPTY_GAMES, creator=table.callers[0].player, days=DAYS)


# Kept answers


def keep(store: PostgresStore, player: UUID, name: str) -> None:
    with store.transaction() as tables:
        tables.keep_answer(player, name, b"call", b"body", {"status": 201})


def test_answers_go_after_a_day_whoever_keeps_another(store: PostgresStore, database: str) -> None:
    table = seat_players(store)
    for seat in range(3):
        keep(store, table.callers[seat].player, "old")
    with psycopg.connect(conninfo(database), autocommit=True) as connection:
        connection.execute("UPDATE answers SET kept_at = kept_at - interval '24 hours'")
        keep(store, table.callers[0].player, "new")
        while Worker(store).work():
            pass
        assert connection.execute("SELECT player_id, key FROM answers").fetchall() == [(table.callers[0].player, "new")]


def test_answers_are_found_by_an_index(store: PostgresStore, database: str) -> None:
    with psycopg.connect(conninfo(database), autocommit=True) as connection:
        connection.execute(
            "INSERT INTO answers (player_id, key, kept_at, call, body, answer) SELECT gen_random_uuid(), 'k',"
            " clock_timestamp() - make_interval(secs => CASE WHEN n <= 100 THEN 90000 ELSE n * 0.4 END), '', '', '{}'"
            " FROM generate_series(1, 108100) n"
        )
        connection.execute("ANALYZE answers")
        found = scan(connection, "answers_kept_at_idx", FORGET_ANSWERS, limit=200)
        assert found["Actual Rows"] == 100
        assert connection.execute("SELECT count(*) FROM answers").fetchone() == (108_000,)


def test_nothing_is_archived_or_deleted_of_what_is_not_idle(store: PostgresStore) -> None:
    table = seat_players(store)
    with store.reading() as tables:
        assert archive.archive(tables, 30, 10) == 0
    assert look(store, 1) == 0
    assert left_of(table)
