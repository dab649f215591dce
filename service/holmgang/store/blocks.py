"""Who wants nothing to do with whom."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from msgspec import Struct

from holmgang.app.records.players import Block

from .rows import Query, Rows


class _Pair(Struct):
    one: UUID
    other: UUID


_ADD = """
    INSERT INTO blocks (player_id, blocked_id)
    VALUES (%(player)s, %(blocked)s)
    ON CONFLICT DO NOTHING
"""
_BLOCKS = Query(
    Block,
    """
    SELECT b.blocked_id AS player, p.name, b.created_at
    FROM blocks b
    JOIN players p ON p.id = b.blocked_id
    WHERE b.player_id = %(player)s AND (%(after)s::uuid IS NULL OR b.blocked_id > %(after)s)
    ORDER BY b.blocked_id
    LIMIT %(limit)s
    """,
)
_BLOCK = Query(
    Block,
    """
    SELECT b.blocked_id AS player, p.name, b.created_at
    FROM blocks b
    JOIN players p ON p.id = b.blocked_id
    WHERE b.player_id = %(player)s AND b.blocked_id = %(blocked)s
    """,
)
_COUNT = Query(int, "SELECT count(*) FROM blocks WHERE player_id = %(player)s")
_AMONG = Query(
    _Pair,
    """
    SELECT player_id AS one, blocked_id AS other
    FROM blocks
    WHERE player_id = ANY(%(players)s) AND blocked_id = ANY(%(players)s)
    """,
)


class Blocks(Rows):
    def add_block(self, player: UUID, blocked: UUID) -> None:
        self.execute(_ADD, player=player, blocked=blocked)

    def block(self, player: UUID, blocked: UUID) -> Block | None:
        return self.first(_BLOCK, player=player, blocked=blocked)

    def blocks(self, player: UUID, after: UUID | None, limit: int) -> list[Block]:
        return self.all(_BLOCKS, player=player, after=after, limit=limit)

    def count_blocks(self, player: UUID) -> int:
        return self.one(_COUNT, player=player)

    def remove_block(self, player: UUID, blocked: UUID) -> bool:
        remove = "DELETE FROM blocks WHERE player_id = %(player)s AND blocked_id = %(blocked)s"
        return self.execute(remove, player=player, blocked=blocked) > 0

    def blocking(self, players: Collection[UUID]) -> set[tuple[UUID, UUID]]:
        return {(pair.one, pair.other) for pair in self.all(_AMONG, players=list(players))}

    def blocked_among(self, players: Collection[UUID]) -> set[tuple[UUID, UUID]]:
        found = self.blocking(players)
        return found | {(other, one) for one, other in found}
