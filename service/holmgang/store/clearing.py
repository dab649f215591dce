"""What is deleted after a while: kept answers, old messages, and games that ended before any person chose anything."""

from __future__ import annotations

from uuid import UUID

from psycopg.sql import SQL

from .functions import BESIDE
from .keeping import chosen
from .rows import Query, Rows, Statement

KEPT = SQL("interval '24 hours'")
"""How long answers are kept for an Idempotency-Key."""


EMPTY = Query(
    UUID,
    SQL("""
        SELECT g.id
        FROM games g
        WHERE g.empty_since < (SELECT clock_timestamp() - make_interval(days => %(days)s))
            AND g.status = 'over'
            AND NOT g.rated
            AND g.tournament IS NULL
            AND NOT {chosen}
        ORDER BY g.empty_since
        LIMIT %(limit)s
    """).format(chosen=chosen(SQL("g.id"))),
)
_PLAYERS = Query(UUID, "SELECT player_id FROM seats WHERE game_id = %(game)s")
_FORGET_TOKENS = Statement("DELETE FROM tokens WHERE player_id = ANY(%(players)s) AND game_id = %(game)s")

_FORGET_ANALYSIS = Statement("DELETE FROM analyses WHERE game_id = %(game)s")

_FORGET = Query(bool, SQL("SELECT {forget} AS forgotten").format(forget=BESIDE.forget.call()))

FORGET_ANSWERS = Statement(
    SQL("""
        DELETE FROM answers
        WHERE (player_id, key) IN (
            SELECT player_id, key
            FROM answers
            WHERE kept_at < (SELECT clock_timestamp() - {kept})
            ORDER BY kept_at
            LIMIT %(limit)s
            FOR UPDATE SKIP LOCKED
        )
    """).format(kept=KEPT)
)


class Clearing(Rows):
    def forget_answers(self, limit: int) -> int:
        return self.execute(FORGET_ANSWERS, limit=limit)

    def forget_empty_games(self, days: int, limit: int) -> int:
        forgotten = 0
        for game in self.all(EMPTY, days=days, limit=limit):
            players = self.all(_PLAYERS, game=game)
            if self._forget(game):
                self.execute(_FORGET_TOKENS, players=players, game=game)
                self.execute(_FORGET_ANALYSIS, game=game)
                forgotten += 1
        return forgotten

    def _forget(self, game: UUID) -> bool:
        return self.one(_FORGET, game=game)

    def forget_deliveries(self, days: int, limit: int) -> int:
        return self.execute(
            """
            DELETE FROM deliveries
            WHERE id IN (
                SELECT id
                FROM deliveries
                WHERE state <> 'pending' AND next_at < (SELECT clock_timestamp() - make_interval(days => %(days)s))
                ORDER BY next_at
                LIMIT %(limit)s
                FOR UPDATE SKIP LOCKED
            )
            """,
            days=days,
            limit=limit,
        )
