"""A deadline that passes while only bots and the absent wait: the clock stops, or it runs as among people, as the game
says."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest

from holmgang.worker.loop import Worker

from .calling import Api, Table, legal_action

BY_BOTS = {"choice_defaulted", "seat_absent"}


@pytest.fixture
def rows(module_database: str) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(module_database, autocommit=True) as connection:
        yield connection


def against_bots(api: Api, **terms: Any) -> Table:
    """Claim against a bot, up to a choice of seat 0."""
    table = api.table(2, ruleset="claim", taken=1, turn_seconds=5, **terms)
    api.call("POST", f"{table.path}/seats", token=table.token(0), json={"bot": "random"}, status=201)
    work(api)
    assert table.turn(0)["yours"]
    return table


def work(api: Api) -> None:
    worker = Worker(api.app.extensions["holmgang"].store, random.Random(3))
    while worker.work():
        pass


def pass_deadline(rows: psycopg.Connection[Any], table: Table) -> None:
    rows.execute("UPDATE games SET deadline = clock_timestamp() - interval '1 second' WHERE id = %s", [table.game])


def feed(table: Table) -> list[str]:
    return [e["payload"]["type"] for e in table.api.get(f"{table.path}/events?limit=200", table.token(0))["items"]]


def by_a_late_choice(table: Table) -> None:
    """Before the worker has looked."""


def by_the_worker(table: Table) -> None:
    work(table.api)


TOLD = pytest.mark.parametrize("look", [by_a_late_choice, by_the_worker])
RUNS: tuple[dict[str, Any], ...] = ({"clock": "runs"}, {"clock": "runs", "practice": True}, {"rated": True})


@TOLD
@pytest.mark.parametrize("terms", [{}, {"clock": "waits"}, {"practice": True}])
def test_a_clock_that_waits_takes_a_late_choice(
    api: Api, rows: psycopg.Connection[Any], terms: dict[str, Any], look: Callable[[Table], None]
) -> None:
    table = against_bots(api, **terms)
    turn = table.turn(0)
    assert turn["deadline"] is not None
    assert api.get(table.path)["clock"] == "waits"
    pass_deadline(rows, table)
    look(table)
    body = {"turn": turn["turn"], "action": legal_action(turn)}
    table.submit(0, body, status=201)
    assert "clock_stopped" in feed(table)
    assert "choice_defaulted" not in feed(table)
    assert api.get(table.path)["seats"][0]["absent_since"] is None
    work(api)
    assert table.turn(0)["deadline"] is not None, "the clock goes on"


@TOLD
@pytest.mark.parametrize("terms", RUNS)
def test_a_clock_that_runs_refuses_a_late_choice(
    api: Api, rows: psycopg.Connection[Any], terms: dict[str, Any], look: Callable[[Table], None]
) -> None:
    table = against_bots(api, **terms)
    turn = table.turn(0)
    assert api.get(table.path)["clock"] == "runs"
    pass_deadline(rows, table)
    look(table)
    body = {"turn": turn["turn"], "action": legal_action(turn)}
    problem = table.submit(0, body).get_json()
    assert problem["code"] in ("stale_turn", "game_not_active")
    assert set(feed(table)) >= BY_BOTS
    assert "clock_stopped" not in feed(table)
    assert api.get(table.path)["seats"][0]["absent_since"] is not None
    work(api)
    assert api.get(table.path)["status"] == "over", "as among people, it is played for who stays away"


def test_who_is_late_once_and_returns_plays_on(api: Api, rows: psycopg.Connection[Any]) -> None:
    """By the next choice that is theirs again: with the whole of the turn's time."""
    table = against_bots(api, clock="runs", practice=True)
    late = table.turn(0)
    pass_deadline(rows, table)
    assert table.submit(0, {"turn": late["turn"], "action": legal_action(late)}).get_json()["code"] == "stale_turn"
    api.call("POST", f"{table.path}/seats/0/return", token=table.token(0), json={}, status=200)
    for _ in range(200):
        work(api)
        turn = table.turn(0)
        if turn["status"] == "over":
            break
        assert turn["yours"]
        assert turn["deadline"] is not None
        table.submit(0, {"turn": turn["turn"], "action": legal_action(turn)}, status=201)
    assert api.get(table.path)["status"] == "over"
    assert feed(table).count("seat_absent") == 1
    record = api.get(f"{table.path}/record", table.token(0))
    assert "clock" not in record["terms"], "what the commitment binds is what it was"


@TOLD
def test_who_forfeits_by_absence_has_no_clock_that_waits(
    api: Api, rows: psycopg.Connection[Any], look: Callable[[Table], None]
) -> None:
    table = against_bots(api, absence="forfeit")
    turn = table.turn(0)
    pass_deadline(rows, table)
    look(table)
    body = {"turn": turn["turn"], "action": legal_action(turn)}
    assert table.submit(0, body).get_json()["code"] in ("stale_turn", "game_not_active")
    assert api.get(table.path)["status"] == "over"


def test_a_row_of_the_release_before_is_rated_and_its_clock_runs(api: Api, rows: psycopg.Connection[Any]) -> None:
    """It wrote rated games without the column, which says `waits` for them."""
    table = against_bots(api, rated=True)
    rows.execute("UPDATE games SET clock = DEFAULT WHERE id = %s", [table.game])
    assert api.get(table.path)["clock"] == "runs"
    pass_deadline(rows, table)
    work(api)
    assert "clock_stopped" not in feed(table)
