"""What one may wait for besides games: its revisions, and who is woken."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from unittest import mock
from uuid import UUID

import pytest
from uuid_utils.compat import uuid7

from holmgang.store import revisions
from holmgang.store.database import PostgresStore


@pytest.fixture
def store(module_database: str) -> Iterator[PostgresStore]:
    store = PostgresStore(module_database, pool_size=10)
    yield store
    store.close()


def touch(store: PostgresStore, ident: UUID) -> int:
    with store.transaction() as tables:
        tables.touch(ident)
        return tables.revision(ident)


def test_a_revision_grows_and_is_never_one_that_was(store: PostgresStore) -> None:
    ident = uuid7()
    with store.reading() as tables:
        never = tables.revision(ident)
    first, second = touch(store, ident), touch(store, ident)
    assert never < first < second
    with store.pool.connection() as connection:
        connection.execute("UPDATE revisions SET at = at - interval '31 days'")
    with store.reading() as tables:
        assert tables.forget_revisions(10) == 1
        assert tables.revisions([ident, uuid7()]) == [never, never]
    assert touch(store, ident) > second


def test_changes_at_the_same_moment_are_all_counted(store: PostgresStore) -> None:
    ident = uuid7()
    first = touch(store, ident)
    with ThreadPoolExecutor(8) as hands:
        list(hands.map(lambda _: touch(store, ident), range(40)))
    with store.reading() as tables:
        assert tables.revision(ident) == first + 40


def test_who_waits_is_woken_and_so_is_the_worker(store: PostgresStore) -> None:
    ident = uuid7()
    with store.watch_revision(ident) as watch, store.watch_all() as all_of_it, store.watch_revision(uuid7()) as other:
        for each in (watch, all_of_it, other):
            each.listen()
        touch(store, ident)
        assert watch.wait(10)
        assert all_of_it.wait(10)
        assert not other.wait(0)


def test_who_waits_is_woken_though_nobody_could_be_heard(store: PostgresStore) -> None:
    ident = uuid7()
    with store.watch_revision(ident) as watch, mock.patch.object(store.wakeups, "announce"):
        watch.listen()
        watch.seen = "not what it is now"
        touch(store, ident)
        store.wakeups._check()
        assert watch.wait(0)


def test_what_is_rolled_back_wakes_nobody(store: PostgresStore) -> None:
    ident = uuid7()
    with suppress(KeyError), store.transaction() as tables:
        tables.touch(ident)
        raise KeyError
    with store.reading() as tables:
        never, same = tables.revisions([uuid7(), ident])
    assert never == same


def test_what_has_no_revision_has_another_after_as_long_as_one_is_kept(store: PostgresStore) -> None:
    """Or a client that asked before a change that is forgotten would be told that nothing changed."""
    span = revisions.KEPT_DAYS * 24 * 60 * 60
    before = int(time.time() // span)
    with store.reading() as tables:
        assert before <= tables.revision(uuid7()) <= int(time.time() // span)
