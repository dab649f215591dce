"""Tournaments over the real store: they start, are paired, played, counted, and end."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest

from holmgang.app.errors import InvalidField, LimitReached, NotFound, TooFewPlayers, TournamentFull, TournamentNotOpen
from holmgang.app.play import deadlines
from holmgang.app.records.terms import Terms
from holmgang.app.records.tournaments import Kind, Plan, Table
from holmgang.app.tournaments import entering, making, progress, reading
from holmgang.app.tournaments.playing import agreement
from holmgang.store.database import PostgresStore
from holmgang.tournaments.checking import commitment
from holmgang.worker.loop import Worker
from tests.integration.banking import think
from tests.integration.tables import Table as Seated
from tests.integration.tournaments import check, made


@pytest.fixture(scope="module")
def store(module_database: str) -> Iterator[PostgresStore]:
    store = PostgresStore(module_database, pool_size=10)
    yield store
    store.close()


@pytest.mark.parametrize("kind", ["swiss", "round-robin", "knock-out"])
@pytest.mark.parametrize(("people", "seats"), [(5, 2), (7, 3)])
def test_it_is_played_to_its_end(store: PostgresStore, kind: Kind, people: int, seats: int) -> None:
    event = made(store, people, kind, seats=seats)
    event.begin()
    event.play()
    one = event.read()
    assert one.status == "over"
    assert event.faults() == []
    assert {len(table.players) for table in event.tables()} <= {2, seats}


def test_the_worker_plays_one_of_bots_alone(store: PostgresStore) -> None:
    event = made(store, 1, bots=("random", "greedy"), fill_to=4, starts_with=None)
    event.leave(next(entry.player for entry in event.entries()))
    event.begin()
    worker = Worker(store, random.Random(1))
    for _ in range(400):
        if event.read().status == "over":
            break
        worker.work()
    assert event.read().status == "over"
    assert event.faults() == []
    assert {game.outcome for table in event.tables() for game in table.games} == {"played"}


@pytest.mark.slow
def test_any_number_of_workers_pair_once_and_begin_each_game_once(store: PostgresStore) -> None:
    event = made(store, 0, bots=("random", "greedy"), fill_to=8)
    event.begin()
    faults: list[BaseException] = []

    def work(seed: int) -> None:
        worker = Worker(store, random.Random(seed))
        try:
            while event.read().status == "active":
                worker.work()
        except BaseException as fault:
            faults.append(fault)
            raise

    workers = [threading.Thread(target=work, args=(n,)) for n in range(3)]
    for each in workers:
        each.start()
    for each in workers:
        each.join(60)
    assert not faults
    assert event.read().status == "over"
    assert event.faults() == []
    games = [game.game for table in event.tables() for game in table.games]
    assert len(set(games)) == len(games) == 12  # three rounds of four tables
    with store.reading() as tables:
        assert len(tables.games(tournament=event.ident, limit=50, **ANY)) == 12


ANY: dict[str, Any] = {"status": None, "ruleset": None, "player": None, "open_seats": None, "before": None}


def test_what_was_committed_to_is_what_comes_out(store: PostgresStore) -> None:
    event = made(store, 3)
    before = event.read()
    assert before.seed is None
    event.begin()
    one = event.read()
    assert one.seed is not None
    assert commitment(one.id.bytes, agreement(one.kind, one.plan, one.terms), one.seed) == before.commitment


def _swapped(table: Table) -> Table:
    return msgspec.structs.replace(table, players=table.players[::-1])


def _points(table: Table) -> Table:
    return msgspec.structs.replace(table, points=table.points[::-1])


@pytest.mark.parametrize("bend", [_swapped, _points])
def test_what_was_bent_is_found(store: PostgresStore, bend: Callable[[Table], Table]) -> None:
    event = made(store, 4)
    event.begin()
    event.play()
    one, entries, rounds, tables = event.read(), event.entries(), event.rounds(), event.tables()
    assert check(one, entries, rounds, tables) == []
    for n, table in enumerate(tables):
        assert check(one, entries, rounds, [*tables[:n], bend(table), *tables[n + 1 :]])
    others = [msgspec.structs.replace(one, seed=bytes([n]) * 32) for n in range(9)]  # some draw the same lots
    assert any(check(other, entries, rounds, tables) for other in others)
    stronger = [msgspec.structs.replace(entry, rating=float(entry.number or 0)) for entry in entries]
    assert check(one, stronger, rounds, tables) != []


def test_it_starts_by_itself_with_so_many(store: PostgresStore) -> None:
    event = made(store, 2, starts_with=3)
    assert not event.advance()
    more = made(store, 1)
    (late,) = [entry.player for entry in more.entries()]
    event.people |= more.people
    event.join(late)
    assert event.advance()
    assert event.read().status == "active"
    with pytest.raises(TournamentNotOpen), store.transaction() as tables:
        entering.join(tables, event.maker, event.ident)


def test_it_starts_at_its_time_or_is_cancelled_with_too_few(store: PostgresStore) -> None:
    later = datetime.now(UTC) + timedelta(hours=1)
    for people, comes_to in ((3, "active"), (2, "cancelled")):
        event = made(store, people, least=3, starts_at=later)
        assert not event.advance()
        event.sql("UPDATE tournaments SET due_at = clock_timestamp() WHERE id = %s", event.ident)
        assert event.advance()
        assert event.read().status == comes_to
    assert event.read().reason == "too_few"
    assert not event.advance()


def test_nobody_begins_with_too_few_and_no_more_join_than_fit(store: PostgresStore) -> None:
    event = made(store, 2, least=3, most=3)
    with pytest.raises(TooFewPlayers):
        event.begin()
    others = made(store, 2)
    event.people |= others.people
    one, two = (entry.player for entry in others.entries())
    event.join(one)
    event.join(one)
    with pytest.raises(TournamentFull):
        event.join(two)
    event.leave(one)
    event.join(two)
    assert event.read().entered == 3


def test_a_cancelled_one_counts_nothing_more(store: PostgresStore) -> None:
    event = made(store, 2)
    event.begin()
    while not event.open_games():
        event.advance()
    (game,) = event.open_games()
    with store.transaction() as tables:
        making.cancel(tables, event.maker, event.ident)
    event.end(game)
    assert not event.count()
    assert not event.advance()
    before = event.read()
    assert (before.status, before.reason) == ("cancelled", "by_maker")
    event.sql("UPDATE tournaments SET due_at = clock_timestamp() WHERE id = %s", event.ident)
    assert not event.advance()
    assert not event.advance()
    assert event.read() == before
    assert event.open_games() == []


def test_who_does_not_turn_up_loses_and_is_out_until_they_return(store: PostgresStore) -> None:
    event = made(store, 4, rounds=3)
    event.begin()
    while len(event.open_games()) < 2:
        event.advance()
    event.stay_away(event.open_games()[0])
    event.count()
    (missing,) = [entry for entry in event.entries() if entry.out == "absent"]
    (table,) = [table for table in event.tables() if table.absent]
    assert table.absent == (missing.id,)
    assert sorted(table.points) == [0.0, 1.0]
    assert table.points[table.players.index(missing.id)] == 0.0
    event.end(event.open_games()[0])
    event.count()
    while event.read().round < 2:
        event.advance()
    assert missing.id not in event.rounds()[1].present
    event.join(missing.id)
    event.play()
    assert missing.id in event.rounds()[2].present
    assert event.faults() == []


def test_who_lets_their_bank_run_out_without_a_choice_has_not_turned_up(store: PostgresStore) -> None:
    event = made(store, 2, rounds=1, terms={"bank_seconds": 60, "absence": "forfeit"})
    event.begin()
    while not event.open_games():
        event.advance()
    (game,) = event.open_games()
    think(Seated(store, game, [], []), 61)
    event.sql("UPDATE pulse SET at = clock_timestamp()")
    with store.transaction() as tables:
        assert deadlines.expire(tables, game)
    assert event.count()
    (table,) = event.tables()
    assert len(table.absent) == 1
    assert sorted(table.points) == [0.0, 1.0]


def test_who_left_before_their_game_began_forfeits_it(store: PostgresStore) -> None:
    event = made(store, 2, rounds=1, games=2)
    event.begin()
    while not event.tables():
        event.advance()
    event.leave(event.tables()[0].players[0])
    event.advance()
    (table,) = event.tables()
    assert [(game.game, game.outcome) for game in table.games] == [(None, "forfeited")]
    assert table.points == (0.0, 1.0)
    event.play()
    assert event.faults() == []


def test_a_game_that_stands_still_is_level_but_not_while_no_worker_keeps_deadlines(store: PostgresStore) -> None:
    event = made(store, 2, rounds=1)
    event.begin()
    while not event.open_games():
        event.advance()
    (game,) = event.open_games()
    event.sql("UPDATE games SET deadline = clock_timestamp() - interval '2 days' WHERE id = %s", game)
    event.sql("DELETE FROM pulse")
    event.sql("INSERT INTO pulse (id, at) VALUES (1, clock_timestamp() - interval '2 days')")
    assert not event.count(), "the service was down: nobody is late, and nothing stands still"
    event.sql("UPDATE pulse SET at = clock_timestamp()")
    assert event.count()
    (table,) = event.tables()
    assert table.points == (0.5, 0.5)
    assert [each.outcome for each in table.games] == ["void"]
    event.sql("DELETE FROM pulse")


def test_its_games_are_not_deleted_as_empty(store: PostgresStore) -> None:
    event = made(store, 2, rounds=1)
    event.begin()
    event.play()
    event.sql(
        "UPDATE games SET empty_since = clock_timestamp() - interval '30 days' WHERE tournament = %s", event.ident
    )
    with store.transaction() as tables:
        tables.forget_empty_games(7, 1000)
    with store.reading() as tables:
        found = tables.games(tournament=event.ident, limit=50, **ANY)
    assert [game.status for game in found] == ["over"]
    assert [game.tournament for game in found] == [event.ident]
    assert found[0].rating_changes is None


def test_a_private_one_is_as_if_it_did_not_exist(store: PostgresStore) -> None:
    event = made(store, 1, terms={"turn_seconds": 600, "visibility": "private"})
    others = made(store, 1)
    stranger = others.maker
    with store.transaction() as tables:
        secret = making.renew_invitation(tables, event.maker, event.ident)
        with pytest.raises(NotFound):
            reading.tournament(tables, stranger.player, event.ident)
        with pytest.raises(NotFound):
            reading.tournament(tables, None, event.ident, "wrong")
        with pytest.raises(NotFound):
            entering.join(tables, stranger, event.ident)
        assert event.ident not in {one.id for one in tables.tournaments(viewer=stranger.player, **NONE)}
        assert reading.tournament(tables, None, event.ident, secret).id == event.ident
        entering.join(tables, stranger, event.ident, secret)
        assert reading.tournament(tables, stranger.player, event.ident).id == event.ident
        assert event.ident in {one.id for one in tables.tournaments(viewer=stranger.player, **NONE)}
        again = making.renew_invitation(tables, event.maker, event.ident)
        with pytest.raises(NotFound):
            reading.tournament(tables, None, event.ident, secret)
        assert reading.tournament(tables, None, event.ident, again).id == event.ident


NONE: dict[str, Any] = {"kind": None, "ruleset": None, "status": None, "player": None, "before": None, "limit": 100}


@pytest.mark.parametrize(
    ("terms", "plan", "pointer"),
    [
        ({"turn_seconds": None}, {}, "/turn_seconds"),
        ({"clock": "waits"}, {}, "/clock"),
        ({}, {"seats": 9}, "/seats"),
        ({}, {"seats": 4, "kind": "knock-out"}, "/seats"),
        ({}, {"most": 129}, "/most"),
        ({}, {"least": 1}, "/least"),
        ({}, {"least": 5, "most": 4}, "/least"),
        ({}, {"starts_with": 1}, "/starts_with"),
        ({}, {"fill_to": 4}, "/bots"),
        ({}, {"fill_to": 129, "bots": ("random",)}, "/fill_to"),
        ({}, {"bots": ("random", "nobody")}, "/bots/1"),
        ({}, {"tie_breaks": ("wins", "wins")}, "/tie_breaks/1"),
        ({}, {"starts_at": datetime(2020, 1, 1, tzinfo=UTC)}, "/starts_at"),
    ],
)
def test_a_plan_that_cannot_be_carried_out_is_refused(
    store: PostgresStore, terms: dict[str, Any], plan: dict[str, Any], pointer: str
) -> None:
    plan = {"seats": 2, **plan}
    kind: Kind = plan.pop("kind", "swiss")
    maker = made(store, 0).maker
    asked = Terms(**{"ruleset": "claim", "turn_seconds": 600, **terms})
    with pytest.raises(InvalidField) as refused, store.transaction() as tables:
        making.create(tables, maker, asked, name="x", kind=kind, plan=Plan(**plan))
    assert refused.value.extra["pointer"] == pointer


def test_nobody_makes_them_without_end(store: PostgresStore) -> None:
    event = made(store, 0)
    terms = Terms(ruleset="claim", turn_seconds=600)
    with pytest.raises(LimitReached), store.transaction() as tables:
        making.create(tables, event.maker, terms, name="x", kind="swiss", plan=Plan(seats=2), most=1)


def test_the_strongest_has_the_first_number(store: PostgresStore) -> None:
    event = made(store, 4)
    entries = event.entries()
    for n, entry in enumerate(entries):
        event.sql(
            "INSERT INTO ratings (player_id, ruleset, mu, sigma, ordinal, games, wins)"
            " VALUES (%s, 'claim', %s, 1, 0, 1, 1)",
            entry.player,
            n + 20,
        )
    event.begin()
    assert [entry.number for entry in event.entries()] == [4, 3, 2, 1]


def test_standings_are_by_points_then_by_tie_breaks(store: PostgresStore) -> None:
    event = made(store, 4)
    assert [(line.rank, line.points) for line in event.standings()] == [(1, 0.0)] * 4
    event.begin()
    event.play()
    lines = event.standings()
    assert sum(line.points for line in lines) == 4.0  # two rounds of two tables
    assert list(lines[0].tie_breaks) == list(event.read().plan.tie_breaks)
    assert (lines[0].rank, lines[0].points, lines[-1].points) == (1, 2.0, 0.0)


def test_a_pairing_of_what_has_changed_is_not_written_down(store: PostgresStore) -> None:
    event = made(store, 4)
    event.begin()
    with store.transaction() as tables:
        wanted = progress.advance(tables, event.ident)
    assert isinstance(wanted, progress.Wanted)
    event.leave(event.entries()[0].player)
    with store.transaction() as tables:
        assert not progress.settle(tables, wanted, wanted.paired())
    assert event.rounds() == []
    event.play()
    assert len(event.rounds()[0].present) == 3
