"""What nobody needs any more: kept answers, and games that ended before any person had chosen anything."""

from __future__ import annotations

from .rows import Rows

KEPT = "interval '24 hours'"
"""How long answers are kept for an Idempotency-Key."""

# A choice of a person leaves a receipt; bots have receipts too, and who is played for in absence has none.
CHOSEN = (
    "EXISTS (SELECT FROM seats p JOIN submissions m ON m.game_id = p.game_id AND m.seat = p.seat"
    " WHERE p.game_id = {game} AND p.bot IS NULL)"
)
"""Whether a person has ever chosen anything in a game."""

EMPTY = (
    "SELECT g.id FROM games g WHERE g.empty_since < (SELECT clock_timestamp() - make_interval(days => %(days)s))"
    f" AND g.status = 'over' AND NOT g.rated AND NOT {CHOSEN.format(game='g.id')}"  # nosec B608 # constants
    " ORDER BY g.empty_since LIMIT %(limit)s FOR UPDATE OF g SKIP LOCKED"
)
_OF_GAMES = ("awaited", "submissions", "log", "events", "combats")
"""Tables of what games write, which no foreign key clears: the rest of a game's goes with its row."""

FORGET_ANSWERS = (
    "DELETE FROM answers WHERE (player_id, key) IN (SELECT player_id, key FROM answers"  # nosec B608 # constants
    f" WHERE kept_at < (SELECT clock_timestamp() - {KEPT}) ORDER BY kept_at LIMIT %(limit)s FOR UPDATE SKIP LOCKED)"
)


class Clearing(Rows):
    def forget_answers(self, limit: int) -> int:
        return self.done(FORGET_ANSWERS, limit=limit)

    def forget_empty_games(self, days: int, limit: int) -> int:
        games = [game for (game,) in self.all(EMPTY, days=days, limit=limit)]
        if games:
            self.done(
                "DELETE FROM tokens t USING seats s WHERE s.game_id = ANY(%(games)s) AND t.player_id = s.player_id"
                " AND t.game_id = s.game_id",
                games=games,
            )
            for table in (*_OF_GAMES, "games"):
                column = "id" if table == "games" else "game_id"
                self.done(f"DELETE FROM {table} WHERE {column} = ANY(%(games)s)", games=games)  # nosec B608 # constants
        return len(games)
