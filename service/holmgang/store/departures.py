"""Accounts that are deleted, and what they were in the middle of."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from .presence import FORGET_PRESENCE
from .rows import Query, Rows, Statement

_ALL_NAMES = Query(
    str,
    """
    SELECT name FROM players WHERE id = %(player)s
    UNION
    SELECT name FROM former_names WHERE player_id = %(player)s
    """,
)
_HOLD_LOOK = Statement("""
    UPDATE looks
    SET name = '', held_until = clock_timestamp() + make_interval(days => %(days)s)
    WHERE digest = %(digest)s
        AND name = %(name)s
        AND EXISTS (SELECT FROM ratings WHERE player_id = %(player)s)
        AND NOT EXISTS (
            SELECT FROM players WHERE folded = %(folded)s AND name = %(name)s AND id <> %(player)s
        )
""")
_FREE_LOOK = Statement("""
    DELETE FROM looks
    WHERE digest = %(digest)s
        AND name = %(name)s
        AND NOT EXISTS (
            SELECT FROM players WHERE folded = %(folded)s AND name = %(name)s AND id <> %(player)s
        )
""")
_GO = Statement("""
    UPDATE players
    SET name = %(name)s, folded = NULL, owner = NULL, renamed_at = NULL, deleted_at = clock_timestamp()
    WHERE id = %(player)s
""")
_FORGET = (
    Statement("DELETE FROM tokens WHERE player_id = %(player)s"),
    Statement("DELETE FROM webhooks WHERE player_id = %(player)s"),
    Statement("DELETE FROM answers WHERE player_id = %(player)s"),
    Statement("DELETE FROM former_names WHERE player_id = %(player)s"),
    Statement("DELETE FROM blocks WHERE player_id = %(player)s"),
    Statement("DELETE FROM agreements WHERE player_id = %(player)s"),
    FORGET_PRESENCE,
)
_DEPART = Statement("INSERT INTO departures (player_id) VALUES (%(player)s) ON CONFLICT DO NOTHING")
# Whichever: nobody waits behind those whose games cannot be played on.
_DEPARTING = Query(
    UUID, "SELECT player_id FROM departures WHERE player_id <> ALL(%(but)s) ORDER BY random() LIMIT %(limit)s"
)
_UNFINISHED = Query(
    UUID,
    """
    SELECT s.game_id
    FROM seats s
    JOIN games g ON g.id = s.game_id
    WHERE s.player_id = %(player)s AND s.resigned_at IS NULL AND g.status <> 'over'
    LIMIT %(limit)s
    """,
)
_TO_LEAVE = Query(
    UUID,
    """
    SELECT t.id
    FROM tournament_entries e
    JOIN tournaments t ON t.id = e.tournament_id
    WHERE e.player_id = %(player)s
        AND t.status IN ('open', 'active')
        AND e.out IS DISTINCT FROM 'withdrawn'
    UNION
    SELECT id
    FROM tournaments
    WHERE creator = %(player)s AND (status = 'open' OR status = 'active' AND kind = 'ladder')
    """,
)
_DEPARTED = Statement("""
    DELETE FROM departures
    WHERE player_id = %(player)s
        AND player_id IN (SELECT id FROM players WHERE deleted_at < clock_timestamp() - interval '1 minute')
""")


class Departures(Rows):
    def all_names(self, player: UUID) -> list[str]:
        return self.all(_ALL_NAMES, player=player)

    def release_look(self, digest: bytes, name: str, folded: str, player: UUID, days: int) -> None:
        if not self.execute(_HOLD_LOOK, digest=digest, name=name, folded=folded, player=player, days=days):
            self.execute(_FREE_LOOK, digest=digest, name=name, folded=folded, player=player)

    def delete_account(self, player: UUID, name: str) -> None:
        for statement in _FORGET:
            self.execute(statement, player=player)
        self.execute(_GO, player=player, name=name)
        self.execute(_DEPART, player=player)

    def departing(self, limit: int, but: Sequence[UUID]) -> list[UUID]:
        return self.all(_DEPARTING, limit=limit, but=list(but))

    def unfinished_games(self, player: UUID, limit: int) -> list[UUID]:
        return self.all(_UNFINISHED, player=player, limit=limit)

    def tournaments_to_leave(self, player: UUID) -> list[UUID]:
        return self.all(_TO_LEAVE, player=player)

    def departed(self, player: UUID) -> None:
        self.execute(_DEPARTED, player=player)
        self.execute(FORGET_PRESENCE, player=player)  # a process may have noted them while they went
