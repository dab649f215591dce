"""Games with which the worker can do nothing: others are played as if they were not there."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from holmgang import metrics
from holmgang.app.errors import DatabaseUnavailable
from holmgang.app.play import deadlines, stand_ins
from holmgang.app.records.play import Task
from holmgang.engine.messages import say
from holmgang.store import database as store_database
from holmgang.store.database import PostgresStore, conninfo
from holmgang.worker import loop
from holmgang.worker.loop import Worker
from holmgang.worker.pauses import LONGEST_SECONDS, Pauses
from tests.citus.databases import patience
from tests.integration.tables import Table, seat_players
from tests.integration.test_absence import pass_deadline, sql
from tests.integration.working import at_work
from tests.soon import soon
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


@pytest.mark.parametrize("raised", [SystemExit, KeyboardInterrupt])
def test_a_game_whose_code_ends_the_process_is_a_bad_game(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch, raised: type[BaseException]
) -> None:
    """Whether its deadline is kept or a bot's choice in it is carried out."""
    bad, good = (seat_players(store, turn_seconds=60, bots={2: "random"}) for _ in range(2))
    tried = 0

    def ends(do: Callable[..., bool], tables: Any, of: UUID | Task, *more: Any, **how: Any) -> bool:
        nonlocal tried
        if (of.game if isinstance(of, Task) else of) == bad.game:
            tried += 1
            raise raised("3")
        return do(tables, of, *more, **how)

    worker = Worker(store, random.Random(3))
    monkeypatch.setattr(deadlines, "expire", partial(ends, deadlines.expire))
    monkeypatch.setattr(stand_ins, "carry_out", partial(ends, stand_ins.carry_out))
    before = faults()
    work(worker)
    assert tried == 2, "the bot's choice, and the one by default"
    for table in (bad, good):
        table.submit(0)
        pass_deadline(table)
    work(worker)
    assert tried == 3
    assert good.row().turn > 1
    assert faults() - before == 2


def test_only_so_many_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holmgang.worker.pauses.LEFT_ALONE", 2)
    pauses, games = Pauses(), [uuid4() for _ in range(3)]
    for game in (games[0], games[1], games[0], games[2]):
        pauses.begin(game, 60.0)
    assert pauses.games() == [games[0], games[2]]
    pauses.begin(games[2], 0.0)
    assert pauses.games() == [games[0]]


def test_who_fails_again_and_again_is_left_alone_for_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    pauses, game, took = Pauses(), uuid4(), []
    for _ in range(6):
        pauses.begin(game, 1.0, doubling=True)
        began = now
        while pauses.games():
            now += 0.5
        took.append(now - began)
    assert took == [1.0, 2.0, 4.0, 8.0, 16.0, LONGEST_SECONDS]
    now += LONGEST_SECONDS
    assert pauses.games() == []
    pauses.begin(game, 1.0, doubling=True)
    now += 1.0
    assert pauses.games() == [], "that was long ago"


def test_a_game_whose_row_is_locked_holds_up_no_other(
    store: PostgresStore, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_database, "LOCK_TIMEOUT_MS", 100)
    mine = PostgresStore(database, pool_size=4)
    locked, free = (seat_players(store, turn_seconds=60) for _ in range(2))
    worker = Worker(mine, random.Random(3))

    def ended(table: Table) -> bool:
        worker.work()
        return table.row().turn == 2

    worker.work()
    for table in (locked, free):
        table.submit(0)
        pass_deadline(table)
    with psycopg.connect(conninfo(database)) as other:
        other.execute("SELECT FROM games WHERE id = %s FOR UPDATE", [locked.game])
        wait_until(lambda: ended(free), "a game that nobody holds", patience())
        worker.work()  # does not wait for it again at once
    monkeypatch.setattr(worker, "_late", Pauses())
    wait_until(lambda: ended(locked), "the game that was held", patience())
    mine.close()


def test_games_whose_node_is_away_are_passed_over_and_tried_again(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [seat_players(store, 3, bots={1: "random"}) for _ in range(5)]
    lost = [table.game for table in tables[:3]]
    seen_by = stand_ins.seen_by

    def cut(tables: Any, task: Task) -> Any:
        if task.game in lost:
            raise DatabaseUnavailable(say("Away."))
        return seen_by(tables, task)

    monkeypatch.setattr(stand_ins, "seen_by", cut)
    worker = Worker(store, random.Random(3))
    worker.work()
    assert [table.position().awaited() == (0, 2) for table in tables] == [False, False, False, True, True]
    lost.clear()
    monkeypatch.setattr(worker, "_quick", Pauses())
    sql(store, "UPDATE awaited SET claimed_until = clock_timestamp() - interval '1 second' WHERE played_by IS NOT NULL")
    worker.work()
    assert all(table.position().awaited() == (0, 2) for table in tables)


CHORES = {
    "beat": "beat",
    "overdue": "deadlines",
    "unrated": "ratings",
    "archive": "the archive",
    "forget_deliveries": "old messages",
    "forget_answers": "kept answers",
    "forget_empty_games": "empty games",
    "claim_tasks": "choices of bots",
}
"""What each chore of the worker begins with."""


@pytest.mark.parametrize("fails", soon(CHORES, "beat", "overdue", "unrated"))
@pytest.mark.parametrize("fault", [DatabaseUnavailable(say("Away.")), RuntimeError("a fault of ours")])
def test_a_chore_that_fails_keeps_no_other_from_being_done(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch, fails: str, fault: Exception
) -> None:
    monkeypatch.setattr(loop, "AWAY_SECONDS", 0.01)
    done, failed = Counter[str](), Counter[str]()

    def watched(name: str, do: Callable[..., Any]) -> Callable[..., Any]:
        def called(*arguments: Any) -> Any:
            if name == fails and not failed[name]:
                failed[name] += 1
                raise fault
            done[name] += 1
            return do(*arguments)

        return called

    with store.reading() as tables:
        kind = type(tables)
    for name in CHORES:
        monkeypatch.setattr(kind, name, watched(name, getattr(kind, name)))
    worker = Worker(store)
    with pytest.raises(type(fault)):
        worker.work()
    assert set(done) | {fails} == set(CHORES), f"{CHORES[fails]} failed, and others with it"
    with at_work(store, worker):
        wait_until(lambda: done[fails], "what has failed is done again")


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
    with at_work(store, worker):
        wait_until(lambda: other.row().turn == 2 and faults() > before, "the other's turn has ended")
    assert hanging.row().turn == 1
