"""Challenges that several act on at the same moment: never two games, nor one of a challenge that has ended."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import Any
from uuid import UUID

import pytest

from holmgang.app.accounts.players import player, register
from holmgang.app.accounts.tokens import authenticate
from holmgang.app.errors import ChallengeOver, NotFound, Refusal
from holmgang.app.leaving import account
from holmgang.app.meeting import blocks, challenges
from holmgang.app.records.challenges import Challenge
from holmgang.app.records.players import Principal
from holmgang.app.records.terms import Terms
from holmgang.store.database import PostgresStore

ROUNDS = 15
CLAIM = Terms(ruleset="claim")


@pytest.fixture(scope="module")
def store(module_database: str) -> Iterator[PostgresStore]:
    store = PostgresStore(module_database, pool_size=8)
    yield store
    store.close()


def people(store: PostgresStore, many: int) -> list[Principal]:
    with store.transaction() as tables:
        return [authenticate(tables, register(tables, f"player {n}")[2]) for n in range(many)]


def ask(store: PostgresStore, by: Principal, *to: Principal) -> Challenge:
    with store.transaction() as tables:
        players = [str(one.player) for one in to]
        return challenges.create(tables, by, CLAIM, players, seat=None, seconds=600, most=1000)


def games(store: PostgresStore, *of: Principal) -> set[UUID]:
    with store.pool.connection() as connection:
        found = connection.execute("SELECT game_id FROM seats WHERE player_id = ANY(%s)", [[one.player for one in of]])
        return {game for (game,) in found.fetchall()}


def state(store: PostgresStore, who: Principal, challenge: Challenge) -> Challenge:
    with store.reading() as tables:
        return challenges.one_of(tables, who, challenge.id)


def at_once(store: PostgresStore, *acts: Callable[[Any], Any]) -> list[Any]:
    """What each comes to, in a transaction of its own, begun at the same moment: what it gives, or its refusal."""
    together = Barrier(len(acts))

    def do(act: Callable[[Any], Any]) -> Any:
        together.wait(10)
        try:
            with store.transaction() as tables:
                return act(tables)
        except Refusal as refusal:
            return refusal

    with ThreadPoolExecutor(len(acts)) as hands:
        return list(hands.map(do, acts))


def _block(who: Principal, other: Principal, tables: Any) -> Any:
    return blocks.block(tables, who, other.player)


def _ask(who: Principal, other: Principal, tables: Any) -> Any:
    return challenges.create(tables, who, CLAIM, [str(other.player)], seat=None, seconds=600, most=3)


def _accept(who: Principal, challenge: Challenge, tables: Any) -> Any:
    return challenges.accept(tables, who, challenge.id)


def test_two_who_accept_last_make_one_game(store: PostgresStore) -> None:
    me, *others = people(store, 4)
    for _ in range(ROUNDS):
        before = games(store, me)
        made = ask(store, me, *others)
        came = at_once(store, *(partial(_accept, who, made) for who in (*others, *others)))
        assert not [one for one in came if isinstance(one, Refusal)]
        ended = state(store, me, made)
        assert ended.status == "accepted"
        assert games(store, me) - before == {ended.game}
        assert {one.game for one in came} <= {ended.game, None}


def test_withdrawn_declined_expired_or_accepted_and_only_one_of_these(store: PostgresStore) -> None:
    me, other, third = people(store, 3)
    found = set()
    for _ in range(ROUNDS):
        before = games(store, me)
        made = ask(store, me, other, third)
        with store.transaction() as tables:
            challenges.accept(tables, third, made.id)

        def accept(tables: Any, made: Challenge = made) -> Any:
            return challenges.accept(tables, other, made.id)

        def withdraw(tables: Any, made: Challenge = made) -> Any:
            return challenges.withdraw(tables, me, made.id)

        def take_back(tables: Any, made: Challenge = made) -> Any:
            return challenges.take_back(tables, third, made.id)

        def decline(tables: Any, made: Challenge = made) -> Any:
            return challenges.decline(tables, third, made.id, "later")

        def expire(tables: Any, made: Challenge = made) -> Any:
            tables.execute("UPDATE challenges SET expires_at = clock_timestamp() WHERE id = %(id)s", id=made.id)
            return challenges.expire(tables)

        acts = random.sample([accept, withdraw, take_back, decline, expire], 5)
        came = dict(zip((act.__name__ for act in acts), at_once(store, *acts), strict=True))
        assert all(isinstance(one, ChallengeOver) for one in came.values() if isinstance(one, Refusal)), came
        ended = state(store, me, made)
        found.add(ended.status)
        assert ended.status != "pending"
        assert games(store, me) - before == ({ended.game} if ended.status == "accepted" else set())
        assert (ended.game is not None) == (ended.status == "accepted")


def test_a_block_and_a_challenge_at_once_leave_none_to_be_seen(store: PostgresStore) -> None:
    """Whichever comes first."""
    for _ in range(ROUNDS):
        me, other = people(store, 2)
        blocked, made = at_once(store, partial(_block, other, me), partial(_ask, me, other))
        assert blocked.player == me.player
        with pytest.raises(NotFound):
            state(store, other, made)
        assert state(store, me, made).status == "pending"


def test_of_an_acceptance_and_a_block_one_is_first(store: PostgresStore) -> None:
    for _ in range(ROUNDS):
        me, other = people(store, 2)
        made = ask(store, me, other)
        came = at_once(store, partial(_block, other, me), partial(_accept, other, made))
        ended = state(store, me, made)
        if isinstance(came[1], Refusal):
            assert isinstance(came[1], NotFound)
            assert (ended.status, games(store, me)) == ("pending", set())
        else:
            assert (ended.status, games(store, me)) == ("accepted", {ended.game})


def test_a_player_has_no_more_than_so_many_however_they_hurry(store: PostgresStore) -> None:
    me, other = people(store, 2)
    came = at_once(store, *[partial(_ask, me, other)] * 8)
    assert sum(isinstance(one, Challenge) for one in came) == 3


def test_nobody_is_asked_or_asks_who_leaves_at_that_moment(store: PostgresStore) -> None:
    for n in range(ROUNDS):
        me, other = people(store, 2)
        leaves = (me, other)[n % 2]

        def leave(tables: Any, who: Principal = leaves) -> None:
            account.delete(tables, who, player(tables, who.player).name)

        made, _ = at_once(store, partial(_ask, me, other), leave)
        with store.pool.connection() as connection:
            statement = "SELECT status FROM challenges WHERE challenger_id = %s"
            left = [status for (status,) in connection.execute(statement, [me.player]).fetchall()]
        assert left == ([] if isinstance(made, Refusal) else ["withdrawn" if leaves is me else "declined"])
