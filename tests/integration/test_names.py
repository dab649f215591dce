"""Names that look alike, given at the same moment."""

from __future__ import annotations

import threading

from holmgang.app.accounts.players import register
from holmgang.app.errors import InvalidField
from holmgang.store.database import PostgresStore

ALIKE = ("ACE", "АСЕ", "ᎪᏟᎬ", "ACΕ")


def test_of_names_that_look_alike_one_is_given_however_many_race(database: str) -> None:
    store = PostgresStore(database, pool_size=8)
    for n in range(10):
        start = threading.Barrier(2 * len(ALIKE))
        given: list[str] = []

        def race(name: str, start: threading.Barrier = start, given: list[str] = given) -> None:
            start.wait()
            try:
                with store.transaction() as tables:
                    register(tables, name)
            except InvalidField:
                return
            given.append(name)

        threads = [threading.Thread(target=race, args=(f"{name} {n}",)) for name in ALIKE * 2]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(given) == 2, "both who gave the name that was first"
        assert len(set(given)) == 1
    store.close()
