"""C6 and C7 through the application: whoever gives up is played for, in any order with sealed choices."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from holmgang.app.errors import GameNotActive, NotAwaited
from holmgang.app.play import resignation
from holmgang.store.database import PostgresStore
from tests.integration.tables import Table, new_game, seat_players
from tests.integration.test_submissions import HOME, ONE_ON_A, feed_is_gapless, log_replays


@pytest.fixture
def store(database: str) -> Iterator[PostgresStore]:
    store = PostgresStore(database, pool_size=4)
    yield store
    store.close()


def resign(table: Table, seat: int) -> tuple[int, bool]:
    with table.store.reading() as tables:
        return resignation.resign(tables, table.secrets[seat], table.game)


def test_c6_the_last_to_choose_resigns_and_the_turn_resolves(store: PostgresStore) -> None:
    table = seat_players(store, 4)
    for seat in range(3):
        table.submit(seat, ONE_ON_A)
    assert resign(table, 3) == (3, True)
    assert table.row().turn == 2
    assert resign(table, 3) == (3, False), "to resign again changes nothing"
    log_replays(table)
    table.play()
    log_replays(table)
    feed_is_gapless(table)


def test_c6_a_sealed_choice_stands_when_its_seat_resigns(store: PostgresStore) -> None:
    table = seat_players(store, 4)
    table.submit(1, ONE_ON_A)
    table.submit(0, HOME)
    resign(table, 1)
    assert table.row().turn == 1
    assert table.position().awaited() == (2, 3)
    with pytest.raises(NotAwaited):
        table.submit(1, HOME)
    log_replays(table)
    table.submit(2, HOME)
    table.submit(3, HOME)
    log_replays(table)
    with store.reading() as tables:
        feed = [json.loads(bytes(e.payload)) for e in tables.events(table.game, None, 0, 1000)]
    placed = {e["seat"]: e["fields"] for e in feed if e["type"] == "vikings_placed"}
    assert placed == {0: {}, 1: {"A": 1}, 2: {}, 3: {}}


def test_c6_others_sealed_choices_survive_a_resignation(store: PostgresStore) -> None:
    table = seat_players(store, 4)
    first = table.submit(0, ONE_ON_A)
    resign(table, 2)
    assert table.submit(0, ONE_ON_A) == first
    table.submit(1, HOME)
    table.submit(3, HOME)
    assert table.row().turn == 2 or table.row().kind != "placement"
    log_replays(table)


def test_c7_the_last_one_left_has_won(store: PostgresStore) -> None:
    table = seat_players(store, 3)
    table.play(turns=5)
    resign(table, 0)
    resign(table, 2)
    row = table.row()
    assert row.status == "over"
    with table.store.reading() as tables:
        game = tables.game(table.game)
    assert game is not None
    assert game.result is not None
    assert game.result.winners == [1]
    assert game.result.reason == "last_seat"
    log_replays(table)
    with pytest.raises(GameNotActive):
        resign(table, 1)


@pytest.mark.parametrize("seed", range(6))
def test_c6_resignations_at_random_moments_keep_log_and_snapshot_together(store: PostgresStore, seed: int) -> None:
    table = seat_players(store, 5)
    table.rng.seed(seed)
    for _ in range(2):
        table.play(turns=table.rng.randrange(40))
        awaited = table.position().awaited()
        for seat in awaited[: table.rng.randrange(len(awaited) + 1) - 1]:
            table.submit(seat)
        if table.row().status == "active":
            resign(table, table.rng.randrange(5))
        log_replays(table)
    table.play()
    assert table.row().status == "over"
    log_replays(table)
    feed_is_gapless(table)


def test_c6_a_sealed_choice_repeated_after_resigning_answers_its_receipt(store: PostgresStore) -> None:
    table = seat_players(store, 4)
    receipt = table.submit(1, ONE_ON_A)
    resign(table, 1)
    assert table.submit(1, ONE_ON_A) == receipt


def test_nobody_resigns_from_an_open_game(store: PostgresStore) -> None:
    full = seat_players(store, 3)
    with store.transaction() as tables:
        game = new_game(tables, full.callers[0], ruleset="eketorp", seats=3, options={}).id
    waiting = Table(store, game, full.secrets, full.callers)
    with pytest.raises(GameNotActive):
        resign(waiting, 0)


@pytest.mark.parametrize(("ruleset", "seats"), [("eketorp", 3), ("drakkars", 2), ("drakkars", 4)])
@pytest.mark.parametrize("before", [0, 1])
def test_c7_no_combat_is_open_when_the_game_is_over(
    store: PostgresStore, ruleset: str, seats: int, before: int
) -> None:
    """Seats give up one after another in the middle of a fight, some choices of which may be in."""
    for _ in range(30):  # not in every random game do ships meet, and whoever has no cards chooses none
        table = seat_players(store, seats, ruleset=ruleset)
        table.play(until="battle_card")
        if table.row().status == "active" and len(table.position().awaited()) > before:
            break
    for seat in table.position().awaited()[:before]:
        table.submit(seat)
    with store.reading() as tables:
        fought = tables.combats(table.game, 0, 1000)
    assert fought[-1].status == "open"
    while table.row().status != "over":
        resign(table, table.position().awaited()[0])
    with store.reading() as tables:
        fought = tables.combats(table.game, 0, 1000)
    assert {combat.status for combat in fought} <= {"resolved", "abandoned"}
    for combat in fought:
        assert json.loads(bytes(combat.record))["status"] == combat.status
        assert (combat.resolved_at is None) == (combat.status == "abandoned")
    log_replays(table)
