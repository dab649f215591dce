"""Where each statement of the store is carried out on a cluster: what is about one game at its shard, all else on the
coordinator, and what is in this list."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import psycopg
import pytest

from holmgang.store.database import PostgresStore
from holmgang.store.distributed import DistributedTables
from holmgang.store.wakeups import Wakeups

from .cluster import Cluster
from .statements import Found, place, reached

BY_PLAYERS = "a list of games: when somebody looks at it"
OF_A_PAGE = "the games of a page, by their ids: with each list"
CHORE = "a chore of the worker: a few times an hour"
PROFILE = "what a player has to show: when somebody looks at it"
INSERT_SELECT = "about one game: Citus reads at its shard, and writes there what it read"

NOT_AT_ONE_PLACE = {
    ("shards", "games._games"): BY_PLAYERS,
    ("shards", "games._finished"): BY_PLAYERS,
    ("shards", "games.SEATED_APART"): OF_A_PAGE,
    ("shards", "ratings.SELECT_CHANGES"): OF_A_PAGE,
    ("shards", "ratings._HISTORY"): PROFILE,
    ("shards", "ratings._EARLIER_HISTORY"): PROFILE,
    ("in parts", "profiles._MEETINGS"): PROFILE,
    ("shards", "profiles._HAS_SAT"): "who says anew whether they are a bot: before their first game",
    ("shards", "departures._UNFINISHED"): "what a deleted account was in the middle of: some times for each",
    ("in parts", "archive.UNTOUCHED"): CHORE,
    ("in parts", "clearing.EMPTY"): CHORE,
    ("shards", "callers._ON_A_NODE"): "callers of one node: who is woken, and every two seconds who has news",
    ("shards", "news._TAKE_NEWS"): "what webhooks are to be told of games of one node: where there is any",
    ("in parts", "changes.Changes.append_events"): INSERT_SELECT,
    ("in parts", "invitations.Invitations.add_invitation"): INSERT_SELECT,
    ("in parts", "ratings.Ratings.add_rating_changes"): INSERT_SELECT,
}
"""Why each is not, and how often it is asked. In parts are also those that ask all shards with a time of the
coordinator's clock."""


ON_THE_COORDINATOR = {"together._BOTH"}
"""At a shard, too, of a table that is Citus' own."""


@pytest.fixture(scope="module")
def rows(cluster: Cluster) -> Iterator[psycopg.Connection]:
    with cluster.distributed("statements") as url, psycopg.connect(url, autocommit=True) as connection:
        yield connection


@pytest.fixture(scope="module")
def every() -> list[Found]:
    found = reached(DistributedTables, Wakeups, PostgresStore)
    assert len({one.name for one in found}) > 100
    return found


def test_what_is_not_at_one_place_is_listed_with_its_reason(rows: psycopg.Connection, every: list[Found]) -> None:
    found = defaultdict(set)
    for statement in every:
        where = place(rows, statement.text)
        if where not in ("coordinator", "one shard"):
            found[where, statement.name].add(statement.text)
    assert set(found) == set(NOT_AT_ONE_PLACE)


def test_what_is_at_one_shard_says_which_game_it_is_about(rows: psycopg.Connection, every: list[Found]) -> None:
    """By this name, or it is refused while any node is away: see `away`."""
    listed = {name for _, name in NOT_AT_ONE_PLACE}
    nameless = [one for one in every if "%(game)s" not in one.text and "%(games)s" not in one.text]
    assert {one.name for one in nameless if place(rows, one.text) == "one shard"} - listed == ON_THE_COORDINATOR


def test_the_check_sees_where_a_statement_goes(rows: psycopg.Connection) -> None:
    for text, where in (
        ("SELECT FROM players WHERE id = %(player)s", "coordinator"),
        ("SELECT FROM games WHERE id = %(game)s", "one shard"),
        ("SELECT FROM games WHERE creator = %(player)s", "shards"),
        ("SELECT FROM seats s JOIN players p ON p.id = s.player_id WHERE s.game_id = %(game)s", "in parts"),
    ):
        assert place(rows, text) == where
    with pytest.raises(psycopg.errors.FeatureNotSupported):
        place(rows, "SELECT id FROM games WHERE creator = %(player)s FOR UPDATE SKIP LOCKED")
