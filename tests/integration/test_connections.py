"""A database that is silent, read-only or away: a refusal that says to try again, within the time that clients wait."""

from __future__ import annotations

import logging
import socket
import threading
import traceback
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

import psycopg
import pytest

from holmgang import Client
from holmgang.app.accounts import players
from holmgang.app.accounts.tokens import authenticate
from holmgang.app.errors import DatabaseUnavailable
from holmgang.app.ports import Watch
from holmgang.store import connections, database, wakeups
from holmgang.store.database import PostgresStore, conninfo
from holmgang.worker.deliveries import Deliverer
from tests.integration.tables import seat_players
from tests.integration.test_absence import sql
from tests.waiting import wait_until
from tests.wire import Wire, wire


def through(url: str, port: int) -> str:
    """The address of the same database by the wire at that port."""
    parts = urlsplit(url)
    user, _, _ = parts.netloc.rpartition("@")
    return f"postgresql://{user}@127.0.0.1:{port}{parts.path}"


def server_of(url: str) -> int | Path:
    """Where a wire to the database's server leads."""
    parts = urlsplit(url)
    folders = parse_qs(parts.query).get("host")
    return Path(folders[0]) / ".s.PGSQL.5432" if folders else parts.port or 5432


@pytest.fixture
def cable(database: str) -> Iterator[Wire]:
    with wire(server_of(database)) as between:
        yield between


@pytest.fixture
def store(database: str, cable: Wire) -> Iterator[PostgresStore]:
    store = PostgresStore(through(database, cable.port), pool_size=2)
    yield store
    store.close()


def register(store: PostgresStore) -> None:
    with store.transaction() as tables:
        players.register(tables, "Ragna")


def refused(store: PostgresStore) -> bool:
    try:
        register(store)
    except DatabaseUnavailable:
        return True
    return False


def test_a_server_that_falls_silent_is_given_up(
    store: PostgresStore, cable: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "SILENCE_SECONDS", 0.5)
    register(store)
    cable.freeze()
    with pytest.raises(DatabaseUnavailable) as fault:
        register(store)
    assert "said nothing" in str(fault.value.__cause__)
    cable.thaw()
    wait_until(lambda: not refused(store), "it goes on by itself")


def test_a_silence_is_shorter_than_clients_wait() -> None:
    with Client("http://127.0.0.1:1") as client:
        slowest = database.STATEMENT_TIMEOUT_MS / 1000 + database.POOL_TIMEOUT_S
        assert slowest < connections.SILENCE_SECONDS < client.timeout


def test_the_connection_that_listens_is_made_anew_where_it_has_fallen_silent(
    store: PostgresStore, cable: Wire, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(connections, "SILENCE_SECONDS", 0.5)
    monkeypatch.setattr(wakeups, "CHECK_SECONDS", 0.1)
    table = seat_players(store)
    heard = sessions(store)
    with caplog.at_level(logging.WARNING, logger="holmgang.wakeups"), store.watch_game(table.game):
        wait_until(lambda: sessions(store) - heard, "it listens")
        first = sessions(store)
        cable.freeze()
        wait_until(lambda: "wake-ups are interrupted" in caplog.text, "the silence is noticed")
        cable.thaw()
        wait_until(lambda: sessions(store) - first, "another connection listens")


def woken(store: PostgresStore, watch: Watch, game: UUID) -> bool:
    watch.listen()
    store.wakeups.announce({game: 7})
    return watch.wait(0.2)


@pytest.mark.parametrize("payload", ["", "hello", "hello 1", "{game}", "{game} one", "{game} 1 2", "1 {game}"])
def test_a_notification_that_cannot_be_read_ends_no_news(
    store: PostgresStore, payload: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(wakeups, "CHECK_SECONDS", 3600.0)
    table = seat_players(store)

    def passed_over() -> int:
        sql(store, f"SELECT pg_notify('{wakeups.CHANNEL}', '{payload.format(game=table.game)}')")
        return caplog.text.count("passed over")

    with caplog.at_level(logging.WARNING, logger="holmgang.wakeups"), store.watch_game(table.game) as watch:
        wait_until(passed_over, "it is passed over")
        wait_until(lambda: woken(store, watch, table.game), "who waits is woken")
        assert passed_over() == 1, "that is said once"
        wait_until(lambda: woken(store, watch, table.game), "who waits is woken again")
        assert passed_over() == 1
    assert "interrupted" not in caplog.text


def test_the_thread_that_listens_goes_on_after_any_fault(store: PostgresStore, monkeypatch: pytest.MonkeyPatch) -> None:
    table = seat_players(store)
    ring, failed = store.wakeups._ring_games, threading.Event()

    def failing(games: dict[UUID, int]) -> None:
        monkeypatch.setattr(store.wakeups, "_ring_games", ring)
        failed.set()
        raise ZeroDivisionError

    monkeypatch.setattr(wakeups, "CHECK_SECONDS", 3600.0)
    monkeypatch.setattr(store.wakeups, "_ring_games", failing)
    with store.watch_game(table.game) as watch:
        wait_until(lambda: woken(store, watch, table.game), "who waits is woken")
    assert failed.is_set()


@pytest.mark.parametrize("swallows", [False, True], ids=["refused", "swallowed"])
def test_who_waits_has_news_while_no_connection_can_listen(
    store: PostgresStore, database: str, monkeypatch: pytest.MonkeyPatch, swallows: bool
) -> None:
    monkeypatch.setattr(wakeups, "CHECK_SECONDS", 0.1)
    table = seat_players(store)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1] if swallows else 1
        deaf = PostgresStore(database, pool_size=1, session_url=f"postgresql://nobody@127.0.0.1:{port}/nowhere")
        check, failed = deaf.wakeups._check, threading.Event()

        def failing() -> None:
            monkeypatch.setattr(deaf.wakeups, "_check", check)
            failed.set()
            raise ZeroDivisionError

        monkeypatch.setattr(deaf.wakeups, "_check", failing)
        try:
            with deaf.watch_game(table.game) as watch:
                watch.seen = table.spectator()
                watch.listen()
                assert failed.wait(10), "a check that fails is not the last"
                table.submit(0)
                assert watch.wait(connections.CONNECT_SECONDS / 2)
        finally:
            deaf.close()


def test_who_waits_has_news_while_the_connection_that_listens_is_silent(
    database: str, cable: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wakeups, "CHECK_SECONDS", 0.1)
    store = PostgresStore(database, pool_size=2, session_url=through(database, cable.port))
    try:
        table = seat_players(store)
        with store.watch_game(table.game) as watch:
            wait_until(lambda: sessions(store), "it listens")
            cable.freeze()
            watch.seen = table.spectator()
            watch.listen()
            table.submit(0)
            assert watch.wait(connections.SILENCE_SECONDS / 2)
    finally:
        cable.thaw()
        store.close()


def sessions(store: PostgresStore) -> set[int]:
    """Process ids of the connections that listen for notifications in the store's database."""
    try:
        with store.pool.connection() as connection:
            found = connection.execute(
                "SELECT pid FROM pg_stat_activity WHERE application_name = 'holmgang wake-ups'"
                " AND datname = current_database()"
            ).fetchall()
    except psycopg.Error:
        return set()
    return {pid for (pid,) in found}


def test_a_server_that_is_made_read_only_is_waited_for(store: PostgresStore, database: str) -> None:
    """As hosts do it whose disk is nearly full, and as it is after a connection to a standby."""

    def is_as_it_is_made(mode: str) -> bool:
        store.pool.drain()  # it passes over a connection that is just being made, by what held before
        return refused(store) is (mode == "on")

    with psycopg.connect(conninfo(database), autocommit=True) as other:
        name = psycopg.sql.Identifier(other.info.dbname)
        for mode in ("on", "off"):
            statement = psycopg.sql.SQL("ALTER DATABASE {} SET default_transaction_read_only = {}")
            other.execute(statement.format(name, psycopg.sql.SQL(mode)))
            wait_until(partial(is_as_it_is_made, mode), f"with {mode} it is so")


def test_a_session_that_the_server_has_ended_is_a_passing_fault(store: PostgresStore, database: str) -> None:
    def interrupted() -> None:
        with store.transaction() as tables:
            tables.now()
            with psycopg.connect(conninfo(database), autocommit=True) as other:
                other.execute(
                    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                    " WHERE application_name = 'holmgang' AND datname = current_database()"
                )
            tables.now()

    with pytest.raises(DatabaseUnavailable):
        interrupted()
    wait_until(lambda: not refused(store), "it goes on by itself")


def test_a_limit_that_an_operator_has_set_is_a_passing_fault(database: str, request: pytest.FixtureRequest) -> None:
    with psycopg.connect(conninfo(database), autocommit=True) as operator:
        name = operator.info.dbname
        operator.execute(
            f"ALTER ROLE CURRENT_USER IN DATABASE {name} SET idle_in_transaction_session_timeout = 100".encode()
        )
        store: PostgresStore = request.getfixturevalue("store")  # connects only now, with the limit
        gone = "SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE datname = %s AND state LIKE 'idle in %%')"

        def too_long() -> None:
            with store.transaction() as tables:
                tables.now()
                wait_until(
                    lambda: operator.execute(gone, [name]).fetchone() == (True,),
                    "the server ends who does nothing in a transaction",
                )
                tables.now()

        with pytest.raises(DatabaseUnavailable):
            too_long()


def test_the_pool_looks_again_as_soon_as_somebody_asks_however_long_the_server_was_away(
    store: PostgresStore, cable: Wire
) -> None:
    """Its own pauses double, and would be as long as the outage was."""
    register(store)
    assert store.pool.reconnect_timeout == database.RECONNECT_S
    store.pool.reconnect_timeout = 0.2
    store.pool.timeout = 0.1
    cable.open = False
    cable.cut()
    wait_until(lambda: refused(store) and store.pool.get_stats().get("pool_size") == 0, "the pool has given up")
    cable.open = True
    wait_until(lambda: not refused(store), "the next who asks has it look")


def test_deliveries_go_on_after_any_fault(store: PostgresStore, monkeypatch: pytest.MonkeyPatch) -> None:
    deliverer = Deliverer(store, private=True)
    looked, begin = threading.Event(), deliverer.begin_due

    def looking(hands: object) -> list[object]:
        def look(hands: Any) -> Any:
            looked.set()
            return begin(hands)

        monkeypatch.setattr(deliverer, "begin_due", look)
        raise ZeroDivisionError

    monkeypatch.setattr(deliverer, "begin_due", looking)
    thread = threading.Thread(target=deliverer.run)
    thread.start()
    try:
        assert looked.wait(10)
    finally:
        deliverer.stop()
        thread.join(10)
    assert not thread.is_alive()


def test_a_statement_that_fails_leaves_nothing_to_the_next(database: str) -> None:
    """What is asked again is asked by the same cursor."""
    store = PostgresStore(database, pool_size=1)
    try:
        with store.transaction() as tables:
            player, _, secret = players.register(tables, "Ragna")
        with pytest.raises(psycopg.errors.UniqueViolation), store.transaction() as tables:
            tables.add_player(player.id, "Ragna again")
        for _ in range(2):
            with store.reading() as tables:
                assert authenticate(tables, secret).player == player.id
                assert tables.player(UUID(int=0)) is None
                assert tables.player(player.id) == player
    finally:
        store.close()


def test_what_a_fault_says_holds_nothing_of_the_rows(store: PostgresStore) -> None:
    """Postgres tells a failing row with the first 64 characters of each value, a seed's among them."""
    table = seat_players(store)
    with store.reading() as tables:
        game_row = tables.game_row(table.game, lock=False)
    assert game_row is not None
    seed = game_row.seed.hex()
    with pytest.raises(psycopg.errors.CheckViolation) as failed, store.transaction() as tables:
        tables.execute("UPDATE games SET status = 'nonsense' WHERE id = %(game)s", game=table.game)  # type: ignore[attr-defined]
    assert failed.value.diag.message_detail is not None
    assert seed[:32] in failed.value.diag.message_detail
    assert seed[:32] not in "".join(traceback.format_exception(failed.value))
    assert "violates check constraint" in str(failed.value)


def test_names_are_kept_whatever_the_client_s_encoding_is_by_itself(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGCLIENTENCODING", "LATIN1")
    store = PostgresStore(database, pool_size=1)
    try:
        with store.transaction() as tables:
            player, _, _ = players.register(tables, "\u16a0\u16a2\u16a6")
        with store.reading() as tables:
            assert tables.player(player.id) == player
    finally:
        store.close()
