"""Games that the service makes for players who have agreed: all sit, and it starts at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from uuid_utils.compat import uuid7

from holmgang.app.access import game_by_id
from holmgang.app.accounts.players import register
from holmgang.app.errors import InvalidField, InvalidOptionRefusal, NotFound
from holmgang.app.games.creation import made
from holmgang.app.records.terms import Terms
from holmgang.store.database import PostgresStore
from tests.integration.tables import Table


@pytest.fixture
def store(module_database: str) -> Iterator[PostgresStore]:
    store = PostgresStore(module_database, pool_size=10)
    yield store
    store.close()


def made_players(store: PostgresStore, number: int) -> dict[UUID, str]:
    """Players and their tokens."""
    with store.transaction() as tables:
        found = [register(tables, "player") for _ in range(number)]
    return {player.id: secret for player, _, secret in found}


@pytest.mark.parametrize("bots", [(), ("random",), ("greedy", "greedy")])
def test_all_sit_where_they_were_put_and_play_to_the_end(store: PostgresStore, bots: tuple[str, ...]) -> None:
    players = made_players(store, 4 - len(bots))
    with store.transaction() as tables:
        terms = Terms(ruleset="claim", turn_seconds=600, absence="forfeit", rated=True)
        ident = made(tables, terms, [*players, *bots])
        game = game_by_id(tables, ident)
    assert (game.status, game.turn, game.rated, game.clock) == ("active", 1, True, "runs")
    assert [holder.bot for holder in game.holders] == [None] * len(players) + list(bots)
    assert [holder.player for holder in game.holders if holder.bot is None] == list(players)
    assert game.creator == next(iter(players))
    if not bots:
        table = Table(store, ident, list(players.values()), [])
        table.play()
        assert table.row().status == "over"


@pytest.mark.parametrize(
    ("terms", "pointer"),
    [
        ({"ruleset": "chess"}, "/ruleset"),
        ({"ruleset": "eketorp"}, "/seats"),
        ({"options": {"nothing": 1}}, "/options/nothing"),
        ({"rated": True}, "/turn_seconds"),
        ({"clock": "runs"}, "/clock"),
        ({"rated": True, "turn_seconds": 60, "clock": "waits"}, "/clock"),
        ({"absence": "bot:nobody"}, "/absence"),
    ],
)
def test_terms_that_do_not_hold_any_more_make_no_game(
    store: PostgresStore, terms: dict[str, Any], pointer: str
) -> None:
    players = made_players(store, 2)
    with pytest.raises((InvalidField, InvalidOptionRefusal)) as refused, store.transaction() as tables:
        made(tables, Terms(**({"ruleset": "claim"} | terms)), list(players))
    assert refused.value.extra["pointer"] == pointer
    with store.reading() as tables:
        found = tables.games(
            status=None, ruleset=None, player=next(iter(players)), open_seats=None, before=None, limit=9
        )
    assert found == []


def test_players_who_are_gone_get_no_game(store: PostgresStore) -> None:
    with pytest.raises(NotFound), store.transaction() as tables:
        made(tables, Terms(ruleset="claim"), [*made_players(store, 1), uuid7()])
