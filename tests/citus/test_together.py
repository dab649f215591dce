"""What one transaction writes on the coordinator and at a node is written at both or at neither."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple
from uuid import uuid4

import psycopg
import pytest

from holmgang.app.errors import Busy
from holmgang.app.games import ratings
from holmgang.app.games.seats import seat_bot
from holmgang.app.play import resignation, submissions
from holmgang.app.ports import Tables
from holmgang.store.database import PostgresStore
from holmgang.store.distributed import DistributedTables
from tests.integration.tables import Table, let_news_be_delivered, new_game, seat_players

from .cluster import Cluster


@pytest.fixture(scope="module")
def url(cluster: Cluster) -> Iterator[str]:
    with cluster.distributed("together") as url:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("CREATE TABLE one (n int)")
            connection.execute("CREATE TABLE other (n int)")
        yield url


@pytest.fixture
def store(url: str) -> Iterator[PostgresStore]:
    store = PostgresStore(url, pool_size=1)
    yield store
    store.close()


def cannot_commit(tables: DistributedTables, url: str) -> None:
    """Another transaction reads what this one has written, and writes what it has read: the coordinator finds out when
    it commits, after what Citus does then."""
    tables._connection.execute("SELECT FROM one")
    tables._connection.execute("INSERT INTO other VALUES (1)")
    with psycopg.connect(url) as other:
        other.isolation_level = psycopg.IsolationLevel.SERIALIZABLE
        other.execute("SELECT FROM other")
        other.execute("INSERT INTO one VALUES (1)")


class Case(NamedTuple):
    """What is done in a transaction, and what is asked before and after."""

    do: Callable[[Tables], object]
    at_nodes: str


def create(table: Table) -> Case:
    (creator, *_) = table.callers
    return Case(
        lambda tables: new_game(tables, creator, ruleset="claim", seats=2, options={}, join=False),
        "SELECT count(*) FROM games",
    )


def sealed_move_with_a_key(table: Table) -> Case:
    table = seat_players(table.store)
    seat, *_ = table.position().awaited()
    turn, action = table.row().turn, table.legal(seat)

    def do(tables: Tables) -> None:
        submissions.submit(tables, table.secrets[seat], table.game, turn, action)
        tables.keep_answer(table.callers[seat].player, "key", b"call", b"body", {})

    return Case(do, "SELECT count(*) FROM submissions")


def seat_the_first_bot(table: Table) -> Case:
    (creator, *_) = table.callers
    with table.store.transaction() as tables:
        game = new_game(tables, creator, ruleset="claim", seats=4, options={}, join=False).id
    return Case(lambda tables: seat_bot(tables, creator, game, None, "random"), "SELECT count(*) FROM seats")


def rate(table: Table) -> Case:
    game = seat_players(table.store, ruleset="claim", seats=2, turn_seconds=60, rated=True)
    with table.store.reading() as tables:
        resignation.resign(tables, game.secrets[0], game.game)
    return Case(lambda tables: ratings.count(tables, "claim", game.game), "SELECT count(rated_at) FROM games")


def deliver(table: Table) -> Case:
    let_news_be_delivered(table.store)  # there is news of one game alone, then
    with table.store.transaction() as tables:
        for caller in table.callers:
            tables.add_webhook(uuid4(), caller.player, "https://example.org/", ["turn.waiting"], "whsec_")
    table.play(1)
    return Case(lambda tables: tables.take_deliveries(1, 60.0, []), "SELECT count(*) FROM news")


@pytest.mark.parametrize("arrange", [create, sealed_move_with_a_key, seat_the_first_bot, rate, deliver])
def test_both_or_neither(
    store: PostgresStore, url: str, monkeypatch: pytest.MonkeyPatch, arrange: Callable[[Table], Case]
) -> None:
    case = arrange(seat_players(store, ruleset="claim", seats=2))
    note, refused = DistributedTables.note, list[Any]()

    def last(self: DistributedTables) -> None:
        note(self)
        cannot_commit(self, url)
        refused.append(self)

    def found() -> Any:
        with psycopg.connect(url, autocommit=True) as connection:
            return connection.execute(case.at_nodes.encode()).fetchone()

    before = found()
    with store.pool.connection() as connection:
        connection.isolation_level = psycopg.IsolationLevel.SERIALIZABLE
    with monkeypatch.context() as patch:
        patch.setattr(DistributedTables, "note", last)
        with suppress(Busy), store.reading() if arrange is deliver else store.transaction() as tables:
            case.do(tables)
    assert refused
    assert found() == before
    with store.reading() if arrange is deliver else store.transaction() as tables:
        case.do(tables)
    assert found() != before
