"""Arenas and ladders over the real store: people come and go, meet, and stand as their games went."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import psycopg
import pytest

from holmgang.app.errors import InvalidField
from holmgang.app.records.tournaments import Kind, Line
from holmgang.app.tournaments.endless import AGAIN
from holmgang.store.database import PostgresStore
from holmgang.tournaments.endless import REMEMBERED, arena_points
from holmgang.worker.loop import Worker
from tests.integration.tournaments import Event, made


@pytest.fixture(scope="module")
def store(module_database: str) -> Iterator[PostgresStore]:
    store = PostgresStore(module_database, pool_size=10)
    yield store
    store.close()


@pytest.fixture(scope="module")
def rows(module_database: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(module_database, autocommit=True) as connection:
        yield connection


def later(rows: psycopg.Connection, event: Event, seconds: float) -> None:
    """As if everybody had waited so much longer, and the tournament had begun so much earlier."""
    for column, table, key in (
        ("free_since", "tournament_contenders", "tournament_id"),
        ("started_at", "tournaments", "id"),
        ("due_at", "tournaments", "id"),
    ):
        rows.execute(
            f"UPDATE {table} SET {column} = {column} - make_interval(secs => %s) WHERE {key} = %s",
            (seconds, event.ident),
        )


def settle(event: Event) -> None:
    """All that a worker does without anything else happening."""
    while event.count() or event.advance():
        pass


def play(event: Event) -> None:
    """The games that are under way, to their end."""
    for game in event.open_games():
        event.end(game)
    settle(event)


def lines(event: Event) -> dict[UUID, Line]:
    return {line.entry.id: line for line in event.standings()}


def playing(event: Event) -> list[UUID]:
    """Who sits at a table that is not counted."""
    return [entry for table in event.tables() if table.counted is None for entry in table.players]


def begun(store: PostgresStore, people: int, kind: Kind = "arena", **plan: Any) -> Event:
    if kind == "arena":
        plan = {"seconds": 3600, **plan}
    event = made(store, people, kind, **plan)
    event.begin()
    settle(event)
    return event


def told(event: Event) -> dict[UUID, float]:
    """The points of an arena by what its tables came to, in the order in which they were counted."""
    points, streaks = defaultdict[UUID, float](float), defaultdict[UUID, int](int)
    for table in sorted((one for one in event.tables() if one.counted), key=lambda one: one.counted or 0):
        for entry, share in zip(table.players, table.points, strict=True):
            more, streaks[entry] = arena_points(share, streaks[entry])
            points[entry] += more
    return points


@pytest.mark.parametrize(("people", "seats"), [(6, 2), (8, 3)])
def test_an_arena_pairs_who_is_free_and_counts_by_its_rule(
    store: PostgresStore, rows: psycopg.Connection, people: int, seats: int
) -> None:
    event = begun(store, people, seats=seats)
    for _ in range(5):
        assert sorted(playing(event)) == sorted(set(playing(event))), "nobody is at two tables"
        assert len(playing(event)) >= people - people % 2 - (seats == 3)
        play(event)
        later(rows, event, AGAIN.total_seconds() + 1)
        settle(event)
    later(rows, event, 3600)
    settle(event)
    assert event.read().status == "active", "its last games are played to the end"
    play(event)
    assert event.read().status == "over"
    assert playing(event) == []
    standings, points = event.standings(), told(event)
    assert {line.entry.id: line.points for line in standings} == {
        line.entry.id: points[line.entry.id] for line in standings
    }
    assert [line.points for line in standings] == sorted(points.values(), reverse=True)
    assert max(points.values()) > 2
    assert all(round_.ended_at is not None for round_ in event.rounds())
    assert event.faults() == []


def test_two_who_have_just_met_wait_for_others_and_then_meet_again(
    store: PostgresStore, rows: psycopg.Connection
) -> None:
    event = begun(store, 2)
    assert len(playing(event)) == 2
    play(event)
    assert playing(event) == []
    later(rows, event, 2)
    settle(event)
    assert playing(event) == []
    later(rows, event, AGAIN.total_seconds())
    settle(event)
    assert len(playing(event)) == 2


def test_people_come_and_go_while_it_is_open(store: PostgresStore, rows: psycopg.Connection) -> None:
    event = begun(store, 3)
    (alone,) = {entry.id for entry in event.entries()} - set(playing(event))
    one, two = playing(event)
    event.leave(one)
    settle(event)
    event.join(one)
    settle(event)
    assert sorted(playing(event)) == sorted([one, two]), "who comes back still has a game to play"
    event.leave(two)
    play(event)
    assert sorted(playing(event)) == sorted([alone, one]), "who has left is not paired"
    play(event)
    event.join(two)
    settle(event)
    assert two in playing(event)


def test_who_does_not_turn_up_is_not_paired_until_they_come_back(
    store: PostgresStore, rows: psycopg.Connection
) -> None:
    event = begun(store, 2)
    both = sorted(playing(event))
    (game,) = event.open_games()
    event.stay_away(game)
    settle(event)
    (absent,) = [entry for entry in event.entries() if entry.out == "absent"]
    there = next(entry for entry in both if entry != absent.id)
    assert (lines(event)[there].points, lines(event)[absent.id].points) == (2, 0)
    later(rows, event, AGAIN.total_seconds() + 1)
    settle(event)
    assert playing(event) == []
    event.join(absent.id)
    settle(event)
    later(rows, event, AGAIN.total_seconds() + 1)
    settle(event)
    assert sorted(playing(event)) == both


def test_a_game_that_is_gone_frees_its_players_and_counts_for_nothing(
    store: PostgresStore, rows: psycopg.Connection
) -> None:
    event = begun(store, 2)
    (game,) = event.open_games()
    rows.execute("UPDATE games SET status = 'archived' WHERE id = %s", (game,))
    settle(event)
    assert playing(event) == []
    assert [(line.points, line.tie_breaks["games"]) for line in event.standings()] == [(0, 0), (0, 0)]
    later(rows, event, AGAIN.total_seconds() + 1)
    settle(event)
    assert len(playing(event)) == 2


def test_a_ladder_ranks_by_strength_and_goes_on(store: PostgresStore, rows: psycopg.Connection) -> None:
    event = begun(store, 4, "ladder")
    best = next(entry.id for entry in event.entries())
    for _ in range(12):
        for game in event.open_games():
            with store.reading() as tables:
                found = tables.game(game)
            assert found is not None
            losers = [holder.player for holder in found.holders if holder.player != best]
            event.resign(losers[0], game)
        settle(event)
        later(rows, event, AGAIN.total_seconds() + 1)
        settle(event)
    standing = event.standings()
    assert (standing[0].entry.id, standing[0].rank) == (best, 1)
    assert standing[0].tie_breaks["wins"] == standing[0].tie_breaks["games"] >= 11
    assert [line.points for line in standing] == sorted((line.points for line in standing), reverse=True)
    with store.reading() as tables:
        assert {len(one.tables) for one in tables.contenders(event.ident)} == {REMEMBERED}
    assert event.read().status == "active"


def test_built_in_bots_are_company_for_players_and_never_play_among_themselves(
    store: PostgresStore, rows: psycopg.Connection
) -> None:
    """Or a ladder without anybody would go on for weeks, and fill the database."""
    event = begun(store, 2, "ladder", bots=("random", "greedy"), fill_to=6)
    bots = {entry.id for entry in event.entries() if entry.bot}
    one, two = (entry.id for entry in event.entries() if not entry.bot)
    for _ in range(4):
        play(event)
        later(rows, event, AGAIN.total_seconds() + 1)
        settle(event)
    assert {one, two} <= set(playing(event))
    assert not [table for table in event.tables() if bots.issuperset(table.players)]
    assert len({entry for table in event.tables() for entry in table.players}) > 3, "they meet several"
    event.leave(one)
    event.leave(two)
    play(event)
    paired = event.read().round
    later(rows, event, AGAIN.total_seconds() + 1)
    settle(event)
    assert (playing(event), event.read().round) == ([], paired)
    assert rows.execute("SELECT due_at FROM tournaments WHERE id = %s", [event.ident]).fetchone() == (None,)
    event.join(one)
    settle(event)
    assert one in playing(event), "there is company as soon as somebody is back"
    assert event.faults() == []


def test_it_begins_with_nobody_and_a_worker_lets_bots_meet_who_comes(store: PostgresStore) -> None:
    event = made(store, 1, "ladder", bots=("random", "greedy"), fill_to=3)
    (player,) = (entry.id for entry in event.entries())
    event.leave(player)
    event.begin()
    worker = Worker(store, random.Random(1))
    for _ in range(5):
        worker.work()
    assert event.rounds() == []
    event.join(player)
    for _ in range(300):
        for game in event.open_games():
            event.resign(player, game)
        if sum(line.tie_breaks["games"] for line in event.standings()) >= 4:
            break
        worker.work()
    assert sum(line.tie_breaks["games"] for line in event.standings()) >= 4
    nobody = made(store, 0, "arena", seconds=60)
    nobody.begin()
    settle(nobody)
    assert (nobody.read().status, nobody.rounds(), nobody.standings()) == ("active", [], [])


@pytest.mark.parametrize(
    ("kind", "plan", "pointer"),
    [
        ("arena", {}, "/seconds"),
        ("ladder", {"seconds": 60}, "/seconds"),
        ("arena", {"seconds": 60, "rounds": 3}, "/rounds"),
        ("ladder", {"games": 2}, "/games"),
    ],
)
def test_what_makes_no_sense_without_rounds_is_refused(
    store: PostgresStore, kind: Kind, plan: dict[str, Any], pointer: str
) -> None:
    with pytest.raises(InvalidField) as refusal:
        made(store, 0, kind, **plan)
    assert refusal.value.extra["pointer"] == pointer
