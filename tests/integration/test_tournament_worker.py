"""The worker's part in tournaments: long pairings hold up nobody, and what fails is left alone."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from holmgang.app.tournaments import progress
from holmgang.app.tournaments.progress import Wanted
from holmgang.store.database import PostgresStore
from holmgang.tournaments.meetings import Pairing
from holmgang.worker import tournaments
from holmgang.worker.tournaments import Tournaments
from tests.integration.tournaments import Event, made
from tests.waiting import wait_until


@pytest.fixture
def store(module_database: str) -> Iterator[PostgresStore]:
    store = PostgresStore(module_database, pool_size=4)
    yield store
    store.close()


def all_paired(event: Event) -> bool:
    return event.read().round == 1


def test_a_pairing_that_takes_long_holds_up_nobody(store: PostgresStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournaments, "PATIENCE_SECONDS", 0)
    let_on, paired = threading.Event(), Wanted.paired

    def slow(wanted: Wanted) -> Pairing | None:
        if wanted.tournament == event.ident:
            let_on.wait(30)
        return paired(wanted)

    monkeypatch.setattr(Wanted, "paired", slow)
    event, other = made(store, 4), made(store, 4)
    event.begin()
    worker, second = Tournaments(store), Tournaments(store)
    while event.read().round == 0 and worker():
        pass
    assert not second(), "it is left to the worker that computes it"
    with store.transaction() as tables:
        assert tables.lock_tournament(event.ident, skip=True) is not None, "nothing is held meanwhile"
    other.begin()

    def others_go_on() -> bool:
        worker()
        return all_paired(other)

    wait_until(others_go_on, "the other is paired")
    assert event.read().round == 0
    let_on.set()

    def goes_on() -> bool:
        worker()
        return all_paired(event)

    wait_until(goes_on, "it is paired")
    assert event.faults() == []


def test_a_tournament_that_fails_holds_up_no_other(store: PostgresStore, monkeypatch: pytest.MonkeyPatch) -> None:
    event, other = made(store, 2), made(store, 2)
    advance = progress.advance
    tried = []

    def failing(tables: progress.ProgressTables, ident: object) -> Wanted | bool:
        if ident == event.ident:
            tried.append(ident)
            raise ZeroDivisionError
        return advance(tables, ident)  # type: ignore[arg-type]

    monkeypatch.setattr(progress, "advance", failing)
    event.begin()
    other.begin()
    worker = Tournaments(store)

    def plays() -> bool:
        worker()
        return bool(other.open_games())

    wait_until(plays, "the other is played")
    assert len(tried) == 1, "it is left alone for a while"


def test_whoever_waits_hears_of_each_step(store: PostgresStore) -> None:
    before = 0

    def heard() -> bool:
        nonlocal before
        with store.reading() as tables:
            now = tables.revision(event.ident)
        before, news = now, now > before
        return news

    event = made(store, 2, rounds=1)
    assert heard()
    event.begin()
    assert heard()
    assert event.advance()
    assert heard(), "it is paired"
    assert event.advance()
    assert heard(), "its games begin"
    event.end(event.open_games()[0])
    assert not heard()
    assert event.count()
    assert heard()
    event.play()
    assert heard(), "it is over"
