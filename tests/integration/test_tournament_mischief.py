"""Whatever happens between the steps of a tournament, it ends, and everything in it is as it had to be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holmgang.app.records.tournaments import Kind
from holmgang.app.tournaments import progress
from holmgang.store.database import PostgresStore
from tests.integration.tournaments import Event, made

WHAT = ("advance", "killed", "lost", "count", "killed counting", "end", "stay away", "leave", "return", "void", "gone")


class _Killed(Exception):
    pass


@pytest.fixture(scope="module")
def store(module_database: str) -> Iterator[PostgresStore]:
    store = PostgresStore(module_database, pool_size=4)
    yield store
    store.close()


def happen(event: Event, what: str, at: int) -> None:
    """One thing happens, at whatever there is of that number."""
    games, people = event.open_games(), [entry for entry in event.entries() if entry.bot is None]
    game = games[at % len(games)] if games else None
    person = people[at % len(people)].player
    if what == "advance":
        event.advance()
    elif what == "killed":
        with suppress(_Killed), event.store.transaction() as tables:
            progress.advance(tables, event.ident)
            raise _Killed
    elif what == "lost":  # the worker is killed that computes a pairing, and its claim expires
        with event.store.transaction() as tables:
            progress.advance(tables, event.ident)
        event.sql(
            "UPDATE tournaments SET due_at = clock_timestamp() WHERE id = %s AND due_at > clock_timestamp()",
            event.ident,
        )
    elif what == "count":
        event.count()
    elif what == "killed counting":
        with event.store.reading() as tables:
            found = [one for one in progress.to_count(tables, 1000) if one.tournament == event.ident]
        for one in found[:1]:
            with suppress(_Killed), event.store.transaction() as tables:
                progress.count(tables, one)
                raise _Killed
    elif what == "leave":
        event.leave(person)
    elif what == "return" and event.read().status == "active":
        event.join(person)
    elif game is not None and what == "end":
        event.end(game)
    elif game is not None and what == "stay away":
        event.stay_away(game)
    elif game is not None and what == "void":
        event.sql("UPDATE games SET status = 'archived', deadline = NULL WHERE id = %s AND status = 'active'", game)
    elif game is not None and what == "gone":
        event.sql("DELETE FROM games WHERE id = %s", game)


@pytest.mark.plain_postgres("rows of games are changed behind the coordinator's back")
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    kind=st.sampled_from(("swiss", "round-robin", "knock-out")),
    people=st.integers(2, 6),
    seats=st.integers(2, 4),
    plan=st.fixed_dictionaries({"games": st.integers(1, 2)}, optional={"rounds": st.integers(1, 3)}),
    bots=st.integers(0, 2),
    script=st.lists(st.tuples(st.sampled_from(WHAT), st.integers(0, 30)), max_size=30),
)
def test_it_ends_as_it_had_to(
    store: PostgresStore,
    kind: Kind,
    people: int,
    seats: int,
    plan: dict[str, Any],
    bots: int,
    script: list[tuple[str, int]],
) -> None:
    if bots:
        plan = {**plan, "bots": ("random",), "fill_to": people + bots}
    if seats == 4 and kind == "knock-out":
        seats = 3  # four play in pairs
    event = made(store, people, kind, seats=seats, **plan)
    event.begin()
    for what, at in script:
        happen(event, what, at)
    event.play()
    assert event.read().status == "over"
    assert event.faults() == []
    tables, rounds, entries = event.tables(), event.rounds(), event.entries()
    for each in rounds:
        there = Counter(
            [*each.byes, *(player for table in tables if table.round == each.round for player in table.players)]
        )
        assert there == Counter(each.present), "everybody who was there is at one table, or sits out"
    games = [game.game for table in tables for game in table.games if game.game is not None]
    assert len(games) == len(set(games))
    assert sorted(table.counted for table in tables if table.counted) == list(range(1, len(tables) + 1))
    lines = event.standings()
    assert sorted(line.entry.id for line in lines) == sorted(entry.id for entry in entries)
    assert [line.rank for line in lines] == sorted(line.rank for line in lines)
