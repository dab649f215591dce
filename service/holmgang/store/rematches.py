"""Rematches of games that are over."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from msgspec import Struct

from holmgang.app.records.rematches import Agreement

from .rows import Query, Rows, Statement


class _Held(Struct):
    following: UUID | None


_ADD = Statement("""
    INSERT INTO rematches (game_id, players)
    VALUES (%(game)s, %(players)s)
    ON CONFLICT DO NOTHING
""")
_HOLD = Query(_Held, "SELECT next_id AS following FROM rematches WHERE game_id = %(game)s FOR UPDATE")
_FOLLOWING = Query(_Held, "SELECT next_id AS following FROM rematches WHERE game_id = %(game)s")
_AGREEMENTS = Query(
    Agreement, "SELECT player_id AS player, expires_at FROM agreements WHERE game_id = %(game)s ORDER BY expires_at"
)
_AGREE = Statement("""
    INSERT INTO agreements (game_id, player_id, expires_at)
    VALUES (%(game)s, %(player)s, clock_timestamp() + make_interval(secs => %(seconds)s))
    ON CONFLICT (game_id, player_id) DO UPDATE
    SET expires_at = excluded.expires_at
""")
_DISAGREE = Statement("DELETE FROM agreements WHERE game_id = %(game)s AND player_id = %(player)s")
_MADE = Statement("""
    WITH settled AS (
        DELETE FROM agreements WHERE game_id = %(game)s
    )
    UPDATE rematches SET next_id = %(following)s WHERE game_id = %(game)s
""")
_OF_PLAYER = Query(
    UUID,
    """
    SELECT r.game_id
    FROM rematches r
    WHERE r.game_id IN (SELECT game_id FROM agreements WHERE player_id = %(player)s)
        AND (%(other)s::uuid IS NULL OR %(other)s = ANY(r.players))
    ORDER BY r.game_id
    FOR UPDATE
    """,
)
_END = Statement("DELETE FROM agreements WHERE player_id = %(player)s AND game_id = ANY(%(games)s)")
_EXPIRE = Query(
    UUID,
    """
    DELETE FROM agreements
    WHERE (game_id, player_id) IN (
        SELECT game_id, player_id
        FROM agreements
        WHERE expires_at <= (SELECT clock_timestamp())
        ORDER BY expires_at
        LIMIT %(limit)s
        FOR UPDATE SKIP LOCKED
    )
    RETURNING game_id
    """,
)


class Rematches(Rows):
    def hold_rematch(self, game: UUID, players: Sequence[UUID]) -> UUID | None:
        self.execute(_ADD, game=game, players=list(players))
        return self.one(_HOLD, game=game).following

    def rematch(self, game: UUID) -> tuple[UUID | None, list[Agreement]]:
        found = self.first(_FOLLOWING, game=game)
        return None if found is None else found.following, self.all(_AGREEMENTS, game=game)

    def agree(self, game: UUID, player: UUID, seconds: int) -> None:
        self.execute(_AGREE, game=game, player=player, seconds=seconds)

    def disagree(self, game: UUID, player: UUID) -> bool:
        return self.execute(_DISAGREE, game=game, player=player) > 0

    def set_rematch(self, game: UUID, following: UUID) -> None:
        self.execute(_MADE, game=game, following=following)

    def disagree_with(self, player: UUID, other: UUID | None = None) -> list[UUID]:
        games = self.all(_OF_PLAYER, player=player, other=other)
        self.execute(_END, player=player, games=games)
        return games

    def expire_agreements(self, limit: int) -> list[UUID]:
        return self.all(_EXPIRE, limit=limit)
