"""Deadlines, who is absent, bots' seats, and the worker that plays for them."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any
from unittest import mock

import psycopg
import pytest

from holmgang.app.errors import DatabaseUnavailable, GameNotActive, NotAwaited, NotYours, StaleTurn
from holmgang.app.play import deadlines, returns, stand_ins, steps, submissions
from holmgang.app.play.resignation import resign
from holmgang.app.records.play import Task
from holmgang.bots import registry
from holmgang.bots.base import NAMES
from holmgang.engine.messages import say
from holmgang.store.database import PostgresStore, conninfo
from holmgang.store.tasks import OVERDUE
from holmgang.worker import loop
from holmgang.worker.loop import Worker
from tests.integration.tables import Table, multiply, scan, seat_players
from tests.integration.working import at_work
from tests.waiting import wait_until


@pytest.fixture
def store(database: str) -> Iterator[PostgresStore]:
    store = PostgresStore(database, pool_size=4)
    yield store
    store.close()


def sql(store: PostgresStore, statement: str, *arguments: Any) -> Any:
    with store.pool.connection() as connection:
        cursor = connection.execute(statement.encode(), arguments)
        return cursor.fetchone() if cursor.description else None


def pass_deadline(table: Table) -> None:
    """Let the clock of the game's turn run out."""
    sql(
        table.store,  # type: ignore[arg-type]
        "UPDATE games SET deadline = clock_timestamp() - interval '1 second' WHERE id = %s AND deadline IS NOT NULL",
        table.game,
    )


def work(store: PostgresStore, rounds: int = 50) -> None:
    """A worker at work until there is nothing to do."""
    worker = Worker(store, random.Random(3))
    for _ in range(rounds):
        if not worker.work():
            return
    raise AssertionError("the worker did not come to an end")


def told(table: Table) -> list[str]:
    return [row[0] for row in rows(table, "SELECT public ->> 'type' FROM events WHERE game_id = %s ORDER BY seq")]


def rows(table: Table, statement: str) -> list[Any]:
    with table.store.pool.connection() as connection:  # type: ignore[attr-defined]
        return list(connection.execute(statement.encode(), [table.game]).fetchall())


def absent(table: Table) -> list[int]:
    return [s for (s,) in rows(table, "SELECT seat FROM seats WHERE game_id = %s AND absent_since IS NOT NULL")]


def deadline(table: Table) -> Any:
    return rows(table, "SELECT deadline FROM games WHERE id = %s")[0][0]


def test_a_turn_has_a_deadline_only_where_the_game_says_so(store: PostgresStore) -> None:
    assert deadline(seat_players(store)) is None
    table = seat_players(store, turn_seconds=60)
    first = deadline(table)
    assert table.turn(0).deadline == first
    table.submit(0)
    assert deadline(table) == first, "the turn goes on"
    table.submit(1)
    table.submit(2)
    assert deadline(table) > first
    table.play()
    assert deadline(table) is None


def test_a_missed_turn_is_played_by_default_and_its_seats_are_absent(store: PostgresStore) -> None:
    table = seat_players(store, turn_seconds=60)
    table.submit(1)
    pass_deadline(table)
    Worker(store).work()
    assert table.row().turn == 2
    assert absent(table) == [0, 2]
    assert told(table).count("choice_defaulted") == 2
    assert told(table).count("seat_absent") == 2
    last = table.turn(1).last_turn
    assert last is not None
    assert (last.ended, last.defaulted) == ("played", (0, 2))
    receipts = rows(table, "SELECT seat FROM submissions WHERE game_id = %s AND turn = 1")
    assert receipts == [(1,)], "a defaulted turn never looks submitted"


def test_who_is_late_is_told_that_the_turn_has_passed(store: PostgresStore) -> None:
    """Also with no worker anywhere: the late submission itself ends the turn."""
    table = seat_players(store, turn_seconds=60)
    for seat in (1, 2):
        table.submit(seat)
    late = table.legal(0)
    pass_deadline(table)
    with pytest.raises(StaleTurn) as refused:
        table.submit(0, late, turn=1)
    assert refused.value.extra["current_turn"] == table.row().turn == 2
    assert absent(table) == [0]
    assert rows(table, "SELECT count(*) FROM submissions WHERE game_id = %s AND seat = 0") == [(0,)]


def test_a_replacement_comes_too_late_as_well(store: PostgresStore) -> None:
    table = seat_players(store, turn_seconds=60)
    first = table.submit(0)
    pass_deadline(table)
    with table.store.reading() as tables, pytest.raises(StaleTurn):
        submissions.replace(tables, table.secrets[0], table.game, first.id, 1, 1, {"type": "place"})
    assert absent(table) == [1, 2]


def test_a_deadline_that_passes_between_reading_and_writing(store: PostgresStore) -> None:
    """The statement that writes judges it, whatever was read before."""
    table = seat_players(store, turn_seconds=60)
    game_row, place = table.row(), table.position()
    value = table.legal(0)
    asked: Any = place.asked
    change = steps.taken(place, asked, 0, value, place.rules.decode(str(game_row.kind), value), None)
    pass_deadline(table)
    with store.reading() as tables:
        assert tables.write(change) is None


@pytest.mark.parametrize("stand_in", ["default", "bot:random"])
def test_absent_seats_are_played_at_once(store: PostgresStore, stand_in: str) -> None:
    table = seat_players(store, turn_seconds=60, absence=stand_in)
    table.submit(1)
    pass_deadline(table)
    Worker(store).work()
    for _ in range(400):
        work(store)
        if table.row().status == "over":
            break
        assert table.position().awaited() == (1,), "only the seat with a person at it is waited for"
        table.submit(1)
    assert table.row().status == "over"
    assert set(rows(table, "SELECT DISTINCT seat FROM submissions WHERE game_id = %s")) == {(1,)}


def test_forfeiting_resigns_one_after_the_other(store: PostgresStore) -> None:
    table = seat_players(store, 4, turn_seconds=60, absence="forfeit")
    table.submit(0)
    table.submit(3)
    pass_deadline(table)
    work(store)
    gone = rows(table, "SELECT seat FROM seats WHERE game_id = %s AND resigned_at IS NOT NULL ORDER BY seat")
    assert gone == [(1,), (2,)]
    assert told(table).count("seat_forfeited") == 2
    assert table.row().status == "active"
    assert table.row().turn == 2
    pass_deadline(table)
    work(store)
    assert table.row().status == "over", "one seat is left (C7)"


def test_nothing_is_played_while_no_person_is_there(store: PostgresStore) -> None:
    table = seat_players(store, turn_seconds=60)
    pass_deadline(table)
    work(store)
    assert absent(table) == [0, 1, 2]
    assert (table.row().turn, deadline(table)) == (1, None)
    work(store)
    assert table.row().turn == 1
    with store.transaction() as tables:
        assert returns.return_to_seat(tables, table.callers[1], table.game, 1)
    assert deadline(table) is not None
    work(store)
    assert table.position().awaited() == (1,), "who returned to a game that stood still is asked at once"
    table.submit(1)
    assert table.row().turn >= 2


def test_who_returns_is_asked_in_the_turn_that_was_not_played_yet(store: PostgresStore) -> None:
    table = seat_players(store, turn_seconds=60)
    for seat in (0, 1):
        table.submit(seat)
    pass_deadline(table)
    Worker(store).work()
    while 2 not in table.position().awaited():
        for seat in table.position().awaited():
            table.submit(seat)
    with store.transaction() as tables:
        assert returns.return_to_seat(tables, table.callers[2], table.game, 2)
        assert not returns.return_to_seat(tables, table.callers[2], table.game, 2), "once is enough"
    assert told(table)[-1] == "seat_returned"
    turn = table.row().turn
    work(store)
    assert (table.row().turn, 2 in table.position().awaited()) == (turn, True), "nobody plays over who is there"
    table.submit(2)
    assert rows(table, "SELECT count(*) FROM submissions WHERE game_id = %s AND seat = 2") == [(1,)]


def test_only_ones_own_seat_and_only_in_a_running_game(store: PostgresStore) -> None:
    table = seat_players(store, turn_seconds=60)
    with store.transaction() as tables, pytest.raises(NotYours):
        returns.return_to_seat(tables, table.callers[0], table.game, 1)
    with store.reading() as tables:
        resign(tables, table.secrets[1], table.game)
    with store.transaction() as tables, pytest.raises(GameNotActive):
        returns.return_to_seat(tables, table.callers[1], table.game, 1)


@pytest.mark.parametrize("ruleset", ["eketorp", "drakkars", "claim"])
def test_built_in_bots_play_with_people(store: PostgresStore, ruleset: str) -> None:
    table = seat_players(store, 3, ruleset=ruleset, bots={1: "random", 2: "greedy"})
    for _ in range(600):
        work(store)
        game_row = table.row()
        if game_row.status == "over":
            break
        assert set(table.position().awaited()) == {0}
        table.submit(0)
    assert table.row().status == "over"
    receipts = rows(table, "SELECT DISTINCT seat FROM submissions WHERE game_id = %s ORDER BY seat")
    assert receipts == [(0,), (1,), (2,)]


def test_bots_do_not_play_among_themselves(store: PostgresStore) -> None:
    table = seat_players(store, 3, bots={0: "random", 1: "random", 2: "random"})
    work(store)
    assert table.row().turn == 1


def test_nobody_wins_by_the_forfeit_of_others_who_are_as_late_as_he(store: PostgresStore) -> None:
    """Else the number of their seat would decide."""
    table = seat_players(store, 3, turn_seconds=60, absence="forfeit", rated=True)
    pass_deadline(table)
    Worker(store).work()
    assert absent(table) == [0, 1, 2]
    assert "seat_forfeited" not in told(table)
    work(store, 500)
    assert table.row().status == "over"
    assert told(table).count("seat_absent") == 3


def test_all_who_are_late_forfeit_where_somebody_is_not(store: PostgresStore) -> None:
    table = seat_players(store, 3, turn_seconds=60, absence="forfeit")
    table.submit(1)
    pass_deadline(table)
    work(store)
    assert told(table).count("seat_forfeited") == 2
    with store.transaction() as tables:
        result = tables.game_row(table.game, lock=False)
    assert result is not None
    assert result.status == "over"


@pytest.mark.parametrize("terms", [{}, {"rated": True}])
def test_no_deadline_plays_for_bots_among_themselves(store: PostgresStore, terms: dict[str, Any]) -> None:
    """Also where a result would count: only a person's leaving lets a rated game be played to its end."""
    table = seat_players(store, 3, bots={0: "random", 1: "random", 2: "random"}, turn_seconds=60, **terms)
    before = told(table)
    pass_deadline(table)
    work(store)
    assert (table.row().turn, told(table), deadline(table)) == (1, [*before, "clock_stopped"], None)


def test_a_clock_that_stops_is_told_though_nobody_becomes_absent_by_it(store: PostgresStore) -> None:
    """Who polls by the tag of what they have, or waits, would keep a deadline that is gone."""
    table = seat_players(store, 4, turn_seconds=60)
    table.submit(3)
    pass_deadline(table)
    Worker(store).work()
    assert absent(table) == [0, 1, 2]
    with store.transaction() as tables:
        resign(tables, table.secrets[3], table.game)
    before, version = told(table), table.row().version
    assert deadline(table) is not None
    pass_deadline(table)
    work(store)
    assert deadline(table) is None
    assert told(table) == [*before, "clock_stopped"]
    assert table.row().version == version + 1
    pass_deadline(table)
    work(store)
    assert told(table) == [*before, "clock_stopped"]


def test_bots_play_out_what_no_person_can_return_to(store: PostgresStore) -> None:
    table = seat_players(store, 3, bots={1: "random", 2: "random"})
    with store.transaction() as tables:
        resign(tables, table.secrets[0], table.game)
    work(store, 500)
    assert table.row().status == "over"


def test_bots_wait_for_whoever_may_return(store: PostgresStore) -> None:
    table = seat_players(store, 4, bots={1: "random", 2: "random"}, turn_seconds=60)
    with store.transaction() as tables:
        resign(tables, table.secrets[0], table.game)
    work(store)
    pass_deadline(table)
    work(store)
    assert absent(table) == [3]
    assert table.row().status == "active"
    with store.transaction() as tables:
        assert returns.return_to_seat(tables, table.callers[3], table.game, 3)
    assert deadline(table) is not None


def test_who_was_played_for_in_a_sealed_turn_is_told_so(store: PostgresStore) -> None:
    table = seat_players(store, 3, turn_seconds=60)
    sql(store, "UPDATE seats SET absent_since = clock_timestamp() WHERE game_id = %s AND seat = 0", table.game)
    sql(store, "UPDATE awaited SET played_by = 'default' WHERE game_id = %s AND seat = 0", table.game)
    mine = table.legal(0)
    Worker(store).work()
    attempts: list[Callable[[], Any]] = [lambda: table.submit(0, mine), lambda: table.submit(0, table.legal(0))]
    for attempt in attempts:
        with pytest.raises(NotAwaited, match="played for it"):
            attempt()


@pytest.mark.slow
@pytest.mark.long
def test_many_workers_make_each_choice_once(store: PostgresStore) -> None:
    table = seat_players(store, 4, bots={1: "random", 2: "random", 3: "random"}, turn_seconds=60)
    failures: list[BaseException] = []

    def worker(seed: int) -> None:
        try:
            mine = Worker(store, random.Random(seed))
            while not done.is_set():
                mine.work()
        except BaseException as fault:
            failures.append(fault)

    done = threading.Event()
    threads = [threading.Thread(target=worker, args=(seed,)) for seed in range(3)]
    for thread in threads:
        thread.start()
    deadline_at = time.monotonic() + 60
    while table.row().status == "active" and time.monotonic() < deadline_at:
        if 0 in table.position().awaited():
            if table.rng.random() < 0.2:
                pass_deadline(table)
                with store.transaction() as tables:
                    deadlines.expire(tables, table.game)
                    returns.return_to_seat(tables, table.callers[0], table.game, 0)
            else:
                with suppress(StaleTurn):
                    table.submit(0)
    done.set()
    for thread in threads:
        thread.join()
    assert failures == []
    assert table.row().status == "over"
    doubled = rows(
        table, "SELECT turn, seat FROM submissions WHERE game_id = %s GROUP BY turn, seat HAVING count(*) > 1"
    )
    assert doubled == []


def test_what_a_killed_worker_had_claimed_is_taken_up_by_another(store: PostgresStore) -> None:
    table = seat_players(store, 3, bots={1: "random", 2: "random"})
    with store.transaction() as tables:
        claimed = tables.claim_tasks(10, loop.CLAIM_SECONDS, NAMES)
        assert {task.seat for task in claimed} == {1, 2}
    work(store)
    assert set(table.position().awaited()) == {0, 1, 2}, "others leave claimed work alone"
    sql(
        store,
        "UPDATE awaited SET claimed_until = clock_timestamp() - interval '1 second' WHERE game_id = %s",
        table.game,
    )
    work(store)
    assert table.position().awaited() == (0,)


def test_a_choice_that_comes_twice_is_made_once(store: PostgresStore) -> None:
    """A worker that was slow carries out what another has done meanwhile."""
    table = seat_players(store, 3, bots={1: "random", 2: "random"})
    task = Task(game=table.game, creator=table.callers[0].player, seat=1, turn=1, by="random")
    value = table.legal(1)
    with store.transaction() as tables:
        assert stand_ins.carry_out(tables, task, value)
    with store.transaction() as tables:
        assert not stand_ins.carry_out(tables, task, value)
        assert stand_ins.seen_by(tables, task) is None


def test_deadlines_are_put_off_by_an_outage(store: PostgresStore) -> None:
    table = seat_players(store, turn_seconds=60)
    Worker(store).work()
    sql(store, "UPDATE games SET deadline = deadline - interval '1 hour' WHERE deadline IS NOT NULL")
    before = deadline(table)
    sql(store, "UPDATE pulse SET at = at - interval '1 hour'")
    Worker(store).work()
    assert 3590 < (deadline(table) - before).total_seconds() < 3620
    assert told(table)[-1] == "deadline_put_off", "or polls that name what they have would not hear of it"
    assert table.row().version == len(told(table))
    Worker(store).work()
    assert (deadline(table) - before).total_seconds() < 3620, "once"


def test_a_turn_that_began_in_an_outage_has_its_whole_time_and_no_more(store: PostgresStore) -> None:
    table = seat_players(store, turn_seconds=60)
    Worker(store).work()
    sql(store, "UPDATE pulse SET at = at - interval '1 hour'")
    table.play(turns=1)
    before = deadline(table)
    Worker(store).work()
    assert 0 <= (deadline(table) - before).total_seconds() < 30


def test_a_deadline_that_passed_in_an_outage_is_put_off_too(store: PostgresStore) -> None:
    table = seat_players(store, turn_seconds=60)
    Worker(store).work()
    sql(store, "UPDATE pulse SET at = at - interval '1 hour'")
    pass_deadline(table)
    Worker(store).work()
    assert table.row().turn == 1
    assert absent(table) == []


def test_in_an_outage_nobody_is_late(store: PostgresStore) -> None:
    """The first worker after it will put the deadline off; who comes before that worker must not lose by it."""
    table = seat_players(store, turn_seconds=60, absence="forfeit")
    Worker(store).work()
    sql(store, "UPDATE pulse SET at = at - interval '1 hour'")
    pass_deadline(table)
    table.submit(1)
    assert (absent(table), table.row().status) == ([], "active")
    assert "seat_forfeited" not in told(table)


def test_neither_deadlines_nor_quick_bots_wait_for_a_bot_that_thinks(store: PostgresStore) -> None:
    thinking, done = threading.Event(), threading.Event()
    slow = seat_players(store, 3, bots={1: "search"})
    quick = seat_players(store, 3, bots={1: "random"})
    late = seat_players(store, 3, turn_seconds=60)
    late.submit(0)
    pass_deadline(late)

    class Thinker:
        def choose(self, rules: Any, view: Any, rng: Any) -> Any:
            thinking.set()
            assert done.wait(30)
            return rules.moves(rules.determinize(view, rng), view.seat).sample(rng)

    find = registry.find
    with mock.patch.object(registry, "find", lambda name: Thinker() if name == "search" else find(name)):
        worker = Worker(store, random.Random(3))
        running = threading.Thread(target=worker.run)
        running.start()
        try:
            assert thinking.wait(20)
            wait_until(lambda: late.row().turn == 2, "the deadline is kept", 20)
            wait_until(lambda: quick.position().awaited() == (0, 2), "the quick bot has chosen", 20)
            assert slow.position().awaited() == (0, 1, 2)
        finally:
            worker.stop()
            store.drain()
            done.set()
            running.join(20)
    assert slow.position().awaited() == (0, 2), "the choice under way is finished"


def test_players_take_turns_in_keeping_bots_busy(store: PostgresStore) -> None:
    games = [seat_players(store, 3, bots={1: "search", 2: "search"}) for _ in range(2)]
    first, second = (table.callers[0].player for table in games)
    with store.transaction() as tables:
        mine = [tables.claim_tasks(1, 3600, NAMES, [first])[0].creator for _ in range(2)]
        assert mine == [second, second]
        assert [task.creator for task in tables.claim_tasks(9, 3600, NAMES, [second, first])] == [first, first]


def test_deadlines_fire_with_nobody_connected_once_with_two_workers(store: PostgresStore, database: str) -> None:
    table = seat_players(store, turn_seconds=1)
    table.submit(0)
    until = time.monotonic() + 5
    with (
        psycopg.connect(conninfo(database), autocommit=True) as connection,
        at_work(store, Worker(store)),
        at_work(store, Worker(store)),
    ):
        while time.monotonic() < until:
            late = connection.execute(
                "SELECT extract(epoch FROM at - (SELECT started_at FROM games WHERE id = game_id)) FROM events"
                " WHERE game_id = %s AND public ->> 'type' = 'choice_defaulted'",
                [table.game],
            ).fetchall()
            if late:
                break
    assert late
    assert 1.0 <= float(late[0][0]) < 3.0, "within two seconds of the deadline"
    assert told(table)[: told(table).index("choice_defaulted") + 2].count("choice_defaulted") == 2
    turns = rows(table, "SELECT seq FROM log WHERE game_id = %s AND (entry::json ->> 'turn')::int = 1")
    assert len(turns) == 1


@pytest.mark.plain_postgres("what is late stands in the agenda of a cluster, whose index test_agenda looks at")
def test_late_games_are_found_by_an_index(store: PostgresStore, database: str) -> None:
    table = seat_players(store, turn_seconds=60)
    pass_deadline(table)
    with psycopg.connect(conninfo(database), autocommit=True) as connection:
        multiply(connection, table, 20_000, deadline="clock_timestamp() + make_interval(secs => 60 + n)")
        found = scan(connection, "games_deadline_idx", OVERDUE, limit=20, but=[])
    assert "deadline" in found["Index Cond"], "and not all of the index is read"
    assert (found["Actual Rows"], found.get("Rows Removed by Filter", 0)) == (1, 0)


@pytest.mark.parametrize("fault", [DatabaseUnavailable(say("Away.")), RuntimeError("a fault of ours")])
def test_a_worker_goes_on_after_a_fault(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    worker = Worker(store)
    rounds: list[int] = []

    def fails() -> bool:
        rounds.append(1)
        if len(rounds) == 1:
            raise fault
        worker.stop()
        store.drain()
        return False

    monkeypatch.setattr(worker._keeping, "carry_out", fails)
    monkeypatch.setattr(loop, "AWAY_SECONDS", 0.01)
    worker.run()
    assert len(rounds) == 2
