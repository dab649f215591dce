"""Games with which the worker can do nothing: others are played as if they were not there."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from holmgang import metrics
from holmgang.app.errors import Busy, DatabaseUnavailable
from holmgang.app.play import deadlines, stand_ins
from holmgang.engine.messages import say
from holmgang.store import database as store_database
from holmgang.store.database import PostgresStore, conninfo
from holmgang.worker import loop
from holmgang.worker.loop import Worker
from tests.integration.tables import Table, seat_players
from tests.integration.test_absence import pass_deadline, sql
from tests.waiting import wait_until


@pytest.fixture
def store(database: str) -> Iterator[PostgresStore]:
    store = PostgresStore(database, pool_size=4)
    yield store
    store.close()


def of_unknown_rules(table: Table) -> None:
    sql(table.store, "UPDATE games SET ruleset_version = '99.0' WHERE id = %s", table.game)  # type: ignore[arg-type]


def of_broken_snapshot(table: Table) -> None:
    sql(table.store, "UPDATE games SET state = '\\x00' WHERE id = %s", table.game)  # type: ignore[arg-type]


SPOIL = pytest.mark.parametrize("spoil", [of_unknown_rules, of_broken_snapshot])


def faults() -> float:
    return float(metrics.WORKER_FAULTS._value.get())


def work(worker: Worker, rounds: int = 50) -> None:
    for _ in range(rounds):
        if not worker.work():
            return
    raise AssertionError("the worker did not come to an end")


@SPOIL
def test_bad_games_keep_no_deadline_of_others_from_being_kept(
    store: PostgresStore, spoil: Callable[[Table], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "_BATCH", 3)
    bad = [seat_players(store, turn_seconds=60) for _ in range(4)]
    good = seat_players(store, turn_seconds=60)
    good.submit(0)
    worker = Worker(store, random.Random(3))
    worker.work()
    for table in (*bad, good):
        pass_deadline(table)  # the good one's last
    for table in bad:
        spoil(table)
    before = faults()
    assert not worker.work(), "nothing came of the first three: that is no reason to look again at once"
    worker.work()
    assert good.row().turn == 2
    assert faults() - before == 4
    work(worker)
    assert faults() - before == 4, "each is left alone for a while"


def test_a_bad_game_is_tried_again_after_a_while(store: PostgresStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be played by rules that a deployment has brought, or mended."""
    monkeypatch.setattr(loop, "PAUSE_SECONDS", 0.0)
    table = seat_players(store, turn_seconds=60)
    table.submit(0)
    worker = Worker(store, random.Random(3))
    worker.work()
    (version,) = sql(store, "SELECT ruleset_version FROM games WHERE id = %s", table.game)
    of_unknown_rules(table)
    pass_deadline(table)
    worker.work()
    sql(store, "UPDATE games SET ruleset_version = %s WHERE id = %s", version, table.game)
    worker.work()
    assert table.row().turn == 2


@SPOIL
def test_bad_games_keep_no_bots_of_others_from_choosing(store: PostgresStore, spoil: Callable[[Table], None]) -> None:
    tables = [seat_players(store, 3, bots={1: "random", 2: "greedy"}) for _ in range(6)]
    for n in (0, 3):
        spoil(tables[n])
    before = faults()
    worker = Worker(store, random.Random(3))
    work(worker)
    for n in (1, 2, 4, 5):
        assert tables[n].position().awaited() == (0,)
    assert faults() - before == 4
    sql(store, "UPDATE awaited SET claimed_until = clock_timestamp() - interval '1 second' WHERE played_by IS NOT NULL")
    work(worker)
    assert faults() - before == 4, "though the claims have run out"


def test_only_so_many_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "_LEFT_ALONE", 2)
    pauses, games = loop._Pauses(), [uuid4() for _ in range(3)]
    for game in (games[0], games[1], games[0], games[2]):
        pauses.begin(game, 60.0)
    assert pauses.games() == [games[0], games[2]]
    pauses.begin(games[2], 0.0)
    assert pauses.games() == [games[0]]


def test_a_game_whose_row_is_locked_holds_up_no_other(
    store: PostgresStore, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_database, "LOCK_TIMEOUT_MS", 100)
    mine = PostgresStore(database, pool_size=4)
    locked, free = (seat_players(store, turn_seconds=60) for _ in range(2))
    worker = Worker(mine, random.Random(3))
    worker.work()
    for table in (locked, free):
        table.submit(0)
        pass_deadline(table)
    with psycopg.connect(conninfo(database)) as other:
        other.execute("SELECT FROM games WHERE id = %s FOR UPDATE", [locked.game])
        with pytest.raises(Busy):
            worker.work()
        assert free.row().turn == 2
        worker.work()  # does not wait for it again at once
    monkeypatch.setattr(worker, "_late", loop._Pauses())
    worker.work()
    assert locked.row().turn == 2
    mine.close()


@pytest.mark.parametrize("fails", [1, 2])
def test_a_database_that_is_away_ends_a_round(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch, fails: int
) -> None:
    """Once it may have been the connection that was cut, and the others' claims need not run out."""
    tables = [seat_players(store, 3, bots={1: "random"}) for _ in range(4)]
    asked: list[Any] = []
    seen_by = stand_ins.seen_by

    def cut(*arguments: Any) -> Any:
        asked.append(arguments)
        if len(asked) <= fails:
            raise DatabaseUnavailable(say("Away."))
        return seen_by(*arguments)

    monkeypatch.setattr(stand_ins, "seen_by", cut)
    worker = Worker(store, random.Random(3))
    with pytest.raises(DatabaseUnavailable):
        worker.work()
    chosen = [table.position().awaited() == (0, 2) for table in tables]
    assert chosen.count(True) == (3 if fails == 1 else 0)


def test_a_game_that_does_not_come_back_is_broken_off_and_others_are_played(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever of its rules loops: here what ends its turn."""
    monkeypatch.setattr(loop, "STUCK_SECONDS", 1.0)
    hanging, other = (seat_players(store, turn_seconds=60) for _ in range(2))
    worker = Worker(store, random.Random(3))
    worker.work()
    for table in (hanging, other):
        table.submit(0)
        pass_deadline(table)
    expire = deadlines.expire

    def for_ever(tables: Any, game: UUID) -> bool:
        while game == hanging.game:
            pass
        return expire(tables, game)

    monkeypatch.setattr(deadlines, "expire", for_ever)
    before = faults()
    running = threading.Thread(target=worker.run)
    running.start()
    try:
        wait_until(lambda: other.row().turn == 2 and faults() > before, "the other's turn has ended")
    finally:
        worker.stop()
        running.join()
    assert hanging.row().turn == 1
