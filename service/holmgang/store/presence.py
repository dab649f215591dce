"""When players were last there, by the minute. The table is on the coordinator where games are distributed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from uuid import UUID

from holmgang.app.records.presence import Sight

from .rows import Query, Rows, Statement

# In the order of ids: other processes write rows of the same players.
_NOTE = Statement("""
    INSERT INTO presence (player_id, minute)
    SELECT p.id, date_trunc('minute', clock_timestamp() - make_interval(secs => seen.seconds))
    FROM unnest(%(players)s::uuid[], %(seconds)s::float8[]) AS seen (player, seconds)
    JOIN players p ON p.id = seen.player
    WHERE NOT p.hides_presence AND p.deleted_at IS NULL
    ORDER BY p.id
    ON CONFLICT (player_id) DO UPDATE
    SET minute = excluded.minute
    WHERE presence.minute < excluded.minute
""")
# A wait lasts nearly a minute, and is written down within another.
_PRESENCE = Query(
    Sight,
    """
    SELECT
        p.id AS player,
        p.hides_presence AS hides,
        coalesce(s.minute >= date_trunc('minute', clock_timestamp()) - interval '2 minutes', false) AS here,
        s.minute
    FROM players p
    LEFT JOIN presence s ON s.player_id = p.id
    WHERE p.id = ANY(%(players)s)
    """,
)
_HIDES = Query(bool, "SELECT hides_presence FROM players WHERE id = %(player)s")
_HIDE = Statement("UPDATE players SET hides_presence = %(hides)s WHERE id = %(player)s")
FORGET_PRESENCE = Statement("DELETE FROM presence WHERE player_id = %(player)s")


class Presences(Rows):
    def note_presence(self, seen: Mapping[UUID, float]) -> None:
        self.execute(_NOTE, players=list(seen), seconds=list(seen.values()))

    def presence(self, players: Collection[UUID]) -> list[Sight]:
        return self.all(_PRESENCE, players=list(players))

    def hides_presence(self, player: UUID) -> bool:
        return self.one(_HIDES, player=player)

    def hide_presence(self, player: UUID, hides: bool) -> None:
        self.execute(_HIDE, player=player, hides=hides)
        if hides:
            self.execute(FORGET_PRESENCE, player=player)
