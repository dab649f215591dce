"""Everybody races for everything while processes are killed, for ten minutes, and the history is clean.

Several hands at each seat choose, replace and repeat at the same time; games are made three times under one key, and
seated by more than there is room for; whoever can look on does. Meanwhile the API's processes, the worker, Postgres and
all of them are killed in turn. RACING_SECONDS makes it shorter or longer; where a law is broken the history is kept.
"""

from __future__ import annotations

import itertools
import os
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from holmgang.store.embedded import EmbeddedPostgres
from tests.e2e.running import Running
from tests.e2e.test_faults import FAST, end_postgres, kill_one
from tests.histories import checking, counters
from tests.histories.history import History
from tests.histories.racers import Match, at_table, new_match
from tests.waiting import STARTED_S, wait_until

SECONDS = float(os.environ.get("RACING_SECONDS", "600"))
TABLES = 4
FAULT_EVERY = 20.0
END_SECONDS = 600.0
"""How long after the time no game may have ended yet, on a machine that does much else."""
SETTLE_SECONDS = 5.0
"""How long after a fault clients may still be answered late: connections are made anew, bots' claims run out."""
EXPECTED = {
    "already_submitted", "busy", "database_unavailable", "game_full", "game_not_active", "idempotency_in_flight",
    "not_awaited", "revision_conflict", "seat_taken", "stale_turn", "too_many_requests",
}  # fmt: skip
"""What a race explains. Anything else is a fault of the service or of the racers."""

pytestmark = [pytest.mark.slow, pytest.mark.timeout(SECONDS + END_SECONDS + 900)]


PLENTY = {
    name: str(10**9) for name in ("RATE_LIMIT", "RATE_LIMIT_POLLS", "RATE_LIMIT_MOVES", "RATE_LIMIT_REGISTRATIONS")
}


@pytest.fixture
def running(open_folder: Path, free_port: int) -> Iterator[Running]:
    service = Running(open_folder, free_port, settings=PLENTY)
    yield service
    if service.process is not None and service.process.poll() is None:
        service.kill(database=True)


class Arena:
    """Tables at which games follow one another, until it is told to stop."""

    def __init__(self, running: Running) -> None:
        self.running, self.history, self.stop = running, History(), threading.Event()
        self.matches: list[Match] = []
        self.faults: list[BaseException] = []
        self._numbers = itertools.count()
        self._tables = [threading.Thread(target=self._table, daemon=True) for _ in range(TABLES)]

    def open(self) -> None:
        for table in self._tables:
            table.start()

    def close(self) -> None:
        self.stop.set()
        for table in self._tables:
            table.join(120)
            assert not table.is_alive()

    def over(self) -> int:
        """How many games have ended."""
        return sum(match.over.is_set() for match in self.matches)

    def _table(self) -> None:
        try:
            while not self.stop.is_set():
                number = next(self._numbers)
                match = new_match(self.running.url, self.history, self.stop, number, random.Random(number))
                if match is None:
                    return
                self.matches.append(match)
                people = at_table(self.running.url, self.history, self.stop, match)
                for person in people:
                    person.start()
                for person in people:
                    person.join()
                self.faults += [person.fault for person in people if person.fault is not None]
        except BaseException as fault:
            self.faults.append(fault)
            raise

    def disturb(self, fault: Callable[[], None]) -> None:
        began = time.monotonic()
        fault()
        wait_until(self.running.ready, "the service answers again", STARTED_S)
        self.history.faults.append((began, time.monotonic() + SETTLE_SECONDS))


def all_at_once(running: Running) -> None:
    running.kill(database=True)
    running.start()


def race(running: Running, faults: list[Callable[[], None]]) -> Arena:
    """Everybody races while one fault follows another, until a game is over too; then the service is stopped."""
    running.start()
    arena = Arena(running)
    arena.open()
    ends = time.monotonic() + SECONDS
    for fault in itertools.cycle(faults):
        if arena.stop.wait(min(FAULT_EVERY, max(0.0, ends - time.monotonic()))) or time.monotonic() >= ends:
            break
        arena.disturb(fault)
    wait_until(lambda: arena.over() or arena.faults, "a game is over", END_SECONDS)
    arena.close()
    assert running.stop() == 0
    return arena


def judge(arena: Arena, database: str, folder: Path) -> None:
    """Every law holds of what was answered and of what is in the database; else the history is left in `folder`."""
    history = arena.history
    with psycopg.connect(database) as rows:
        kept, disagreements = counters.kept_choices(rows), counters.disagreements(rows)
    broken = counters.broken_games(database, [match.game for match in arena.matches])
    people = {match.game for match in arena.matches}
    laws = {
        "choices_exactly_once": checking.choices_exactly_once(history, [row for row in kept if row.game in people]),
        "never_back": checking.never_back(history),
        "no_stale_304": checking.no_stale_304(history),
        "asked_once": checking.asked_once(history),
        "no_lost_wakeup": checking.no_lost_wakeup(history),
        "only_expected": checking.only_expected(history, EXPECTED),
        "same_key_same_game": checking.same_key_same_game(history),
        "seats_taken_once": checking.seats_taken_once(history),
    }
    breaches = {law: found for law, breach in laws.items() if (found := list(breach))}
    statuses = Counter(call.status for call in history.calls)
    told = f"{len(history.calls)} calls {dict(statuses)}, {len(kept)} choices, {len(history.faults)} faults"
    print(f"{told}, {arena.over()} of {len(people)} games over in {SECONDS:.0f} s")
    if breaches or broken or disagreements:
        history.write(Path(os.environ.get("RACING_HISTORY", str(folder / "history.jsonl"))))
    assert arena.faults == []
    assert {law: (len(found), found[:3]) for law, found in breaches.items()} == {}
    assert disagreements == []
    assert broken == []
    assert arena.over() > 0
    assert statuses[201] > SECONDS, "too little was raced for"


def test_the_history_of_a_race_is_clean(running: Running, tmp_path: Path) -> None:
    faults: list[Callable[[], None]] = [
        lambda: kill_one(running, "api"),
        lambda: kill_one(running, "worker"),
        lambda: end_postgres(running, FAST),
        lambda: kill_one(running, "server"),
        lambda: all_at_once(running),
    ]
    arena = race(running, faults)
    with EmbeddedPostgres(running.folder) as postgres:
        judge(arena, postgres.url, tmp_path)
