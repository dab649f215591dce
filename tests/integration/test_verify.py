"""Records of games that the service itself has played and kept hold; every game and player count."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from holmgang.app.fairness.claims import read_record
from holmgang.app.fairness.verify import verify
from holmgang.app.play.resignation import resign
from holmgang.app.reading import queries
from holmgang.store.database import PostgresStore
from tests.integration.tables import Table, seat_players
from tests.unit.games import Setting, each_setting


@pytest.fixture(scope="module")
def store(module_database: str) -> Iterator[PostgresStore]:
    store = PostgresStore(module_database, pool_size=4)
    yield store
    store.close()


def resign_in_mid_turn(table: Table) -> None:
    """Some of those who are asked have sealed their choices when a seat gives up."""
    if table.row().status != "active":
        return
    awaited = table.position().awaited()
    for seat in awaited[: table.rng.randrange(len(awaited))]:
        table.submit(seat)
    with table.store.reading() as tables:
        resign(tables, table.secrets[table.rng.randrange(len(table.secrets))], table.game)


def record_of(table: Table) -> bytes:
    """What GET /v1/games/{id}/record answers."""
    with table.store.reading() as tables:
        return msgspec.json.encode(queries.record(tables, table.caller(0)))


@each_setting
def test_the_record_of_a_game_that_was_played_holds(store: PostgresStore, setting: Setting) -> None:
    options = setting.laws.options[-1]
    entropies = [None if seat % 3 == 0 else bytes([seat]) * (15 + seat) for seat in range(setting.seats)]
    table = seat_players(store, setting.seats, options, entropies, setting.ruleset)
    with store.reading() as tables:
        game = tables.game(table.game)
    assert game is not None
    for _ in range(setting.seats - 2):
        table.play(turns=table.rng.randrange(3, 12))
        resign_in_mid_turn(table)
    table.play()
    verdict = verify(
        read_record(record_of(table)),
        noted_commitment=game.commitment.hex(),
        noted_head=table.row().head.hex(),
    )
    assert verdict.difference is None
    assert verdict.holds
    assert (verdict.rows, verdict.draws) == (table.row().entries, table.row().draws)
