"""Rated games: counted by the worker, once, in the order of their ends, and so that it can be computed again."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg.types.json import Json

from holmgang import logs
from holmgang.app.access import game_by_id
from holmgang.app.accounts.players import register
from holmgang.app.accounts.tokens import authenticate
from holmgang.app.games import ratings
from holmgang.app.games.ratings import NEWCOMER
from holmgang.app.games.seats import take_seat
from holmgang.app.play import deadlines, returns
from holmgang.app.play.resignation import resign
from holmgang.app.records.games import Game
from holmgang.app.records.players import Principal
from holmgang.app.records.ratings import Belief, Rating
from holmgang.store import database as store_database
from holmgang.store.database import PostgresStore, conninfo
from holmgang.worker import loop
from holmgang.worker.loop import Worker
from tests.citus.databases import patience
from tests.integration.tables import Table, new_game, seat_players
from tests.waiting import wait_until

RATED: dict[str, Any] = {"rated": True, "turn_seconds": 3600}


@pytest.fixture
def store(database: str) -> Iterator[PostgresStore]:
    store = PostgresStore(database, pool_size=6)
    yield store
    store.close()


def rows(store: PostgresStore, statement: str, *arguments: Any) -> list[Any]:
    with store.pool.connection() as connection:
        cursor = connection.execute(statement.encode(), arguments)
        return list(cursor.fetchall()) if cursor.description else []


def people(store: PostgresStore, number: int) -> list[tuple[str, Principal]]:
    """Tokens and players."""
    with store.transaction() as tables:
        secrets = [register(tables, f"player {n}")[2] for n in range(number)]
        return [(secret, authenticate(tables, secret)) for secret in secrets]


def duel(store: PostgresStore, winner: tuple[str, Principal], loser: tuple[str, Principal], **terms: Any) -> UUID:
    """A game for two, of Claim unless `terms` say otherwise, that the second resigns in its first turn."""
    with store.transaction() as tables:
        game = new_game(tables, winner[1], seats=2, options={}, **{"ruleset": "claim", **RATED, **terms}).id
        take_seat(tables, loser[1], game, None, None)
    with store.reading() as tables:
        resign(tables, loser[0], game)
    return game


def work(store: PostgresStore, worker: Worker | None = None, rounds: int = 2000) -> None:
    """A worker at work until there is nothing to do."""
    worker = worker or Worker(store, random.Random(3))
    for _ in range(rounds):
        if not worker.work():
            return
    raise AssertionError("the worker did not come to an end")


def summary(store: PostgresStore, game: UUID) -> Game:
    with store.reading() as tables:
        return game_by_id(tables, game)


def ratings_by_player(store: PostgresStore, ruleset: str = "claim") -> dict[UUID, Rating]:
    found = rows(store, "SELECT player_id, mu, sigma, games, wins FROM ratings WHERE ruleset = %s", ruleset)
    return {player: Rating(mu=mu, sigma=sigma, games=n, wins=wins) for player, mu, sigma, n, wins in found}


def recomputed(store: PostgresStore, ruleset: str = "claim") -> dict[UUID, Rating]:
    """All ratings of a ruleset, from nothing but who came in where: not from what was believed before or after."""
    played: dict[int, list[tuple[int, UUID, int, int]]] = {}
    history = "SELECT number, seat, player_id, side, rank FROM rating_changes WHERE ruleset = %s ORDER BY number, seat"
    for number, *line in rows(store, history, ruleset):
        played.setdefault(number, []).append(tuple(line))
    assert list(played) == list(range(1, len(played) + 1)), "numbered without gaps"
    found: dict[UUID, Rating] = {}
    for lines in played.values():
        players = [player for _, player, _, _ in lines]
        sides: dict[int, list[int]] = {}
        ranks: dict[int, int] = {}
        for seat, _, side, rank in lines:
            sides.setdefault(side, []).append(seat)
            ranks[side] = rank
        order = sorted(sides)
        before = {player: found.get(player, NEWCOMER) for player in players}
        after = ratings.assessed(
            [tuple(sides[side]) for side in order],
            [ranks[side] for side in order],
            players,
            {player: rating.belief for player, rating in before.items()},
        )
        won = {player for _, player, _, rank in lines if rank == 1}
        for player, belief in after.items():
            games_before, wins = before[player].games, before[player].wins
            found[player] = Rating(
                mu=belief.mu, sigma=belief.sigma, games=games_before + 1, wins=wins + (player in won)
            )
    return found


def test_a_rated_game_that_is_over_is_counted_once(store: PostgresStore) -> None:
    one, other = people(store, 2)
    game = duel(store, one, other)
    assert summary(store, game).rating_changes is None, "not before a worker has looked"
    work(store)
    changes = summary(store, game).rating_changes
    assert changes is not None
    assert [(c.seat, c.player, c.rank) for c in changes] == [(0, one[1].player, 1), (1, other[1].player, 2)]
    assert {c.before for c in changes} == {NEWCOMER.belief}
    assert changes[0].after.mu > 25 > changes[1].after.mu, "a resignation in the first turn is a loss"
    found = ratings_by_player(store)
    assert {player: rating.belief for player, rating in found.items()} == {c.player: c.after for c in changes}
    assert [(found[c.player].games, found[c.player].wins) for c in changes] == [(1, 1), (1, 0)]
    work(store)
    assert ratings_by_player(store) == found
    assert summary(store, game).rating_changes == changes


def test_only_rated_games_that_are_over_count(store: PostgresStore) -> None:
    one, other = people(store, 2)
    duel(store, one, other, rated=False)
    seat_players(store, **RATED)
    with store.transaction() as tables:
        new_game(tables, one[1], ruleset="claim", seats=2, options={}, **RATED)
    work(store)
    assert rows(store, "SELECT ruleset FROM ratings UNION ALL SELECT ruleset FROM rating_changes") == []
    assert rows(store, "SELECT count(*) FROM games WHERE rated_at IS NOT NULL") == [(0,)]


def test_rulesets_have_ratings_of_their_own(store: PostgresStore) -> None:
    one, other = people(store, 2)
    duel(store, one, other)
    eketorp = seat_players(store, **RATED)
    eketorp.play()
    work(store)
    with store.reading() as tables:
        assert set(tables.ratings_of(one[1].player)) == {"claim"}
        assert set(tables.ratings_of(eketorp.callers[0].player)) == {"eketorp"}
    game = summary(store, eketorp.game)
    assert game.result is not None
    assert game.rating_changes is not None
    ranks = {seat: n for n, group in enumerate(game.result.ranking, 1) for seat in group}
    assert {c.seat: c.rank for c in game.rating_changes} == ranks
    assert rows(store, "SELECT ruleset, games FROM leaderboards ORDER BY ruleset") == [("claim", 1), ("eketorp", 1)]


def test_partners_win_and_lose_together(store: PostgresStore) -> None:
    table = seat_players(store, 4, ruleset="claim", **RATED)
    with store.reading() as tables:
        resign(tables, table.secrets[1], table.game)
    work(store)
    changes = summary(store, table.game).rating_changes
    assert changes is not None
    assert [(c.side, c.rank) for c in changes] == [(0, 1), (1, 2), (0, 1), (1, 2)]
    assert changes[0].after == changes[2].after
    assert changes[1].after == changes[3].after
    assert [ratings_by_player(store)[caller.player].wins for caller in table.callers] == [1, 0, 1, 0]


def test_a_bot_with_several_seats_plays_one_game(store: PostgresStore) -> None:
    table = seat_players(store, 3, ruleset="claim", bots={1: "random", 2: "random"}, **RATED)
    with store.reading() as tables:
        resign(tables, table.secrets[0], table.game)
    work(store)
    game = summary(store, table.game)
    assert game.status == "over", "a rated game goes on when the last person has resigned"
    assert game.rating_changes is not None
    person, *seats = game.rating_changes
    assert person.rank == 3
    assert person.after.mu < 25, "they lose"
    assert len({(c.player, c.before, c.after) for c in seats}) == 1
    bot = ratings_by_player(store)[seats[0].player]
    assert (bot.games, bot.wins) == (1, 1)
    assert bot.mu > 25
    assert recomputed(store) == ratings_by_player(store)


def test_who_goes_away_from_bots_loses_nevertheless(store: PostgresStore) -> None:
    """Not so in other games, which stand still until somebody returns."""
    tables_ = [
        seat_players(store, 3, ruleset="eketorp", bots={1: "greedy", 2: "greedy"}, turn_seconds=60, rated=rated)
        for rated in (True, False)
    ]
    work(store)
    rows(store, "UPDATE games SET deadline = clock_timestamp() - interval '1 second'")
    work(store)
    assert [summary(store, table.game).status for table in tables_] == ["over", "active"]
    changes = summary(store, tables_[0].game).rating_changes
    assert changes is not None
    assert changes[0].player == tables_[0].callers[0].player


def test_who_returns_to_a_rated_game_is_waited_for_in_this_turn(store: PostgresStore) -> None:
    """Though it did not stand still."""
    table = seat_players(store, 3, bots={1: "random", 2: "random"}, **RATED)
    rows(store, "UPDATE games SET deadline = clock_timestamp() - interval '1 second'")
    with store.transaction() as tables:
        deadlines.expire(tables, table.game)
        assert returns.return_to_seat(tables, table.callers[0], table.game, 0)
    turn = table.row().turn
    work(store)
    assert table.position().awaited() == (0,)
    assert table.row().turn == turn
    assert rows(store, "SELECT played_by FROM awaited WHERE game_id = %s", table.game) == [(None,)]
    table.submit(0)
    assert table.row().turn > turn


def test_a_rated_game_among_bots_alone_is_not_played(store: PostgresStore) -> None:
    table = seat_players(store, 3, bots={0: "random", 1: "random", 2: "random"}, **RATED)
    work(store)
    assert table.row().turn == 1


def test_games_are_counted_in_the_order_in_which_they_ended(store: PostgresStore) -> None:
    pair = people(store, 2)
    played = [duel(store, *(pair if n % 2 else pair[::-1])) for n in range(6)]
    order = random.Random(5).sample(played, 6)
    for n, game in enumerate(order):
        rows(store, "UPDATE games SET ended_at = now() + make_interval(secs => %s) WHERE id = %s", n, game)
    work(store)
    counted = rows(store, "SELECT game_id FROM rating_changes WHERE seat = 0 ORDER BY number")
    assert counted == [(game,) for game in order]
    last: dict[UUID, Belief] = {}
    for game in order:
        for change in summary(store, game).rating_changes or ():
            assert change.before == last.get(change.player, NEWCOMER.belief), "each goes on from the one before"
            last[change.player] = change.after


def season(store: PostgresStore, number: int) -> list[UUID]:
    """Games between the same few, for two and for four, that are all over."""
    crowd, rng = people(store, 5), random.Random(11)
    played = [duel(store, *rng.sample(crowd, 2)) for _ in range(number)]
    team = seat_players(store, 4, ruleset="claim", **RATED)
    with store.reading() as tables:
        resign(tables, team.secrets[0], team.game)
    return [*played, team.game]


def test_several_workers_count_each_game_once(store: PostgresStore) -> None:
    played = season(store, 30)
    failures: list[BaseException] = []
    together = threading.Barrier(4)

    def worker(seed: int) -> None:
        mine = Worker(store, random.Random(seed))
        together.wait()
        try:
            while rows(store, "SELECT 1 FROM games WHERE rated AND rated_at IS NULL LIMIT 1"):
                mine.work()
        except BaseException as fault:
            failures.append(fault)

    threads = [threading.Thread(target=worker, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert rows(store, "SELECT count(DISTINCT game_id), max(number), count(*) FROM rating_changes") == [(31, 31, 64)]
    assert rows(store, "SELECT games FROM leaderboards") == [(31,)]
    assert sum(rating.games for rating in ratings_by_player(store).values()) == 64
    assert all(summary(store, game).rating_changes for game in played)
    assert recomputed(store) == ratings_by_player(store)


def test_all_ratings_follow_from_the_history(store: PostgresStore) -> None:
    season(store, 12)
    bots = seat_players(store, 3, ruleset="claim", bots={1: "random", 2: "random"}, **RATED)
    with store.reading() as tables:
        resign(tables, bots.secrets[0], bots.game)
    work(store)
    found = ratings_by_player(store)
    assert len(found) == 5 + 4 + 2
    assert recomputed(store) == found
    rows(store, "UPDATE rating_changes SET rank = 3 - rank WHERE number = 1")
    assert recomputed(store) != found, "the comparison sees a result that was changed"


def test_while_one_counts_others_do_not_wait(store: PostgresStore) -> None:
    one, other = people(store, 2)
    game, second = duel(store, one, other), duel(store, one, other)
    with store.transaction() as tables:
        assert ratings.count(tables, "claim", game)
        assert not Worker(store).work(), "the ruleset is held"
        with store.transaction() as others:
            assert not ratings.count(others, "claim", second)
    assert summary(store, second).rating_changes is None
    work(store)
    with store.transaction() as tables:
        assert not ratings.count(tables, "claim", game), "who was slow counts nothing twice"
    assert rows(store, "SELECT number, count(*) FROM rating_changes GROUP BY number ORDER BY number") == [
        (1, 2),
        (2, 2),
    ]


def _killed_while_counting(url: str, game: UUID) -> None:
    store = PostgresStore(url, pool_size=1)
    with store.transaction() as tables:
        assert ratings.count(tables, "claim", game)
        os.kill(os.getpid(), signal.SIGKILL)


def test_a_worker_that_is_killed_loses_and_doubles_nothing(store: PostgresStore, database: str) -> None:
    one, other = people(store, 2)
    game = duel(store, one, other)
    process = multiprocessing.get_context("spawn").Process(target=_killed_while_counting, args=(database, game))
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL
    assert summary(store, game).rating_changes is None
    assert ratings_by_player(store) == {}
    for _ in range(200):  # the server lets go of what the dead one held as soon as it notices
        Worker(store).work()
        if ratings_by_player(store):
            break
    assert {rating.games for rating in ratings_by_player(store).values()} == {1}
    assert rows(store, "SELECT games FROM leaderboards") == [(1,)]
    assert recomputed(store) == ratings_by_player(store)


def test_a_game_that_cannot_be_counted_keeps_no_other_waiting(
    store: PostgresStore, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = people(store, 2)
    bad, good = duel(store, one, other), duel(store, one, other)
    (result,) = rows(store, "SELECT result FROM games WHERE id = %s", bad)[0]
    rows(store, "UPDATE games SET result = %s WHERE id = %s", Json({**result, "ranking": []}), bad)
    worker = Worker(store)
    for _ in range(3):
        worker.work()
    assert summary(store, bad).rating_changes is None
    assert summary(store, good).rating_changes is not None
    (record,) = caplog.records
    line = json.loads(logs.formatter(logs.JSON).format(record))
    assert line["event"] == "the worker could not do this, and leaves the game alone for a while"
    assert (line["task"], line["game"]) == ("rating", str(bad))
    assert "Traceback" in line["exception"]
    assert recomputed(store) == ratings_by_player(store), "nothing of it was written"
    rows(store, "UPDATE games SET result = %s WHERE id = %s", Json(result), bad)
    now = time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: now() + loop.PAUSE_SECONDS)
    worker.work()
    assert summary(store, bad).rating_changes is not None, "once it is mended and its pause is over"
    assert recomputed(store) == ratings_by_player(store)


def test_a_game_that_somebody_holds_keeps_no_other_from_being_counted(
    store: PostgresStore, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_database, "LOCK_TIMEOUT_MS", 100)
    mine = PostgresStore(database, pool_size=2)
    pair = people(store, 2)
    held, later = duel(store, *pair), duel(store, *pair)
    elsewhere = duel(store, *pair, ruleset="drakkars")
    worker = Worker(mine)

    def counted(game: UUID) -> bool:
        worker.work()
        return summary(store, game).rating_changes is not None

    with psycopg.connect(conninfo(database)) as other:
        other.execute("SELECT FROM games WHERE id = %s FOR UPDATE", [held])
        wait_until(lambda: counted(elsewhere), "in another ruleset", patience())
        work(store, worker)
        wait_until(lambda: counted(later), "in the same", patience())
    now = time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: now() + loop.BUSY_SECONDS)
    wait_until(lambda: counted(held), "what was held", patience())
    assert rows(store, "SELECT game_id FROM rating_changes WHERE ruleset = 'claim' AND seat = 0 ORDER BY number") == [
        (later,),
        (held,),
    ]
    assert recomputed(store) == ratings_by_player(store)
    mine.close()


def test_the_worker_finds_what_to_count_by_an_index(store: PostgresStore) -> None:
    table: Table = seat_players(store)
    rows(
        store,
        "INSERT INTO games (id, ruleset, ruleset_version, status, visibility, spectators, seat_count, options, creator,"
        " commitment, seed, version, rated, ended_at, rated_at) SELECT gen_random_uuid(), 'claim', '1', 'over',"
        " 'public', true, 2, '{}', %s, '', '', 1, true, now(), now() FROM generate_series(1, 20000)",
        table.callers[0].player,
    )
    rows(store, "ANALYZE games")
    plan = rows(
        store,
        "EXPLAIN SELECT id FROM games WHERE ruleset = 'claim' AND rated AND rated_at IS NULL AND ended_at IS NOT NULL"
        " ORDER BY ended_at, id LIMIT 1",
    )
    assert any("games_to_rate_idx" in line for (line,) in plan), plan
