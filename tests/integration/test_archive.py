"""Games that nobody touches: when they are archived, what stays of them, and how they come back."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

import msgspec
import psycopg
import pytest

from holmgang.app import access
from holmgang.app.errors import GameArchived, GameNotActive, GameNotOver, NotYours
from holmgang.app.fairness.claims import read_record
from holmgang.app.fairness.verify import verify
from holmgang.app.games.seats import leave_seat, seat_bot, take_seat
from holmgang.app.play import archive, deadlines, resignation, returns, stand_ins, steps, submissions
from holmgang.app.reading import queries
from holmgang.bots.base import NAMES
from holmgang.store.archive import UNTOUCHED
from holmgang.store.database import PostgresStore, conninfo
from holmgang.worker.loop import Worker
from tests.integration.tables import Table, let_news_be_delivered, multiply, new_game, scan, seat_players

DAYS = 30


@pytest.fixture
def store(database: str) -> Iterator[PostgresStore]:
    store = PostgresStore(database, pool_size=4)
    yield store
    store.close()


def rows(table: Table, statement: str, **more: Any) -> list[Any]:
    with table.store.pool.connection() as connection:  # type: ignore[attr-defined]
        cursor = connection.execute(statement.encode(), {"game": table.game, **more})
        return list(cursor.fetchall()) if cursor.description else []


def age(table: Table, days: float) -> None:
    """As if all that was done in the game had been done so many days earlier."""
    rows(table, "UPDATE events SET at = at - make_interval(secs => %(s)s) WHERE game_id = %(game)s", s=days * 86400)
    rows(
        table,
        "UPDATE games SET touched_at = touched_at - make_interval(secs => %(s)s) WHERE id = %(game)s",
        s=days * 86400,
    )


def look(store: PostgresStore) -> int:
    with store.reading() as tables:
        return archive.archive(tables, DAYS, 100)


def status(table: Table) -> str:
    return table.row().status


def return_to_seat(table: Table, seat: int) -> bool:
    with table.store.transaction() as tables:
        return returns.return_to_seat(tables, table.callers[seat], table.game, seat)


def archived(table: Table) -> Table:
    """The table, archived."""
    age(table, DAYS + 1)
    with table.store.reading() as tables:
        archive.archive(tables, DAYS, 100)
    assert status(table) == "archived"
    return table


def told(table: Table) -> list[Any]:
    return [e for (e,) in rows(table, "SELECT public FROM events WHERE game_id = %(game)s ORDER BY seq")]


def kept(table: Table) -> list[Any]:
    """All that a game is made of but what says how it stands, and its feed."""
    of_game = (
        "turn, kind, state, pending, entries, draws, head, result, seed, entropy, options, started_at, ended_at",
        "FROM games WHERE id = %(game)s",
    )
    parts = [("*", f"FROM {name} WHERE game_id = %(game)s") for name in ("log", "submissions", "combats", "seats")]
    return [rows(table, f"SELECT {what} {where} ORDER BY 1, 2") for what, where in (of_game, *parts)]


def open_table(store: PostgresStore, taken: int = 2, **terms: Any) -> Table:
    """A game of three with so many seats taken; its creator's is the first."""
    table = seat_players(store)
    with store.transaction() as tables:
        game = new_game(tables, table.callers[0], ruleset="eketorp", seats=3, options={}, join=False, **terms).id
        for seat in range(taken):
            take_seat(tables, table.callers[seat], game, seat, bytes([seat]) * 16)
    table.game = game
    return table


# When


def test_a_game_is_archived_after_the_days_and_not_before(store: PostgresStore) -> None:
    table = seat_players(store)
    age(table, DAYS - 0.01)
    assert look(store) == 0
    assert status(table) == "active"
    before = table.row()
    age(table, 0.02)
    assert look(store) == 1
    game_row = table.row()
    assert (game_row.status, game_row.version, game_row.turn) == ("archived", before.version + 1, before.turn)
    seq, turn, public = rows(table, "SELECT seq, turn, public FROM events WHERE game_id = %(game)s ORDER BY seq")[-1]
    assert (seq, turn, public) == (game_row.version, before.turn, {"type": "game_archived"})
    assert look(store) == 0, "once"


TOUCHES: dict[str, Callable[[Table], object]] = {
    "a choice": lambda table: table.submit(0),
    "the end of a turn": lambda table: table.play(turns=1),
    "a resignation": lambda table: resign(table, 1),
}


def resign(table: Table, seat: int) -> None:
    with table.store.reading() as tables:
        resignation.resign(tables, table.secrets[seat], table.game)


def take(table: Table, seat: int) -> None:
    with table.store.transaction() as tables:
        take_seat(tables, table.callers[seat], table.game, seat, None)


def leave(table: Table, seat: int) -> None:
    with table.store.transaction() as tables:
        leave_seat(tables, table.callers[seat], table.game, seat)


@pytest.mark.parametrize("touch", TOUCHES)
def test_what_is_touched_is_not_archived(store: PostgresStore, touch: str) -> None:
    table = seat_players(store)
    age(table, DAYS + 1)
    TOUCHES[touch](table)
    assert look(store) == 1
    assert status(table) == "active"
    assert look(store) == 0, "what was touched is not looked at again before it gets old"
    age(table, DAYS - 0.01)
    assert look(store) == 0
    age(table, 0.02)
    assert look(store) == 1
    assert status(table) == "archived"


@pytest.mark.parametrize("touch", [lambda table: take(table, 1), lambda table: leave(table, 0)])
def test_seats_taken_and_left_touch_an_open_game(store: PostgresStore, touch: Callable[[Table], None]) -> None:
    table = open_table(store, taken=1)
    age(table, DAYS + 1)
    touch(table)
    assert (look(store), status(table)) == (1, "open")
    age(table, DAYS + 1)
    look(store)
    assert status(table) == "archived"


def test_a_return_touches_a_game(store: PostgresStore) -> None:
    table = paused(store)
    age(table, DAYS + 1)
    assert return_to_seat(table, 1)
    rows(table, "UPDATE games SET deadline = NULL WHERE id = %(game)s")
    assert (look(store), status(table)) == (1, "active")


def test_a_replaced_choice_does_not_or_others_could_tell(store: PostgresStore) -> None:
    table = seat_players(store)
    first = table.submit(0)
    age(table, DAYS + 1)
    other = table.legal(0)
    assert other != msgspec.json.decode(first.action)
    with store.reading() as tables:
        submissions.replace(tables, table.secrets[0], table.game, first.id, 1, 1, other)
    look(store)
    assert status(table) == "archived"


@pytest.mark.parametrize("rated", [False, True])
def test_a_running_deadline_is_waited_for_however_long(store: PostgresStore, rated: bool) -> None:
    """Or the loser of a rated game would get out of it by waiting."""
    table = seat_players(store, turn_seconds=60 * 86400, rated=rated)
    age(table, DAYS + 1)
    assert (look(store), status(table)) == (1, "active")
    assert rows(table, "SELECT touched_at = deadline FROM games WHERE id = %(game)s") == [(True,)]
    assert look(store) == 0


def test_a_deadline_that_no_worker_has_kept_is_not_looked_at_for_ever(store: PostgresStore) -> None:
    table = seat_players(store, turn_seconds=60)
    age(table, 2 * DAYS)
    rows(table, "UPDATE games SET deadline = deadline - interval '60 days' WHERE id = %(game)s")
    assert [look(store), look(store)] == [1, 0]
    assert status(table) == "active"


def test_games_that_are_over_stay_so(store: PostgresStore) -> None:
    table = seat_players(store, 2, ruleset="claim")
    resign(table, 0)
    age(table, 10 * DAYS)
    assert (look(store), status(table)) == (0, "over")


def test_the_worker_looks_once_in_a_while(store: PostgresStore) -> None:
    first, second = seat_players(store), seat_players(store)
    worker = Worker(store, archive_days=7)
    age(first, 8)
    worker.work()
    assert (status(first), status(second)) == ("archived", "active")
    age(second, 8)
    worker.work()
    assert status(second) == "active", "it has looked just now"
    Worker(store, archive_days=9).work()
    assert status(second) == "active"
    Worker(store, archive_days=7).work()
    assert status(second) == "archived"


def test_the_worker_goes_on_while_there_is_more(store: PostgresStore, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = [seat_players(store) for _ in range(5)]
    for table in tables:
        age(table, DAYS + 1)
    monkeypatch.setattr("holmgang.worker.loop._LOOKED_AT", 2)
    worker = Worker(store)
    assert [worker.work() for _ in range(4)] == [True, True, False, False]
    assert {status(table) for table in tables} == {"archived"}


def test_many_workers_archive_once(store: PostgresStore) -> None:
    tables = [seat_players(store) for _ in range(12)]
    for table in tables:
        age(table, DAYS + 1)
    start = threading.Barrier(4)

    def worker() -> None:
        start.wait()
        look(store)

    threads = [threading.Thread(target=worker) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for table in tables:
        assert [event["type"] for event in told(table)].count("game_archived") == 1
        assert len(told(table)) == table.row().version


def test_what_somebody_writes_to_is_passed_over(store: PostgresStore) -> None:
    table = seat_players(store)
    age(table, DAYS + 1)
    with store.transaction() as tables:
        tables.game_row(table.game, lock=True)
        assert look(store) == 0
    assert (look(store), status(table)) == (1, "archived")


@pytest.mark.plain_postgres("the plan of one table")
def test_it_is_found_by_an_index_among_a_hundred_thousand(store: PostgresStore, database: str) -> None:
    table = seat_players(store)
    age(table, DAYS + 1)
    with psycopg.connect(conninfo(database), autocommit=True) as connection:
        multiply(
            connection,
            table,
            100_000,
            status="(ARRAY['active', 'open', 'over', 'archived'])[1 + n %% 4]",
            touched_at="clock_timestamp() - make_interval(secs => n * 20)",
        )
        found = scan(connection, "games_touched_at_idx", UNTOUCHED, days=DAYS, limit=200)
    assert "touched_at" in found["Index Cond"], "and not all of the index is read"
    assert (found["Actual Rows"], found.get("Rows Removed by Filter", 0)) == (1, 0)


# What stays, and what does not


def test_nobody_is_awaited_and_nothing_of_the_game_changes(store: PostgresStore) -> None:
    table = seat_players(store)
    sealed = table.submit(1)
    before, view = kept(table), table.turn(1, with_view=True).view
    archived(table)
    assert kept(table) == before
    assert rows(table, "SELECT 1 FROM awaited WHERE game_id = %(game)s") == []
    for seat in range(3):
        turn = table.turn(seat, with_view=True)
        assert (turn.status, turn.awaited, turn.submitted) == ("archived", (), (1,))
        assert (turn.yours, turn.legal, turn.deadline) == (False, None, None)
    assert table.turn(1).submission == sealed.id
    assert table.turn(1, with_view=True).view == view
    with store.reading() as tables:
        assert [queries.turns_of(tables, caller) for caller in table.callers] == [[], [], []]
        assert submissions.submission(tables, table.caller(1), sealed.id).state == "sealed"
        with pytest.raises(NotYours):
            submissions.submission(tables, table.caller(0), sealed.id)
        with pytest.raises(GameNotOver):
            queries.record(tables, table.caller(0))
        game = tables.game(table.game)
    assert game is not None
    assert (game.seed, game.head, game.awaited, game.deadline) == (None, None, (), None)


def test_how_the_last_turn_ended_is_told_as_before(store: PostgresStore) -> None:
    """A row of the turn that goes on is not of the last one."""
    table = seat_players(store, 4)
    table.play(turns=1)
    resign(table, next(seat for seat in range(4) if seat not in table.position().awaited()))
    logged = rows(table, "SELECT (entry::json ->> 'turn')::int FROM log WHERE game_id = %(game)s ORDER BY seq DESC")
    assert logged[0] == (table.row().turn,)
    before = table.turn(0).last_turn
    assert before is not None
    assert before.turn < table.row().turn
    assert archived(table).turn(0).last_turn == before


def test_writes_are_refused_and_change_nothing(store: PostgresStore) -> None:
    table = seat_players(store)
    first = table.submit(0)
    action = table.legal(1)
    archived(table)
    before = (kept(table), table.row())
    other = table.legal(0)
    with store.reading() as tables:
        for call in (
            lambda: submissions.submit(tables, table.secrets[1], table.game, 1, action),
            lambda: submissions.submit(tables, table.secrets[1], table.game, 2, action),
            lambda: submissions.check(tables, table.secrets[1], table.game, 1, action),
            lambda: submissions.replace(tables, table.secrets[0], table.game, first.id, 1, 1, other),
            lambda: resignation.resign(tables, table.secrets[0], table.game),
        ):
            with pytest.raises(GameArchived):
                call()
        again, new = submissions.submit(tables, table.secrets[0], table.game, 1, msgspec.json.decode(first.action))
    assert (again, new) == (first, False), "whose answer was lost still gets the receipt"
    with pytest.raises(NotYours):
        come_back_to(table, 0, 1)
    assert (kept(table), table.row()) == before


def come_back_to(table: Table, seat: int, other: int) -> None:
    with table.store.transaction() as tables:
        returns.return_to_seat(tables, table.callers[seat], table.game, other)


def test_a_move_that_was_planned_before_the_archive_is_refused_by_it(store: PostgresStore) -> None:
    table = seat_players(store)
    game_row, place = table.row(), table.position()
    value = table.legal(0)
    asked: Any = place.asked
    change = steps.taken(place, asked, 0, value, place.rules.decode(str(game_row.kind), value), None)
    archived(table)
    with store.reading() as tables:
        assert tables.write(change) is None
    assert return_to_seat(table, 0)
    with store.reading() as tables:
        assert tables.write(change) is None, "nor after it"


def test_no_bot_plays_not_even_one_that_was_thinking(store: PostgresStore) -> None:
    table = seat_players(store, bots={1: "random", 2: "random"})
    with store.transaction() as tables:
        tasks = tables.claim_tasks(10, 3600, NAMES)
    value = table.legal(1)
    archived(table)
    with store.transaction() as tables:
        assert {task.seat for task in tasks} == {1, 2}
        assert not any(stand_ins.carry_out(tables, task, value) for task in tasks)
        assert [stand_ins.seen_by(tables, task) for task in tasks] == [None, None]
        assert tables.claim_tasks(10, 1, NAMES) == []
    assert return_to_seat(table, 0)
    worker = Worker(store, random.Random(3))
    while worker.work():
        pass
    assert table.position().awaited() == (0,)


# Coming back


def test_who_returns_revives_it_where_it_stood(store: PostgresStore) -> None:
    table = seat_players(store)
    table.submit(1)
    before = kept(table)
    archived(table)
    version = table.row().version
    assert return_to_seat(table, 1)
    game_row = table.row()
    assert (game_row.status, game_row.version, game_row.deadline) == ("active", version + 1, None)
    assert told(table)[-1] == {"type": "game_revived", "seat": 1}
    assert rows(table, "SELECT turn FROM events WHERE game_id = %(game)s ORDER BY seq")[-2:] == [(1,), (1,)]
    assert kept(table) == before
    waiting = rows(table, "SELECT seat, turn, kind, played_by FROM awaited WHERE game_id = %(game)s ORDER BY seat")
    assert waiting == [(0, 1, game_row.kind, None), (2, 1, game_row.kind, None)], "the sealed choice stands"
    with store.reading() as tables:
        (waits,) = queries.turns_of(tables, table.callers[0])
        assert (waits.game, waits.seat) == (table.game, 0)
    assert not return_to_seat(table, 0), "there is nothing to come back to"
    assert table.row().version == version + 1
    table.play()
    assert status(table) == "over"


def test_an_archived_game_gets_archived_again(store: PostgresStore) -> None:
    table = archived(seat_players(store))
    return_to_seat(table, 2)
    assert look(store) == 1, "it was last known to be touched long ago"
    assert status(table) == "active"
    archived(table)
    assert [event["type"] for event in told(table)][-3:] == ["game_archived", "game_revived", "game_archived"]


def test_who_has_resigned_revives_nothing(store: PostgresStore) -> None:
    table = seat_players(store, 4)
    resign(table, 3)
    archived(table)
    with pytest.raises(GameNotActive):
        return_to_seat(table, 3)
    assert status(table) == "archived"
    assert return_to_seat(table, 0)


def paused(store: PostgresStore) -> Table:
    """A game in which everybody has become absent."""
    table = seat_players(store, turn_seconds=3600)
    rows(table, "UPDATE games SET deadline = clock_timestamp() - interval '1 second' WHERE id = %(game)s")
    with store.transaction() as tables:
        deadlines.expire(tables, table.game)
    assert (table.row().deadline, status(table)) == (None, "active")
    return table


def test_a_game_that_stood_still_is_archived_too_and_goes_on_with_who_returns(store: PostgresStore) -> None:
    table = archived(paused(store))
    assert return_to_seat(table, 1)
    assert told(table)[-2:] == [{"type": "game_revived", "seat": 1}, {"type": "seat_returned", "seat": 1}]
    assert len(told(table)) == table.row().version
    (left,) = rows(table, "SELECT extract(epoch FROM deadline - clock_timestamp()) FROM games WHERE id = %(game)s")
    assert 3590 < left[0] <= 3600, "a whole turn"
    waiting = rows(table, "SELECT seat, played_by FROM awaited WHERE game_id = %(game)s ORDER BY seat")
    assert waiting == [(0, "default"), (1, None), (2, "default")]
    Worker(store, random.Random(3)).work()
    assert table.position().awaited() == (1,)


def test_webhooks_hear_of_turns_that_wait_anew_and_of_nothing_else(store: PostgresStore) -> None:
    table = seat_players(store)
    table.submit(1)
    with store.transaction() as tables:
        for caller in table.callers:
            events = ["game.started", "turn.waiting", "game.over"]
            tables.add_webhook(UUID(int=caller.player.int ^ 1), caller.player, "https://e.org/", events, "whsec_")
    archived(table)
    let_news_be_delivered(store)
    assert rows(table, "SELECT * FROM deliveries") == []
    return_to_seat(table, 1)
    let_news_be_delivered(store)
    sent = rows(
        table,
        "SELECT type, (body::json -> 'data' ->> 'seat')::int AS seat, (body::json -> 'data' ->> 'turn')::int"
        " FROM deliveries ORDER BY seat",
    )
    assert sent == [("turn.waiting", 0, 1), ("turn.waiting", 2, 1)]


def entries(table: Table) -> list[Any]:
    return rows(table, "SELECT seq, entry, state_hash FROM log WHERE game_id = %(game)s ORDER BY seq")


def test_the_record_is_that_of_a_game_that_never_was_archived(store: PostgresStore) -> None:
    """Archived in every turn, before and after the first choice, sealed ones among them."""
    twins = [seat_players(store, practice=True, seed=bytes(range(32))) for _ in range(2)]
    steady, fitful = twins
    steady.play()
    seen = 0
    while status(fitful) == "active":
        for seat in fitful.position().awaited():
            return_to_seat(archived(fitful), (seat + 1) % 3)
            seen += bool(fitful.position().sealed)
            fitful.submit(seat)
    assert seen > 5, "there were sealed choices"
    assert entries(fitful) == entries(steady)
    with store.reading() as tables:
        mine, other = (queries.record(tables, table.caller(0)) for table in (fitful, steady))
    assert (mine.result, mine.terms, mine.seed, mine.entropy) == (other.result, other.terms, other.seed, other.entropy)
    verdict = verify(read_record(msgspec.json.encode(mine)), noted_commitment=mine.commitment, noted_head=mine.head)
    assert verdict.holds, verdict.difference


# Games that have not started


def test_an_open_game_is_open_again_when_a_player_returns(store: PostgresStore) -> None:
    table = archived(open_table(store))
    with pytest.raises(GameArchived):
        leave(table, 1)
    with store.reading() as tables, pytest.raises(GameArchived):
        resignation.resign(tables, table.secrets[0], table.game)
    with store.reading() as tables, pytest.raises(GameNotActive):
        queries.view(tables, access.view_context(tables, table.secrets[0], table.game))
    turn = table.turn(0)
    assert (turn.status, turn.turn, turn.awaited, turn.next_poll_ms) == ("archived", 0, (), queries.IDLE_POLL_MS)
    assert return_to_seat(table, 1)
    assert (status(table), told(table)[-1]) == ("open", {"type": "game_revived", "seat": 1})
    take(table, 2)
    assert (status(table), table.row().turn) == ("active", 1)
    table.play()
    assert status(table) == "over"


def test_an_open_game_is_open_again_when_somebody_sits_down(store: PostgresStore) -> None:
    table = archived(open_table(store, taken=0))
    take(table, 1)
    assert status(table) == "open"
    archived(table)
    take(table, 1)
    assert status(table) == "archived", "to take the seat that one has changes nothing"
    with store.transaction() as tables:
        assert seat_bot(tables, table.callers[0], table.game, None, "random") == 0
    assert status(table) == "open"
    assert [event["type"] for event in told(table)] == [
        "game_created",
        "game_archived",
        "game_revived",
        "seat_taken",
        "game_archived",
        "game_revived",
        "seat_taken",
    ]
    assert len(told(table)) == table.row().version


def test_who_takes_the_last_seat_of_an_archived_game_starts_it(store: PostgresStore) -> None:
    table = archived(open_table(store, turn_seconds=3600))
    take(table, 2)
    assert (status(table), table.row().turn) == ("active", 1)
    assert table.row().deadline is not None
    assert len(rows(table, "SELECT 1 FROM awaited WHERE game_id = %(game)s")) == 3


def test_only_the_creator_seats_a_bot_and_revives_by_it(store: PostgresStore) -> None:
    table = archived(open_table(store))
    with store.transaction() as tables, pytest.raises(NotYours):
        seat_bot(tables, table.callers[1], table.game, None, "random")
    assert status(table) == "archived"
