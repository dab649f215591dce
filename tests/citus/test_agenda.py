"""Inbox and agenda of the coordinator say what the games say, whatever happens in between."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from holmgang.app.accounts.players import register
from holmgang.app.accounts.tokens import authenticate, token_digest
from holmgang.app.errors import DatabaseUnavailable, LimitReached, Refusal
from holmgang.app.play import resignation, returns, submissions
from holmgang.app.records.contexts import GameCaller
from holmgang.bots.base import NAMES
from holmgang.store.agenda import KEPT_HOURS, SETTLE
from holmgang.store.all_tables import PostgresTables
from holmgang.store.database import PostgresStore
from holmgang.store.distributed import DistributedTables
from holmgang.worker.loop import Worker
from tests.integration.tables import Table, new_game, seat_players
from tests.waiting import wait_until

from .agenda import tell, untrue
from .cluster import Cluster, Node

EMPTY_DAYS = 7


class Killed(PostgresStore):
    """Of a process that is killed after each commit, before it can tell of it."""

    def _tell(self, tables: PostgresTables) -> None:
        """Too late."""


@pytest.fixture(scope="module")
def url(cluster: Cluster) -> Iterator[str]:
    with cluster.distributed("agenda") as url:
        yield url


@pytest.fixture(scope="module")
def store(url: str) -> Iterator[PostgresStore]:
    store = PostgresStore(url, pool_size=4)
    yield store
    store.close()


@pytest.fixture(scope="module")
def killed(url: str) -> Iterator[PostgresStore]:
    store = Killed(url, pool_size=4)
    yield store
    store.close()


@pytest.fixture(autouse=True)
def quiet(store: PostgresStore, url: str) -> Iterator[None]:
    yield
    sweep(store)
    assert untrue(url) == []
    sweep(store)  # what is mended is noted anew
    assert execute(url, "SELECT count(*) FROM outbox") == [(0,)]


def execute(url: str, statement: str, *values: Any) -> list[Any]:
    with psycopg.connect(url, autocommit=True) as connection:
        done = connection.execute(statement.encode(), values)
        return done.fetchall() if done.description else []


def sweep(store: PostgresStore) -> int:
    with store.reading() as tables:
        return tables.sweep(EMPTY_DAYS)


def inbox(table: Table, seat: int) -> list[int]:
    """The turns that wait for a seat."""
    with table.store.reading() as tables:
        (found,) = tables.turns_by_tokens([token_digest(table.secrets[seat])])
    assert isinstance(found, tuple)
    return [waiting.turn for waiting in found[1]]


def noted(store: PostgresStore, game: UUID) -> str:
    """What a process has noted of a game, and not told yet."""
    with store.pool.connection() as connection:
        tables = store._tables(connection)
        assert isinstance(tables, DistributedTables)
        with tables.atomic(True):
            tables._to_note.add(game)
        return tables._noted[game]


def settle(url: str, noted: str) -> None:
    execute(url, f"SELECT FROM {SETTLE.name}(%s)", f"[{noted}]")


def pass_deadline(url: str, table: Table) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        passed = datetime.now(UTC) - timedelta(seconds=1)
        connection.execute(
            "UPDATE games SET deadline = %s WHERE id = %s AND deadline > %s", [passed, table.game, passed]
        )
        tell(connection, table.game)


def test_who_has_moved_finds_the_inbox_true(store: PostgresStore, url: str) -> None:
    table = seat_players(store, ruleset="claim", seats=2)
    for _ in range(6):
        (seat,) = table.position().awaited()
        turn = table.row().turn
        assert inbox(table, seat) == [turn]
        table.submit(seat)
        assert turn not in inbox(table, seat)
        assert untrue(url) == []


def do_something(rng: random.Random, url: str, table: Table) -> None:
    """One thing that may happen to a game; what is refused changes nothing."""
    store = table.store
    seat = rng.randrange(len(table.secrets))

    def choose() -> None:
        awaited = table.position().awaited()
        table.submit(rng.choice(awaited))

    def be_late() -> None:
        pass_deadline(url, table)
        Worker(store, rng).work()

    def resign() -> None:
        with store.reading() as tables:
            resignation.resign(tables, table.secrets[seat], table.game)

    def come_back() -> None:
        with store.transaction() as tables:
            returns.return_to_seat(tables, table.callers[seat], table.game, seat)

    def lie_idle() -> None:
        long_ago = datetime.now(UTC) - timedelta(days=40)
        execute(url, "UPDATE games SET touched_at = %s, deadline = NULL WHERE id = %s", long_ago, table.game)
        execute(url, "UPDATE events SET at = %s WHERE game_id = %s", long_ago, table.game)
        with store.reading() as tables:
            tables.archive(30, 100, "game_archived")

    ways: list[Callable[[], None]] = [choose] * 6 + [be_late] * 2 + [come_back] * 2 + [resign, lie_idle]
    with suppress(Refusal, IndexError):
        rng.choice(ways)()


@pytest.mark.parametrize("seed", range(3))
def test_they_are_true_after_anything(store: PostgresStore, killed: PostgresStore, url: str, seed: int) -> None:
    rng = random.Random(seed)
    terms: list[dict[str, Any]] = [
        {"turn_seconds": 60, "absence": "bot:greedy"},
        {"turn_seconds": 60, "absence": "forfeit", "rated": True},
        {"ruleset": "claim", "seats": 2, "bots": {1: "random"}},
        {"ruleset": "drakkars", "seats": 2, "turn_seconds": 60, "clock": "runs", "bots": {1: "greedy"}},
    ]
    games = [seat_players(store, **one) for one in terms]
    asks = [(token_digest(secret), table.game, None) for table in games for secret in table.secrets]
    for _ in range(25):
        do_something(rng, url, rng.choice(games))
        with store.reading() as tables:
            assert tables.callers(asks, again=True) == [tables.caller(*ask) for ask in asks]
    assert untrue(url) == [], "without any sweep"
    for _ in range(25):
        table = rng.choice(games)
        table.store = rng.choice([store, killed])
        do_something(rng, url, table)
    sweep(store)
    assert untrue(url) == []
    with store.reading() as tables:
        assert tables.callers(asks, again=True) == [tables.caller(*ask) for ask in asks]


def test_who_looks_again_has_nodes_asked_about_what_was_written(
    store: PostgresStore, killed: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [seat_players(store) for _ in range(3)]
    asks = [(token_digest(table.secrets[0]), table.game, None) for table in games]
    ask, about = DistributedTables._ask, set[UUID]()

    def noted(self: DistributedTables, asked: Any, known: Any, numbers: list[int], told: Any) -> None:
        about.update(asked[number][1] for number in numbers)
        ask(self, asked, known, numbers, told)

    def look() -> set[UUID]:
        about.clear()
        with store.reading() as tables:
            assert [found.game for found in tables.callers(asks, again=True) if isinstance(found, GameCaller)] == [
                table.game for table in games
            ]
        return set(about)

    monkeypatch.setattr(DistributedTables, "_ask", noted)
    assert look() == {table.game for table in games}
    assert look() == set()
    games[0].submit(1)
    assert look() == {games[0].game}
    assert look() == set()
    games[1].store = killed
    games[1].submit(1)
    assert look() == set()
    sweep(store)
    assert look() == {games[1].game}
    with store.reading() as tables:
        tables.callers(asks)
        assert about == {table.game for table in games}, "who does not look again is told what is so now"


def test_what_a_killed_process_left_is_seen_to(store: PostgresStore, killed: PostgresStore, url: str) -> None:
    games = [seat_players(killed) for _ in range(3)]
    games[0].play(3)
    assert all(f"{table.game}" in str(untrue(url)) for table in games)
    with store.reading() as tables:
        assert tables.sweep(EMPTY_DAYS) == 3
        assert isinstance(tables, DistributedTables)
        assert tables.changed == {table.game: table.row().version for table in games}, "others hear of it"
    assert untrue(url) == []
    assert sweep(store) == 0


def test_a_worker_plays_what_a_killed_process_left(store: PostgresStore, killed: PostgresStore) -> None:
    table = seat_players(killed, bots={1: "random"})
    Worker(store).work()
    assert 1 not in table.position().awaited()


def test_what_comes_late_is_passed_over(store: PostgresStore, url: str) -> None:
    table = seat_players(store, ruleset="claim", seats=2)
    notes = []
    for _ in range(4):
        notes.append(noted(store, table.game))
        table.play(1)
    for note in reversed(notes):
        settle(url, note)
        assert untrue(url) == []


def test_what_is_rolled_back_is_not_told(store: PostgresStore, url: str) -> None:
    """The node may be lost while a move under a lock is committed. The next one is noted by the same number."""
    table = seat_players(store, ruleset="claim", seats=2)
    (seat,) = table.position().awaited()
    turn, action = table.row().turn, table.legal(seat)
    with suppress(ZeroDivisionError), store.reading() as tables, tables.atomic(True):
        submissions.submit(tables, table.secrets[seat], table.game, turn, action)
        raise ZeroDivisionError
    assert table.row().turn == turn
    assert untrue(url) == []
    table.submit(seat)
    assert untrue(url) == []


def test_an_idle_game_that_fails_holds_up_no_other(
    store: PostgresStore, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [seat_players(store).game for _ in range(3)]
    long_ago = datetime.now(UTC) - timedelta(days=40)
    for days, game in enumerate(games):
        execute(url, "UPDATE games SET touched_at = %s WHERE id = %s", long_ago + timedelta(days=days), game)
        execute(url, "UPDATE events SET at = %s WHERE game_id = %s", long_ago, game)
    archive = PostgresTables._archive

    def fail(self: PostgresTables, game: UUID, days: int, event: str) -> int | None:
        if game == games[1]:
            execute(url, "SELECT FROM games WHERE id = %s FOR UPDATE NOWAIT", games[0])  # it is held no more
            raise psycopg.errors.LockNotAvailable
        return archive(self, game, days, event)

    monkeypatch.setattr(PostgresTables, "_archive", fail)
    with store.reading() as tables:
        tables.archive(30, 100, "game_archived")
        assert isinstance(tables, DistributedTables)
        assert tables.changed.keys() == {games[0], games[2]}
    assert untrue(url) == []


def test_two_that_settle_a_game_at_once_leave_what_is_newer(store: PostgresStore, url: str) -> None:
    """The second waits for the first, and must then see what the first has put into the inbox."""
    table = seat_players(store, ruleset="claim", seats=2)
    asked, older = table.position().awaited(), noted(store, table.game)
    execute(url, "DELETE FROM inbox WHERE game_id = %s", table.game)
    execute(url, "DELETE FROM agenda WHERE id = %s", table.game)
    silent = Killed(url, pool_size=2)
    table.store = silent
    while table.position().awaited() == asked:
        table.play(1)
    newer = noted(silent, table.game)
    with psycopg.connect(url) as first, psycopg.connect(url, autocommit=True) as second:
        first.execute(f"SELECT FROM {SETTLE.name}(%s)".encode(), [f"[{older}]"])
        second.execute("SET application_name = 'second'")
        second.pgconn.send_query_params(f"SELECT FROM {SETTLE.name}($1)".encode(), [f"[{newer}]".encode()])
        waits = "SELECT 1 FROM pg_stat_activity WHERE application_name = 'second' AND wait_event_type = 'Lock'"
        wait_until(lambda: execute(url, waits) == [(1,)], "the second waits for the first")
        first.commit()
        while (result := second.pgconn.get_result()) is not None:
            assert not result.error_message
    silent.close()
    assert untrue(url) == []


def test_a_game_that_is_gone_does_not_come_back(store: PostgresStore, killed: PostgresStore, url: str) -> None:
    """Told of late, or by nobody."""
    long_ago = datetime.now(UTC) - timedelta(days=40)
    late = seat_players(store)
    note = noted(store, late.game)
    for table in (late, seat_players(killed)):
        for seat in (0, 1, 2):
            with table.store.reading() as tables, suppress(Refusal):
                resignation.resign(tables, table.secrets[seat], table.game)
        assert table.row().status == "over"
        execute(url, "UPDATE games SET empty_since = %s WHERE id = %s", long_ago, table.game)
    with store.transaction() as tables:
        assert tables.forget_empty_games(7, 100) == 2
        assert tables.games_under_way(late.callers[0].player) == 0
    settle(url, note)
    sweep(store)
    assert execute(url, "SELECT count(*) FROM inbox WHERE game_id = %s", late.game) == [(0,)]
    assert [line for line in untrue(url) if str(late.game) in line] == []


def test_games_that_are_over_leave_the_agenda_after_a_day(store: PostgresStore, url: str) -> None:
    table = seat_players(store)
    table.play()
    there = f"SELECT count(*) FROM agenda WHERE id = '{table.game}'"
    for hours, kept in ((KEPT_HOURS - 1, 1), (KEPT_HOURS + 1, 0)):
        at = datetime.now(UTC) - timedelta(hours=hours)
        execute(url, "UPDATE agenda SET at = %s WHERE id = %s", at, table.game)
        sweep(store)
        assert execute(url, there) == [(kept,)]


@pytest.mark.parametrize("rated", [False, True])
def test_empty_games_stay_in_the_agenda_while_they_are_counted(store: PostgresStore, url: str, rated: bool) -> None:
    table = seat_players(store, ruleset="claim", seats=2, turn_seconds=60, rated=rated)
    creator = table.callers[0].player

    def counted() -> tuple[int, int]:
        with store.reading() as tables:
            return tables.games_under_way(creator), tables.empty_games(creator, EMPTY_DAYS)

    assert counted() == (1, 0)
    with store.reading() as tables:
        resignation.resign(tables, table.secrets[0], table.game)
    assert counted() == (0, 1)
    Worker(store).work()  # rates it
    now = datetime.now(UTC)
    execute(url, "UPDATE agenda SET at = %s WHERE id = %s", now - timedelta(hours=KEPT_HOURS + 1), table.game)
    there = f"SELECT count(*) FROM agenda WHERE id = '{table.game}'"
    for days, kept in ((EMPTY_DAYS - 1, 1), (EMPTY_DAYS + 1, 0)):
        execute(url, "UPDATE agenda SET empty_since = %s WHERE id = %s", now - timedelta(days=days), table.game)
        sweep(store)
        assert execute(url, there) == [(kept,)]
    assert counted() == (0, 0)


def test_a_new_game_counts_at_once(killed: PostgresStore, url: str) -> None:
    """In the transaction that makes it: its creator might make more games before it was told of."""
    with killed.transaction() as tables:
        player = authenticate(tables, register(tables, "Ragna")[2])
    for _ in range(2):
        with killed.transaction() as tables:
            new_game(tables, player, ruleset="claim", seats=2, options={}, join=False, most=2)
    with pytest.raises(LimitReached), killed.transaction() as tables:
        new_game(tables, player, ruleset="claim", seats=2, options={}, most=2)


def test_a_claim_lasts_as_long_as_its_choice_is_asked(store: PostgresStore, url: str) -> None:
    table = seat_players(store, bots={1: "random", 2: "random"})

    def claimed() -> list[int]:
        with store.reading() as tables:
            return [task.seat for task in tables.claim_tasks(20, 15.0, NAMES) if task.game == table.game]

    assert sorted(claimed()) == [1, 2]
    settle(url, noted(store, table.game))
    assert claimed() == []
    Worker(store).work()
    table.submit(0)
    if table.row().turn > 1:
        assert sorted(claimed()) == [seat for seat in table.position().awaited() if seat]


def node_of(cluster: Cluster, url: str, game: UUID) -> Node:
    (port,) = execute(
        url,
        "SELECT nodeport FROM citus_shards WHERE shardid = get_shard_id_for_distribution_column('games', %s::uuid)",
        game,
    )[0]
    return next(node for node in cluster.workers if node.port == port)


def test_a_lost_node_stops_its_own_games_alone(
    cluster: Cluster, store: PostgresStore, killed: PostgresStore, url: str
) -> None:
    tables_ = [seat_players(store, turn_seconds=60, bots={2: "random"}) for _ in range(12)]
    lost = node_of(cluster, url, tables_[0].game)
    away = [table for table in tables_ if node_of(cluster, url, table.game) is lost]
    there = [table for table in tables_ if table not in away]
    assert there
    assert away
    left = next(table for table in there)
    left.store = killed
    left.submit(0)
    away[0].store = killed
    away[0].submit(0)
    left.store = away[0].store = store
    lost.kill()
    try:
        assert sweep(store) == 1
        assert inbox(left, 0) == []
        for table in away:
            assert inbox(table, 1) == [1], "it still waits"
            with pytest.raises(DatabaseUnavailable):
                table.submit(1)
        for table in there:
            table.submit(1)
            assert inbox(table, 1) == []
        long_ago = datetime.now(UTC) - timedelta(minutes=5)
        execute(url, "UPDATE pulse SET at = %s", long_ago)
        worker = Worker(store)
        with suppress(Refusal):
            worker.work()
        assert execute(url, "SELECT at > %s FROM pulse", long_ago) == [(True,)], "deadlines hold again"
        for table in there:
            pass_deadline(url, table)
        for _ in range(3):
            with suppress(Refusal):
                worker.work()
        assert min(table.row().turn for table in there) > 1, "bots have chosen, and deadlines have passed"
    finally:
        lost.start()
    wait_until(lambda: not store._away.anything(), "the process has seen that it is back")
    assert sweep(store) == 1
    assert inbox(away[0], 0) == []
    away[0].submit(1)
    assert inbox(away[0], 1) == []


def test_webhooks_hear_of_games_whose_nodes_are_there(cluster: Cluster, store: PostgresStore, url: str) -> None:
    games = [seat_players(store, ruleset="claim", seats=2) for _ in range(8)]
    lost = node_of(cluster, url, games[0].game)

    def told() -> set[str]:
        with store.reading() as tables:
            tables.take_deliveries(100, 60.0, [])
        return {game for (game,) in execute(url, "SELECT body::json -> 'data' ->> 'game' FROM deliveries")}

    assert told() == set(), "nobody listens yet"
    with store.transaction() as tables:
        for table in games:
            for caller in table.callers:
                tables.add_webhook(uuid4(), caller.player, "https://example.org/", ["turn.waiting"], "whsec_")
    for table in games:
        table.play(1)
    there = {str(table.game) for table in games if node_of(cluster, url, table.game) is not lost}
    lost.kill()
    try:
        assert told() == there
    finally:
        lost.start()
    every = {str(table.game) for table in games}
    wait_until(lambda: told() == every, "the node is known to be back")
    execute(url, "DELETE FROM webhooks")
