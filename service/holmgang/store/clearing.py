"""What is deleted after a while: kept answers, old messages, and games that ended before any person chose anything."""

from __future__ import annotations

from uuid import UUID

from psycopg.sql import SQL, Composable, Identifier

from .rows import Query, Rows, Statement

KEPT = SQL("interval '24 hours'")
"""How long answers are kept for an Idempotency-Key."""


def chosen(game: SQL) -> Composable:
    """Whether a person has ever chosen anything in a game. Choices leave receipts, those of bots too; a choice that was
    made for an absent player leaves none."""
    return SQL("""
        EXISTS (
            SELECT
            FROM seats p
            JOIN submissions m ON m.game_id = p.game_id AND m.seat = p.seat
            WHERE p.game_id = {game} AND p.bot IS NULL
        )
    """).format(game=game)


EMPTY = Query(
    UUID,
    SQL("""
        SELECT g.id
        FROM games g
        WHERE g.empty_since < (SELECT clock_timestamp() - make_interval(days => %(days)s))
            AND g.status = 'over'
            AND NOT g.rated
            AND NOT {chosen}
        ORDER BY g.empty_since
        LIMIT %(limit)s
        FOR UPDATE OF g SKIP LOCKED
    """).format(chosen=chosen(SQL("g.id"))),
)
_OF_GAMES = ("awaited", "submissions", "log", "events", "combats")
"""Tables that games write to and that no foreign key clears: the other rows of a game go with its own."""
_FORGET_TOKENS = """
    DELETE FROM tokens t
    USING seats s
    WHERE s.game_id = ANY(%(games)s) AND t.player_id = s.player_id AND t.game_id = s.game_id
"""
_FORGET_GAMES = [
    Statement(_FORGET_TOKENS),
    *(
        Statement(SQL("DELETE FROM {table} WHERE game_id = ANY(%(games)s)").format(table=Identifier(table)))
        for table in _OF_GAMES
    ),
    Statement("DELETE FROM games WHERE id = ANY(%(games)s)"),
]

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
        games = self.all(EMPTY, days=days, limit=limit)
        if games:
            for statement in _FORGET_GAMES:
                self.execute(statement, games=games)
        return len(games)

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
