"""What is asked of each node of a cluster by itself, so that one that is lost is missed for its own games alone.

A function that is given the id of any game is carried out by the node that has its shard; there it reads the shards of
its own node as the tables that they are.
"""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

import psycopg
from psycopg.pq import TransactionStatus
from psycopg.sql import SQL, Composable

from holmgang import logs

from .rows import Query, Rows


def shards_here(table: str) -> Composable:
    """In a function: the shards of a table on the node that carries it out."""
    return SQL("""
        SELECT shard_name(s.logicalrelid, s.shardid)::regclass
        FROM pg_dist_shard s
        JOIN pg_dist_placement p USING (shardid)
        JOIN pg_dist_local_group USING (groupid)
        WHERE s.logicalrelid = {table}::regclass
    """).format(table=table)


# A node with few shards may be missed now and then.
_A_GAME_OF_EACH = Query(
    UUID,
    """
    WITH tried AS MATERIALIZED (
        SELECT gen_random_uuid() AS game
        FROM generate_series(1, 8 * (SELECT count(*) FROM pg_dist_shard WHERE logicalrelid = 'games'::regclass))
    )
    SELECT DISTINCT ON (p.groupid) game
    FROM tried
    JOIN pg_dist_placement p ON p.shardid = get_shard_id_for_distribution_column('games', game)
    ORDER BY p.groupid
    """,
)
_log = logs.get_logger("holmgang.store")


class Nodes(Rows):
    def a_game_of_each(self) -> list[UUID]:
        """An id for each node, of a game that would lie there. Not in a transaction: there a function that is given it
        is carried out by the coordinator, which has no shards."""
        assert self._connection.info.transaction_status == TransactionStatus.IDLE
        return self.all(_A_GAME_OF_EACH)

    def on_each_node(self, do: Callable[[UUID], int]) -> int:
        """Call `do` with a game of each node, whether or not others fail; the sum of what it returned. Not in a
        transaction."""
        done = 0
        for game in self.a_game_of_each():
            try:
                done += do(game)
            except psycopg.Error as fault:
                if self._connection.broken:
                    raise
                _log.warning("the games of a node cannot be reached", fault=str(fault))
        return done
