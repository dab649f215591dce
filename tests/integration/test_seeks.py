"""Seeks: who is brought together with whom, and that one seek never ends in two games."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from random import Random
from typing import Any
from unittest import mock
from uuid import UUID

import pytest
from msgspec.structs import replace

from holmgang.app.accounts.tokens import create_token, revoke_token
from holmgang.app.errors import InvalidOptionRefusal, InvalidToken, LimitReached, Refusal, SeekMatched
from holmgang.app.games import creation
from holmgang.app.leaving import account
from holmgang.app.meeting import seeks
from holmgang.app.meeting.seeks import Range
from holmgang.app.records.players import Principal
from holmgang.app.records.seeks import Seek
from holmgang.app.records.terms import Terms
from holmgang.store.database import PostgresStore
from holmgang.worker.seeking import Seeking
from tests.waiting import wait_until

from .seeking import Pool, store_of


@pytest.fixture(scope="module")
def store(module_database: str) -> Iterator[PostgresStore]:
    with store_of(module_database) as store:
        yield store


def work(store: PostgresStore) -> None:
    """Until nobody else can be brought together."""
    seeking = Seeking(store, Random(1))
    while seeking():
        pass


def together(pool: Pool, *asked: Seek) -> bool:
    """Whether these have led to one game, or else none of them to any."""
    work(pool.store)
    (game,) = {pool.now(each).game for each in asked}
    assert game is None or pool.seats_of([each.player for each in asked]).count(game) == len(asked)
    return game is not None


def test_options_are_the_same_that_lead_to_the_same_game(store: PostgresStore) -> None:
    pool = Pool(store)
    usual, other = ({"first_player": value} for value in ("random", 1))
    assert together(pool, pool.seek(), pool.seek(terms=replace(pool.terms, options=usual)))
    assert not together(pool, pool.seek(), pool.seek(terms=replace(pool.terms, options=other)))


def test_options_must_be_good_for_every_table(store: PostgresStore) -> None:
    pool = Pool(store)
    last = replace(pool.terms, options={"first_player": 3})
    assert pool.seek(seats=[4], terms=last).status == "waiting"
    with pytest.raises(InvalidOptionRefusal):
        pool.seek(seats=[2, 4], terms=last)


def test_the_largest_table_is_filled_with_those_who_waited_longest(store: PostgresStore) -> None:
    pool = Pool(store)
    first, second, third = (pool.seek(seats=seats) for seats in ([2, 3], [2, 3, 4], [3]))
    last = pool.seek(seats=[2, 3, 4])
    assert together(pool, first, second, third)
    assert pool.now(last).status == "waiting"


def test_ratings_have_to_be_within_the_ranges_of_both(store: PostgresStore) -> None:
    pool = Pool(store)
    strong, weak = pool.player(), pool.player()
    pool.rate(strong.player, 1700)
    open_to_all = pool.seek(weak, reach=Range(0, 300))
    assert not together(pool, open_to_all, pool.seek(strong, reach=Range(100, 100)))
    assert together(pool, open_to_all, pool.seek(strong, reach=Range(200, 0)))


def test_ranges_widen_with_waiting(store: PostgresStore) -> None:
    pool = Pool(store)
    strong = pool.player()
    pool.rate(strong.player, 1700)
    mine, theirs = pool.seek(reach=Range(0, 100, 50)), pool.seek(strong)
    assert not together(pool, mine, theirs)
    pool.change(mine, "created_at = created_at - interval '115 seconds'")
    assert not together(pool, mine, theirs)
    pool.change(mine, "created_at = created_at - interval '5 seconds'")
    assert together(pool, mine, theirs)


def test_bots_and_people_meet_who_want_each_other(store: PostgresStore) -> None:
    pool = Pool(store)
    person = pool.seek(wanted="people")
    bot = pool.seek(pool.player("A bot", "bot"))
    assert not together(pool, person, bot)
    assert together(pool, bot, pool.seek(wanted="bots"))
    assert together(pool, person, pool.seek())


def test_who_is_blocked_is_passed_over(store: PostgresStore) -> None:
    pool = Pool(store)
    mine, theirs = pool.seek(), pool.seek()
    with store.transaction() as tables:
        tables.add_block(mine.player, theirs.player)
    assert not together(pool, mine, theirs)
    found = Seeking(store)
    with store.transaction() as tables:
        tables.remove_block(mine.player, theirs.player)
    (match,) = [each for each in pool.find() if each.seekers[0].id == mine.id]
    with store.transaction() as tables:
        tables.add_block(theirs.player, mine.player)
    with store.transaction() as tables:
        assert seeks.bring_together(tables, match, Random(1)) is None, "blocked after they were found"
    found()
    third = pool.seek()
    assert together(pool, mine, third)


def test_sides_are_balanced(store: PostgresStore) -> None:
    pool = Pool(store)
    players = [pool.player() for _ in range(4)]
    for player, points in zip(players, (1400, 1500, 1700, 1800), strict=True):
        pool.rate(player.player, points)
    asked = [pool.seek(player, seats=[4]) for player in players]
    assert together(pool, *asked)
    seats = [pool.now(each).seat for each in asked]
    assert {seats[0], seats[3]} in ({0, 2}, {1, 3})


def test_nobody_plays_themself(store: PostgresStore) -> None:
    pool = Pool(store)
    me = pool.player()
    assert not together(pool, pool.seek(me), pool.seek(me))


def test_a_live_match_withdraws_the_players_other_live_seeks_only(store: PostgresStore) -> None:
    live, other, slow = Pool(store), Pool(store), Pool(store, live=False)
    me = live.player()
    mine = [pool.seek(me) for pool in (live, other, slow, slow)]
    assert together(slow, mine[2], slow.seek())
    assert [live.now(each).status for each in mine] == ["waiting", "waiting", "matched", "waiting"]
    with store.reading() as tables:
        before = tables.revision(mine[1].id)
    assert together(live, mine[0], live.seek())
    assert [live.now(each).status for each in mine] == ["matched", "withdrawn", "matched", "waiting"]
    with store.reading() as tables:
        assert tables.revision(mine[1].id) > before, "who waits for it is woken"


def test_seeks_expire_and_are_forgotten(store: PostgresStore) -> None:
    pool = Pool(store)
    gone, there = pool.seek(), pool.seek()
    pool.change(gone, "expires_at = clock_timestamp()")
    assert not pool.find(), "though no worker has noted it yet"
    Seeking(store)()
    assert [pool.now(each).status for each in (gone, there)] == ["expired", "waiting"]
    pool.change(gone, "ended_at = ended_at - interval '25 hours'")
    Seeking(store)()
    with store.reading() as tables:
        assert tables.seek(gone.player, gone.id) is None


def test_a_seek_goes_with_its_token(store: PostgresStore) -> None:
    pool = Pool(store)
    me = pool.player()
    with store.transaction() as tables:
        token, _ = create_token(tables, me, "bot", ["play"], None, None)
        bot = Principal(me.player, token.id, token.scopes)
    pool.seek()
    mine = pool.seek(bot)
    (match,) = pool.find()
    with store.transaction() as tables:
        revoke_token(tables, me, token.id)
    with store.transaction() as tables:
        assert seeks.bring_together(tables, match, Random(1)) is None
        assert tables.seek(me.player, mine.id) is None
    assert pool.find() == []
    with pytest.raises(InvalidToken):
        pool.seek(bot)


def test_a_seek_goes_with_its_player(store: PostgresStore) -> None:
    pool = Pool(store)
    me = pool.player("Sigrid")
    mine, _ = pool.seek(me), pool.seek()
    (match,) = pool.find()
    with store.transaction() as tables:
        account.delete(tables, me, "Sigrid")
    with store.transaction() as tables:
        assert seeks.bring_together(tables, match, Random(1)) is None
        assert tables.seek(me.player, mine.id) is None


def test_a_seek_does_not_outlive_its_token(store: PostgresStore) -> None:
    pool = Pool(store)
    me = pool.player()
    with store.transaction() as tables:
        tables.lock_player(me.player)
        end = tables.now()
    with store.pool.connection() as connection:
        connection.execute("UPDATE tokens SET expires_at = %s + interval '1 minute' WHERE id = %s", [end, me.token])
    seconds = (pool.seek(me, seconds=600).expires_at - end).total_seconds()
    assert seconds == 60


def test_there_are_only_so_many(store: PostgresStore) -> None:
    pool = Pool(store)
    me = pool.player()
    first, _ = (pool.seek(me, most=2) for _ in range(2))
    with pytest.raises(LimitReached) as refused:
        pool.seek(me, most=2)
    assert refused.value.extra == {"what": "seeks", "limit": 2}
    with store.transaction() as tables:
        seeks.withdraw(tables, me, first.id)
    pool.seek(me, most=2)


def test_who_is_being_matched_is_matched_to_nobody_else(store: PostgresStore) -> None:
    """Two workers at the same moment: by one seek, and by two of one player."""
    one, other = Pool(store), Pool(store)
    me = one.player()
    one.seek(me), one.seek(), other.seek(me), other.seek()
    first, second = one.find()
    with store.transaction() as mine, store.transaction() as theirs:
        mine.claim_players([each.player for each in first.seekers])
        assert seeks.bring_together(theirs, second, Random(1)) is None
    with store.transaction() as mine, store.transaction() as theirs:
        assert seeks.bring_together(mine, first, Random(1)) is not None
        assert seeks.bring_together(theirs, first, Random(1)) is None
        assert seeks.bring_together(theirs, second, Random(1)) is None
    with store.transaction() as tables:
        assert seeks.bring_together(tables, first, Random(1)) is None
        assert seeks.bring_together(tables, second, Random(1)) is None
    assert len(one.seats_of([me.player])) == 1


@pytest.mark.parametrize("how", ["withdraw", "revoke"])
def test_who_goes_while_they_are_matched_has_a_game(store: PostgresStore, how: str) -> None:
    pool, other = Pool(store), Pool(store)
    me = pool.player()
    other.seek(me)  # withdrawn when the other seek has led to a game, which may be while both go with their token
    mine, _ = pool.seek(me), pool.seek()
    (match,) = pool.find()

    def go() -> None:
        with store.transaction() as tables:
            if how == "withdraw":
                seeks.withdraw(tables, me, mine.id)
            else:
                revoke_token(tables, me, me.token)

    gone = Future[Future[None]]()
    with ThreadPoolExecutor(1) as hand:
        with store.transaction() as tables, mock.patch.object(tables, "withdraw_live_seeks") as withdraw_others:

            def while_somebody_goes(players: Sequence[UUID]) -> Any:
                hand.submit(go).add_done_callback(gone.set_result)
                wait_until(lambda: _waiting(store), "the other transaction waits for this one")
                return type(tables).withdraw_live_seeks(tables, players)

            withdraw_others.side_effect = while_somebody_goes
            game = seeks.bring_together(tables, match, Random(1))
        going = gone.result(15)
        if how == "withdraw":
            with pytest.raises(SeekMatched) as refused:
                going.result(15)
            assert refused.value.extra == {"game": str(game)}
        else:
            going.result(15)
    assert pool.seats_of([me.player]) == [game]


def _waiting(store: PostgresStore) -> bool:
    """Whether somebody waits for a lock."""
    with store.pool.connection() as connection:
        found = connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
        ).fetchone()
    return found is not None and found[0] > 0


DIES = """
import os, random, signal, sys
from holmgang.store.database import PostgresStore
from holmgang.worker.seeking import Seeking

store = PostgresStore(sys.argv[1], pool_size=2)
tables = store._tables
def dying(connection):
    found = tables(connection)
    match = found.match_seeks
    def match_and_die(*given):
        match(*given)
        os.kill(os.getpid(), signal.SIGKILL)
    found.match_seeks = match_and_die
    return found
store._tables = dying
Seeking(store)()
"""


def test_a_worker_that_is_killed_leaves_nothing_behind(store: PostgresStore, module_database: str) -> None:
    pool = Pool(store)
    mine, theirs = pool.seek(), pool.seek()
    died = subprocess.run([sys.executable, "-c", DIES, module_database], capture_output=True, timeout=60, check=False)
    assert died.returncode == -9, died.stderr.decode()
    assert pool.seats_of([mine.player, theirs.player]) == []

    def matched() -> bool:
        work(store)
        return pool.now(mine).status == "matched"

    wait_until(matched, "its locks are gone")
    assert together(pool, mine, theirs)


def test_a_game_that_cannot_be_made_holds_up_no_other(store: PostgresStore) -> None:
    broken, whole = Pool(store), Pool(store)
    mine, theirs = broken.seek(), broken.seek()
    one, other = whole.seek(), whole.seek()
    make = creation.made

    def made(tables: Any, terms: Terms, players: Sequence[UUID | str]) -> UUID:
        if terms.turn_seconds == broken.terms.turn_seconds:
            raise RuntimeError("this package is broken")
        return make(tables, terms, players)

    seeking = Seeking(store, Random(1))
    with mock.patch.object(seeks, "made", made):
        while seeking():
            pass
    assert whole.now(one).game == whole.now(other).game is not None
    while seeking():
        pass
    assert broken.now(mine).status == "waiting", "it is left alone for a while"
    assert together(broken, mine, theirs), "by that worker"


def test_whatever_races_one_seek_ends_in_one_game(store: PostgresStore) -> None:
    """Three workers, and players who withdraw, whose tokens are revoked, and who seek again meanwhile."""
    pools = [Pool(store), Pool(store, live=False)]
    asked = [(pool, pool.player()) for pool in pools * 16]
    made = [(pool, player, pool.seek(player, seats=[2, 3])) for pool, player in asked]
    rng = Random(5)
    gone = rng.sample(made, 12)

    def withdraw(pool: Pool, player: Principal, seek: Seek) -> tuple[UUID, str]:
        try:
            with store.transaction() as tables:
                if seek.id.int % 2:
                    seeks.withdraw(tables, player, seek.id)
                else:
                    revoke_token(tables, player, player.token)
        except Refusal as refused:
            return seek.id, refused.code
        return seek.id, "withdrawn" if seek.id.int % 2 else "revoked"

    with ThreadPoolExecutor(8) as hands:
        workers = [hands.submit(work, store) for _ in range(3)]
        going = [hands.submit(withdraw, *each) for each in gone]
        more = [hands.submit(pool.seek, seats=[2]) for pool in pools * 4]
        told = dict(each.result(60) for each in going)
        late = [each.result(60) for each in more]
        for each in workers:
            each.result(60)
    work(store)
    everybody = [seek.player for _, _, seek in made] + [seek.player for seek in late]
    games = Counter(pools[0].seats_of(everybody))
    assert all(1 < players < 4 for players in games.values()), "a game has the players of one match"
    for pool, player, seek in made:
        sits = pool.seats_of([player.player])
        outcome = told.get(seek.id)
        if outcome == "revoked":
            assert len(sits) <= 1
            continue
        assert outcome in (None, "withdrawn", "seek_matched")
        now = pool.now(seek)
        assert sits == ([] if now.game is None else [now.game])
        assert now.status == {"withdrawn": "withdrawn", "seek_matched": "matched"}.get(str(outcome), now.status)
    assert pools[0].find() == [], "nobody waits while another does"
